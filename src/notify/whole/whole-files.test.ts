import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SyscallName } from '../../kernel/index.ts';
import type { Mount } from '../../plan/mount.ts';
import type { ProtectedName } from '../../plan/types.ts';
import { fileCalls } from '../calls/file-calls.ts';
import type { HeldPath } from '../supervise/context.ts';
import { supervised, type SupervisedResult } from '../testing/supervised.ts';
import { accessCalls, descriptorCalls } from './descriptor-calls.ts';

const calls = [
  ...new Set([
    'inotify_add_watch',
    ...[fileCalls, descriptorCalls, accessCalls].flatMap((table) => Object.keys(table)),
  ]),
] as readonly SyscallName[];

const named = (components: readonly string[], effect: ProtectedName['effect']): ProtectedName => ({
  components,
  effect,
  except: [],
  scope: 'anywhere',
  reason: 'test',
});
const names: readonly ProtectedName[] = [
  named(['.env'], 'hidden'),
  named(['.git'], 'pinned'),
  named(['.git', 'hooks'], 'read-only'),
  named(['.git', 'config'], 'read-only'),
  named(['AGENTS.md'], 'withheld'),
];

function shownAt(path: string, access: 'read-only' | 'read-write'): Mount {
  const { dev, ino } = statSync(path, { bigint: true });
  return {
    kind: 'bind',
    source: path,
    target: path,
    access,
    ownership: 'as-is',
    identity: { device: String(dev), inode: String(ino), type: 'directory' },
    presence: 'required',
  };
}

/** A workspace with every kind of file, and a hidden directory beside it. */
function place(): { readonly workspace: string; readonly beside: string } {
  const directory = mkdtempSync('/var/tmp/holdfast-whole-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [workspace, beside] = [join(directory, 'ws'), join(directory, 'beside')];
  for (const each of [workspace, beside, join(workspace, '.git/hooks'), join(workspace, 'sub')])
    mkdirSync(each, { recursive: true });
  for (const [path, content] of [
    ['.env', 'SECRET'],
    ['.git/config', 'CONFIG'],
    ['.git/hooks/x', 'HOOK'],
    ['AGENTS.md', 'ORDERS'],
    ['sub/plain', 'plain'],
    ['../beside/other', 'OTHER'],
  ] as const)
    writeFileSync(join(workspace, path), content);
  return { workspace, beside };
}

interface Extras {
  readonly more?: readonly Mount[];
  readonly policy?: string;
  readonly found?: readonly HeldPath[];
}

async function inBox(
  script: string,
  at = place(),
  { more = [], policy = '', found = [] }: Extras = {},
): Promise<SupervisedResult> {
  const { workspace } = at;
  const system = ['/usr', '/lib', '/lib64', '/bin', '/etc']
    .map((path) => realpathSync(path))
    .filter((path, index, all) => all.indexOf(path) === index);
  const mounts: readonly Mount[] = [
    ...system.map((path) => shownAt(path, 'read-only')),
    { kind: 'proc', target: '/proc' },
    { kind: 'devices', target: '/dev', shmSize: 0 },
    shownAt(workspace, 'read-write'),
    ...more,
  ];
  const whole = {
    found,
    protection: {
      roots: [workspace],
      shownRoots: [],
      gitDirectories: [],
      names,
      guarded: [],
      released: [],
      withholding: [workspace],
    },
  };
  return supervised({
    workspace,
    policy,
    calls,
    mounts,
    whole,
    argv: ['/bin/sh', '-c', '/bin/sh -c "$0"; true', script],
  });
}

/** The output of each of several commands. */
async function saidBy(scripts: readonly string[], at: ReturnType<typeof place>): Promise<readonly string[]> {
  const { output } = await inBox(scripts.map((script) => `(${script}); echo ---`).join('\n'), at);
  return output.split('---\n').slice(0, scripts.length);
}

describe('files of a box without mounts', () => {
  test('a granted path is read, written, made, moved and removed', async () => {
    const at = place();
    const { output } = await inBox(
      'cat sub/plain; echo more >> sub/plain; mkdir d; echo x > d/f; mv d/f d/g; ln d/g d/h; ln -s g d/s; cat d/s; chmod 600 d/g; rm d/h d/s; ls d; rm -r d; head -c3 /usr/bin/env | tail -c2; echo > /dev/null; cat < /dev/null',
      at,
    );
    expect(output).toBe('plainx\ng\nEL');
    expect(readFileSync(join(at.workspace, 'sub/plain'), 'utf8')).toBe('plainmore\n');
  });

  test('a name relative to a descriptor of a directory is changed there, and the descriptor itself has no name', async () => {
    const at = place();
    const changes = [
      'mkdir $d/m $d/m/n',
      'echo x > $d/m/f',
      'mv $d/m/f $d/g',
      'chmod 600 $d/g',
      'ln $d/g $d/h',
      'ln -s g $d/s',
      'touch $d/s',
      'cat $d/s',
      'rm $d/h $d/s',
      'ls -R $d',
      'rm -r $d/m $d/g',
      'ls $d',
    ];
    for (const d of ['/proc/self/fd/7', '/dev/fd/7', '/proc/self/cwd/sub', '/proc/thread-self/fd/7']) {
      const [said, links] = await saidBy(
        [
          `exec 7< sub; { ${changes.join(' && ')}; } 2>&1`.replaceAll('$d', d),
          `exec 7< sub/plain; { rm /proc/self/fd/7; mv /proc/self/fd/7 sub/moved; rmdir /proc/self/cwd; } 2>&1; cat sub/plain`,
        ],
        at,
      );
      expect(said, d).toBe(`x\n${d}:\ng\nm\nplain\n\n${d}/m:\nn\n\n${d}/m/n:\nplain\n`);
      expect(
        links?.split('\n').map((line) => line.split(': ').at(-1)),
        d,
      ).toEqual([expect.any(String), expect.any(String), expect.any(String), 'plain']);
    }
    expect(readFileSync(join(at.workspace, 'sub/plain'), 'utf8')).toBe('plain');
    const other = spawn('sleep', ['60'], { cwd: at.workspace, stdio: 'ignore' });
    onTestFinished(() => void other.kill());
    const held = [
      'exec 7< .git; rm /proc/self/fd/7/config',
      'exec 7< .git; mkdir /proc/self/fd/7/hooks/y',
      'exec 7< .; rm /proc/self/fd/7/.env',
      'exec 7< .; mv /proc/self/fd/7/AGENTS.md a',
      `rm /proc/${other.pid}/cwd/sub/plain`,
      `mkdir /proc/self/root${at.beside}/y`,
    ];
    for (const line of await saidBy(
      held.map((script) => `{ ${script}; } 2>&1 && echo DONE`),
      at,
    ))
      expect(line).toMatch(/(?:denied|busy|Read-only|No such file|not permitted)/u);
    expect([
      existsSync(join(at.workspace, '.git/config')),
      existsSync(join(at.workspace, '.env')),
      existsSync(join(at.beside, 'y')),
    ]).toEqual([true, true, false]);
  });

  test('a hidden file stays hidden', async () => {
    const expected: readonly (readonly [string, RegExp])[] = [
      ['cat .env', /Permission denied/u],
      ['cat ./sub/../.env', /Permission denied/u],
      ['ln -s .env l; cat l', /Permission denied/u],
      ['cat /proc/self/cwd/.env', /Permission denied/u],
      ['cat /proc/self/root$PWD/.env', /Permission denied/u],
      ['cat < .env', /Permission denied/u],
      ['cat AGENTS.md', /Permission denied/u],
      ['cat ../beside/other', /No such file/u],
      ['echo x > .env', /Permission denied/u],
      ['mv .env e; cat e', /(?:denied|busy)/u],
      ['ln .env e', /cross-device/u],
      ['cp .env e', /Permission denied/u],
      ['rm -f .env', /Permission denied/u],
      ['mv AGENTS.md a', /(?:denied|busy)/u],
    ];
    const at = place();
    const said = await saidBy(
      expected.map(([script]) => script),
      at,
    );
    for (const [index, [script, pattern]] of expected.entries()) expect(said[index], script).toMatch(pattern);
    expect(said.join('')).not.toMatch(/SECRET|ORDERS|OTHER/u);
    expect(readFileSync(join(at.workspace, '.env'), 'utf8')).toBe('SECRET');
  });

  test('a protected file stays protected', async () => {
    const at = place();
    const said = await saidBy(
      [
        'echo x > .git/config',
        'echo x >> .git/hooks/x',
        'echo x > .git/hooks/new',
        'rm .git/hooks/x',
        'mv .git/hooks h',
        'mv .git g',
        'chmod 777 .git/config',
        'truncate -s0 .git/config',
        'touch .git/config',
        'ln .git/config c; echo x > c',
        'ln -s .git/config l; echo x > l',
        'mkdir -p n/hooks; mv -T n/hooks .git/hooks',
        'echo x > c; mv c .git/config',
        'perl -e "open F, q(<), q(.git/config); chmod 0777, *F or die $!"',
        'rm -rf .git',
        ': > /usr/bin/holdfast-test',
        'chmod 777 /usr',
      ],
      at,
    );
    expect(said.length).toBe(17);
    const [config, hook] = [join(at.workspace, '.git/config'), join(at.workspace, '.git/hooks/x')];
    expect([
      readFileSync(config, 'utf8'),
      readFileSync(hook, 'utf8'),
      lstatSync(config).mode & 0o777,
      lstatSync(join(at.workspace, '.git/hooks')).isDirectory(),
    ]).toEqual(['CONFIG', 'HOOK', 0o644, true]);
    expect(() => lstatSync(join(at.workspace, '.git/hooks/new'))).toThrow(/ENOENT/u);
    expect(statSync('/usr').mode & 0o777).toBe(0o755);
  });

  test('a file that the box made is its own, whatever its name', async () => {
    const at = place();
    const { output } = await inBox(
      'mkdir a; echo mine > a/AGENTS.md; cat a/AGENTS.md; mkdir -p new/.git/hooks; echo h > new/.git/hooks/p.sample; cat new/.git/hooks/p.sample; mv a b; cat b/AGENTS.md; rm b/AGENTS.md',
      at,
    );
    expect(output).toBe('mine\nh\nmine\n');
  });

  test('a hook planted in a new repository does not get there', async () => {
    const at = place();
    const { output } = await inBox(
      'mkdir -p n/.git/hooks p/hooks; echo x > n/.git/hooks/pre-commit; echo x > n/.git/hooks/a.sample; mv n/.git/hooks/a.sample n/.git/hooks/post-commit; echo x > p/hooks/pre-push; mkdir m; mv p m/.git; mv p/hooks m; find . -name "p*-*"',
      at,
    );
    expect(output.match(/Read-only/gu)?.length).toBe(2);
    expect(output).toMatch(/denied[^]*\.\/m\/hooks\/pre-push\n$/u);
  });

  test('a second name of a hidden or protected file is held like the first', async () => {
    const at = place();
    linkSync(join(at.workspace, '.env'), join(at.workspace, 'alias'));
    linkSync(join(at.workspace, '.git/config'), join(at.workspace, 'copy'));
    symlinkSync('sub/plain', join(at.workspace, '.envrc'));
    const held = (
      [
        ['.env', 'hidden', 'none'],
        ['.git/config', 'fixed', 'none'],
        ['.envrc', 'fixed', 'symlink'],
      ] as const
    ).map(([name, how, symlink]): HeldPath => {
      const { dev, ino } = lstatSync(join(at.workspace, name), { bigint: true });
      return { path: join(at.workspace, name), identity: `${dev}:${ino}`, how, symlink };
    });
    const { output } = await inBox(
      'cat alias; cat copy; echo x > copy; echo x >> copy; chmod 777 copy; truncate -s0 copy; echo x > .envrc; echo x > sub/plain; rm .envrc; mv sub s',
      at,
      { found: held },
    );
    expect(readFileSync(join(at.workspace, 'sub/plain'), 'utf8')).toBe('plain');
    expect(output).not.toContain('SECRET');
    expect(output).toContain('CONFIG');
    expect(readFileSync(join(at.workspace, '.git/config'), 'utf8')).toBe('CONFIG');
    expect(statSync(join(at.workspace, 'copy')).mode & 0o777).toBe(0o644);
  });

  test('a descriptor leads no further than its file', async () => {
    const at = place();
    chmodSync(join(at.workspace, '.git/config'), 0o644);
    const { output } = await inBox(
      'exec 5<.git/config; cat <&5; echo x > /proc/self/fd/5; echo x > /dev/fd/5; { echo out > /dev/stdout; echo err > /proc/self/fd/1; } | cat; sh -c "cat /dev/fd/7" 7<sub/plain; echo pipe | cat /dev/stdin',
      at,
    );
    expect(output).toMatch(/^CONFIG.*Read-only[^]*Read-only[^]*out\nerr\nplainpipe\n$/u);
    expect(readFileSync(join(at.workspace, '.git/config'), 'utf8')).toBe('CONFIG');
  });

  test('nor does the descriptor of a file with a name that ends in "(deleted)"', async () => {
    const at = place();
    const [hook, other] = [join(at.workspace, '.git/hooks/x (deleted)'), join(at.beside, 'other')];
    writeFileSync(hook, 'HOOK', { mode: 0o644 });
    linkSync(other, join(at.workspace, 'second'));
    const { dev, ino } = statSync(other, { bigint: true });
    const change = (path: string): string =>
      `perl -e 'open F, q(<), q(${path}) or die $!; chmod 0777, *F or print qq($!\\n)'`;
    const { output } = await inBox(`${change(hook)}; ${change('second')}; ${change('sub/plain')}`, at, {
      found: [{ path: other, identity: `${dev}:${ino}`, how: 'fixed', symlink: 'none' }],
    });
    expect(output).toBe('Read-only file system\nRead-only file system\n');
    expect([hook, other, join(at.workspace, 'sub/plain')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o644, 0o644, 0o777,
    ]);
  });

  test('only the box’s own processes can be inspected', async () => {
    const { output } = await inBox(
      `sh -c 'grep -c Name /proc/self/status; sleep 0; cat /proc/$$/comm'; cat /proc/${process.pid}/environ; cat /proc/1/status; cat /proc/net/tcp; head -c5 /proc/meminfo; echo 1 > /proc/sys/kernel/panic; dd if=/proc/self/mem count=1`,
    );
    expect(output).toMatch(/^1\nsh\n/u);
    expect(output.match(/Permission denied|Read-only/gu)?.length).toBe(5);
    expect(output).toContain('MemTo');
  });

  test('files of memory can be read and not written, and only harmless devices open', async () => {
    const file: Mount = { kind: 'file', target: '/run/holdfast/x/session.json', mode: 0o444, content: '{"a":1}' };
    const { output } = await inBox(
      'cat /run/holdfast/x/session.json; cat /run/holdfast/x/session.json; echo x > /run/holdfast/x/session.json; head -c2 /dev/zero | wc -c; cat /dev/mem /dev/sda /dev/kmsg /dev/shm',
      undefined,
      { more: [file] },
    );
    expect(output).toMatch(/^\{"a":1\}\{"a":1\}.*Read-only[^\n]*\n2\n(?:cat: [^\n]*No such file[^\n]*\n){4}$/u);
  });

  test('named pipes wait for their other end', async () => {
    const { output } = await inBox(
      'mkfifo p; (sleep 0.1; echo late > p) & cat p; (cat p > got) & sleep 0.1; echo early > p; wait; cat got; (exec 3<p; echo met >&2; cat <&3) & exec 4>p; echo last >&4; exec 4>&-; wait',
    );
    expect(output.split('\n').toSorted()).toEqual(['', 'early', 'last', 'late', 'met']);
  });

  test('directories that contain other places of the plan are not moved', async () => {
    const at = place();
    mkdirSync(join(at.workspace, 'sub/fixed'));
    const { output } = await inBox(
      'mv sub moved; mv sub/fixed out; rmdir sub/fixed; echo x > sub/fixed/y; echo ok > sub/y; cat sub/y',
      at,
      { more: [shownAt(join(at.workspace, 'sub/fixed'), 'read-only')] },
    );
    expect(output).toMatch(/busy[^]*(?:busy|Read-only)[^]*(?:busy|Read-only)[^]*Read-only[^]*ok\n$/u);
  });

  test('rules still ask, redirect and audit', async () => {
    const at = place();
    symlinkSync('sub/plain', join(at.workspace, 'link'));
    const policy = `[[file]]\nname = "look"\npaths = ["${at.workspace}/sub/plain"]\noperations = ["read"]\ndecision = "audit"\n[[file]]\nname = "no"\npaths = ["${at.workspace}/sub/no"]\noperations = ["create"]\ndecision = "deny"\n`;
    const { output, events } = await inBox('cat link; echo x > sub/no', at, { policy });
    expect(output).toMatch(/^plain.*Permission denied/u);
    expect(events.map(({ kind }) => kind)).toEqual(['audited', 'refused']);
  });

  test('access checks report a hidden path as absent', async () => {
    const { output } = await inBox(
      'test -r .env && echo readable; test -w .git/config && echo writable; test -r sub/plain && echo yes; test -e ../beside/other; test -r ../beside/other && echo shown; true',
    );
    expect(output).toBe('yes\n');
  });

  test('names are watched only where they could be listed', async () => {
    const at = place();
    writeFileSync(
      join(at.workspace, 'watch.py'),
      `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
watcher = libc.inotify_init()
def watch(path, descriptor=watcher): return libc.inotify_add_watch(descriptor, path, 0x100) > 0 or ctypes.get_errno()
print(*[watch(path) for path in (b"../beside", b"/proc/self/cwd/../beside", b".env", b"/root", b"missing", b"/dev/pts", b"sub")], watch(b"sub", 0))
open("sub/new", "w").close()
print(b"new" in os.read(watcher, 99))
`,
    );
    const { output } = await inBox('/usr/bin/python3 watch.py', at);
    expect(output).toBe('2 2 13 2 2 13 True 22\nTrue\n');
  });
});
