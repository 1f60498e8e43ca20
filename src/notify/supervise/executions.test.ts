import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import { supervised, type SupervisedOptions, type SupervisedResult } from '../testing/supervised.ts';

const identity = { device: '1', inode: '1', type: 'directory' } as const;

interface Setting {
  readonly workspace: string;
  /** Runs a shell script. The start of the shell counts as the entry. */
  readonly run: (policy: string, script: string, more?: Partial<SupervisedOptions>) => Promise<SupervisedResult>;
}

function setting(): Setting {
  const workspace = mkdtempSync('/var/tmp/holdfast-executions-');
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const bind = (target: string, access: 'read-only' | 'read-write'): Mount => ({
    kind: 'bind',
    source: target,
    target,
    access,
    ownership: 'as-is',
    identity,
    presence: 'required',
  });
  const mounts = [bind('/', 'read-only'), bind(workspace, 'read-write')];
  return {
    workspace,
    run: (policy, script, more) =>
      supervised({
        workspace,
        policy,
        argv: ['/bin/sh', '-c', script],
        groups: ['executions'],
        calls: ['execve', 'execveat'],
        mounts,
        ...more,
      }),
  };
}

const deny = (...commands: readonly string[]): string => `[commands]\ndeny = ${JSON.stringify(commands)}\n`;
const kinds = ({ events }: SupervisedResult): readonly string[] =>
  events.map(({ kind, request }) => `${kind} ${request.kind === 'exec' ? request.program : ''}`);

describe('a command that another command starts', () => {
  test('goes ahead without a rule about it', async () => {
    const { run } = setting();
    const result = await run(deny('head'), 'tail --version | tail -n 1 >/dev/null && echo fine');
    expect(result).toMatchObject({ output: 'fine\n', events: [] });
  });

  test('is refused like a file without execute permission', async () => {
    const { run } = setting();
    const result = await run(deny('head'), 'head /dev/null; echo $?');
    expect(result.output).toMatch(/Permission denied\n126\n$/u);
    // The shell then finds the program in the next directory of its PATH, a link to the same directory.
    expect(new Set(kinds(result))).toEqual(new Set(['refused /usr/bin/head']));
  });

  test('enters once more when the program of the box starts a guest, and never again', async () => {
    const { run } = setting();
    const result = await run(deny('head'), 'head /dev/null && echo guest; head /dev/null || echo refused', {
      groups: ['guest-executions'],
    });
    expect(result.output).toMatch(/^guest\n[^]*Permission denied\nrefused\n$/u);
  });

  test.each([
    ['exec', 'exec head /dev/null'],
    ['env', 'env head /dev/null'],
    ['xargs', 'echo /dev/null | xargs head'],
    ['a path', '/usr/bin/head /dev/null'],
    ['a path with dots', '/usr/../usr/./bin//head /dev/null'],
    ['the link of another directory', '/bin/head /dev/null'],
    ['the root of a process', '/proc/self/root/usr/bin/head /dev/null'],
    ['the root of another process', '/proc/$$/root/usr/bin/head /dev/null'],
    ['a descriptor', 'exec 9</usr/bin/head; /proc/self/fd/9 /dev/null'],
    ['a descriptor by its other name', 'exec 9</usr/bin/head; /dev/fd/9 /dev/null'],
    ['a link', 'ln -s /usr/bin/head x; ./x /dev/null'],
    ['a link to a link', 'ln -s /usr/bin/head x; ln -s x y; ./y /dev/null'],
    ['a link of a process', 'ln -s /proc/self/root/usr/bin/head x; ./x /dev/null'],
    ['another name for itself', 'env -i bash -c "exec -a tail head /dev/null"'],
    ['the name of a harmless program', 'ln -s /usr/bin/head tail; ./tail /dev/null'],
    ['the loader', '/lib64/ld-linux-x86-64.so.2 /usr/bin/head /dev/null'],
    ['a script', 'printf "#!/usr/bin/head\\nran" > s; chmod +x s; ./s'],
    ['a script of a script', 'printf "#!/usr/bin/head\\nran" > s; printf "#!$PWD/s\\n" > t; chmod +x s t; ./t'],
    ['a relative directory', 'cd /usr; bin/head /dev/null'],
    ['a relative entry of PATH', 'cd /usr/bin; PATH=. ; head /dev/null'],
  ])('is the same program through %s', async (_, script) => {
    const { run } = setting();
    const result = await run(deny('head'), `${script}; echo "status $?"`);
    expect(kinds(result).length, result.output).toBeGreaterThan(0);
    expect(result.output).not.toMatch(/status 0|==>|^ran/mu);
  });

  test('gets no pass from one start for other words, or for other content of its file', async () => {
    const { run } = setting();
    const words = await run(
      '[commands]\ndeny = ["tail --version"]\n',
      'tail /dev/null && echo fine; tail --version || echo refused',
    );
    expect(words.output).toMatch(/^fine\n[^]*Permission denied\nrefused\n$/u);
    const content = await run(
      deny('head'),
      'printf "#!/bin/sh\\necho fine" > s; chmod +x s; ./s; printf "#!/usr/bin/head\\nran" > s; ./s || echo refused',
    );
    expect(content.output).toMatch(/^fine\n[^]*Permission denied\nrefused\n$/u);
  });

  test('is refused if its file changed since the session began', async () => {
    const { run } = setting();
    const { dev, ino } = statSync('/usr/bin/tail', { bigint: true });
    const script = 'tail -n 1 /dev/null && echo fine';
    expect(
      (
        await run('[commands]\nask = ["tail -f"]\n', script, {
          pinned: [{ path: '/usr/bin/tail', identity: `${dev}:${ino}` }],
        })
      ).output,
    ).toBe('fine\n');
    const changed = await run('[commands]\nask = ["tail -f"]\n', script, {
      pinned: [{ path: '/usr/bin/tail', identity: `${dev}:1` }],
    });
    expect(changed.output).toContain('Permission denied');
    expect(changed.events[0]).toMatchObject({
      kind: 'refused',
      verdict: { message: '/usr/bin/tail has changed since this session began: another file has replaced it' },
    });
  });

  test('is the same program through another name of its file, which the plan has removed', async () => {
    const { run, workspace } = setting();
    writeFileSync(join(workspace, 'tool'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
    linkSync(join(workspace, 'tool'), join(workspace, 'other'));
    const { dev, ino } = statSync(join(workspace, 'tool'), { bigint: true });
    const programs = [
      {
        program: 'tool',
        path: join(workspace, 'tool'),
        identity: { device: String(dev), inode: String(ino), type: 'file' },
        held: 'mask',
        sharedWith: [],
      },
    ] as const;
    expect((await run(deny('tool'), './other', { programs })).output).toContain('Permission denied');
    expect((await run(deny('tool'), './other')).output).toBe('ran\n');
  });

  test('is refused as a file in memory, without a name', async () => {
    const { run } = setting();
    const script = `import os\nfd = os.memfd_create("x", 0)\nos.write(fd, open("/usr/bin/echo", "rb").read())\nfor path in (f"/proc/self/fd/{fd}", f"/proc/{os.getpid()}/fd/{fd}"):\n  try: os.execv(path, ["echo", "ran"])\n  except PermissionError: print("refused", flush=True)\ntry: os.execve(fd, ["echo", "ran"], {})\nexcept PermissionError: print("refused", flush=True)\n`;
    const result = await run(deny('head'), `python3 -c '${script}'`);
    expect(result.output).toBe('refused\nrefused\nrefused\n');
  });

  test.each([
    ['made in memory', './s', '#!/proc/self/fd/5\\n'],
    ['made in memory, through a second script', './s', '#!$PWD/t\\n'],
    ['made in memory, through its process ID', './s', '#!/proc/$$/fd/5\\n'],
    ['deleted', './s', '#!/proc/self/fd/6\\n'],
  ])('is refused with an interpreter without a name: %s', async (_, script, line) => {
    const { run } = setting();
    const prepare = `printf "${line}" > s; printf "#!/proc/self/fd/5\\n" > t; cp /usr/bin/echo x; exec 6<x; rm x; chmod +x s t`;
    const start = `import os\nfd = os.memfd_create("x", 0)\nos.write(fd, open("/usr/bin/echo", "rb").read())\nos.dup2(fd, 5)\ntry: os.execv("${script}", ["ran"])\nexcept OSError as error: print(error.strerror, flush=True)\n`;
    const result = await run(deny('head'), `${prepare}; exec python3 -c '${start}'`);
    expect(result).toMatchObject({
      output: 'Permission denied\n',
      events: [
        { kind: 'refused', verdict: { message: expect.stringContaining('is not a file with a name') as string } },
      ],
    });
  });

  test('is judged with an interpreter that a descriptor leads to', async () => {
    const { run } = setting();
    expect(
      (await run(deny('head'), 'printf "#!/proc/self/fd/5\\n" > s; chmod +x s; exec 5</usr/bin/head; ./s')).output,
    ).toContain('Permission denied');
    expect(
      (await run(deny('head'), 'printf "#!/proc/self/fd/5\\n" > s; chmod +x s; exec 5</usr/bin/echo; ./s')).output,
    ).toBe('./s\n');
  });

  test('is refused after the last name of its file is gone', async () => {
    const { run } = setting();
    expect((await run(deny('head'), 'cp /usr/bin/echo x; exec 9<x; rm x; /proc/self/fd/9 ran')).output).toContain(
      'Permission denied',
    );
  });
});

describe('arguments', () => {
  const policy = '[commands]\ndeny = ["git push --force"]\n';

  test.each([
    'git push --force',
    'git push origin -f',
    'env git push -f',
    'sh -c "git push --force origin main"',
    'printf "all:\\n\\t@git push -f\\n" > Makefile; make -s',
    "python3 -c \"import subprocess; subprocess.run(['git', 'push', '--force'])\"",
  ])('%s is refused', async (script) => {
    const { run } = setting();
    const result = await run(policy, script);
    expect(kinds(result)).toContain('refused /usr/bin/git');
  });

  test.each(['git --version', 'echo git push --force'])('%s is not refused', async (script) => {
    const { run } = setting();
    expect(await run(policy, script)).toMatchObject({ events: [] });
  });

  test('are refused if they are too many to read and a rule could be about them', async () => {
    const { run } = setting();
    const result = await run(policy, 'seq 5000 | xargs -n 5000 git push; seq 5000 | xargs -n 5000 echo | wc -w');
    expect(new Set(kinds(result))).toEqual(new Set(['refused /usr/bin/git']));
    expect(result.output).toContain('5000\n');
  });
});

// Attack: a person approves one command, and another one runs.
describe('a command that changes while it waits for an answer is refused', () => {
  const policy = '[commands]\nask = ["cat", "./tool"]\nunknown = "allow"\n';
  const tool = (workspace: string, text: string, path = 'tool'): void =>
    writeFileSync(join(workspace, path), `#!/bin/sh\necho ${text}\n`, { mode: 0o755 });

  const files: Readonly<Record<string, (workspace: string) => void>> = {
    'the content of the program': (workspace) => tool(workspace, 'another'),
    'the file of the program': (workspace) => (
      tool(workspace, 'another', 'other'), renameSync(join(workspace, 'other'), join(workspace, 'tool'))
    ),
    'a program that is gone': (workspace) => rmSync(join(workspace, 'tool')),
    'the target of a link': (workspace) => (
      rmSync(join(workspace, 'tool')), symlinkSync('/usr/bin/id', join(workspace, 'tool'))
    ),
  };

  test.each(Object.entries(files))('%s', async (_, exchange) => {
    const { workspace, run } = setting();
    tool(workspace, 'asked');
    const result = await run(policy, './tool; echo $?', { answer: () => (exchange(workspace), 'allow') });
    expect(result.output).toMatch(/denied\n126\n$/u);
    expect(result.output).not.toMatch(/asked|another|uid=/u);
    expect(result.events.map(({ kind }) => kind)).toEqual(['approved', 'refused']);
    expect(result.events[1]?.verdict.message).toMatch(
      /its arguments or files were exchanged while it waited for approval/u,
    );
  });

  test('a word', async () => {
    const { workspace, run } = setting();
    for (const name of ['allowed', 'refused']) writeFileSync(join(workspace, name), `${name}\n`);
    writeFileSync(
      join(workspace, 'swap.py'),
      `
import ctypes, os, threading, time
word = ctypes.create_string_buffer(b"allowed", 64)
words = (ctypes.c_char_p * 3)(b"cat", ctypes.cast(word, ctypes.c_char_p), None)
def swap():
    while not os.path.exists("go"): time.sleep(0.01)
    ctypes.memmove(word, b"refused", 8)
    open("swapped", "w").close()
threading.Thread(target=swap, daemon=True).start()
print(ctypes.CDLL(None, use_errno=True).execve(b"/usr/bin/cat", words, None), ctypes.get_errno())
`,
    );
    const wait = (): void => {
      while (!existsSync(join(workspace, 'swapped'))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    };
    const { output, questions } = await run(policy, 'python3 swap.py', {
      answer: () => (writeFileSync(join(workspace, 'go'), ''), wait(), 'allow'),
    });
    expect(questions.map(({ requests }) => requests[0]?.request)).toMatchObject([{ argv: ['cat', 'allowed'] }]);
    expect(output).toBe('-1 13\n');
  });

  test('an unchanged command goes ahead', async () => {
    const { workspace, run } = setting();
    tool(workspace, 'asked');
    expect((await run(policy, './tool', { answer: () => 'allow' })).output).toBe('asked\n');
  });
});

describe('a command that a person is asked about', () => {
  const policy = '[commands]\nask = ["git --version"]\n';

  test.each([
    ['allow', /git version/u],
    ['deny', /Permission denied/u],
  ] as const)('gets the answer: %s', async (answer, output) => {
    const { run } = setting();
    const result = await run(policy, 'git --version', { answer: () => answer });
    expect(result.output).toMatch(output);
    expect(result.questions).toMatchObject([
      {
        requests: [
          { request: { kind: 'exec', program: '/usr/bin/git', argv: ['git', '--version'], context: 'nested' } },
        ],
      },
    ]);
  });

  test('asks no second time if it was approved on entry', async () => {
    const { run } = setting();
    const result = await run(policy, 'git --version', {
      wasApproved: ({ argv }) => argv.join(' ') === 'git --version',
    });
    expect(result.output).toMatch(/git version/u);
    expect(result.questions).toEqual([]);
  });
});

test('an audited command goes ahead and is recorded', async () => {
  const { run } = setting();
  const result = await run('[[exec]]\nname = "a"\ndecision = "audit"\ncommands = ["git"]\n', 'git --version');
  expect(result.output).toMatch(/git version/u);
  expect(kinds(result)).toEqual(['audited /usr/bin/git']);
});

test('a redirected command is refused, with the reason', async () => {
  const { run } = setting();
  const result = await run(
    '[[exec]]\nname = "r"\ndecision = "redirect"\nredirect_to = ["tail", "{args}"]\ncommands = ["head"]\n',
    'head /dev/null',
  );
  expect(result.events[0]).toMatchObject({ kind: 'refused', verdict: { decision: 'deny' } });
  expect(result.events[0]?.verdict.message).toContain('is refused instead');
});

describe('a list of allowed commands', () => {
  test('refuses all other commands', async () => {
    const { run } = setting();
    const result = await run(
      '[commands]\nallow = ["tail"]\n',
      'tail /dev/null && echo fine; head /dev/null || echo refused',
    );
    expect(result.output).toContain('fine\n');
    expect(result.output).toContain('refused\n');
  });
});

describe('a program that the policy means by its name', () => {
  test('is not one that the box has put into its PATH', async () => {
    const { run, workspace } = setting();
    mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(workspace, 'node_modules/.bin/git'), '#!/bin/sh\necho planted\n');
    chmodSync(join(workspace, 'node_modules/.bin/git'), 0o755);
    const policy = '[[exec]]\nname = "a"\ndecision = "audit"\ncommands = ["git"]\n';
    // The shell goes on to the system's program.
    expect((await run(policy, 'PATH=$PWD/node_modules/.bin:$PATH; git --version')).output).toMatch(/^git version/u);
    expect((await run(policy, 'PATH=node_modules/.bin:$PATH; git --version')).output).toMatch(/^git version/u);
    expect((await run(policy, 'PATH=node_modules/.bin; git --version')).output).toContain('Permission denied');
    expect((await run(policy, './node_modules/.bin/git --version')).output).toContain('Permission denied');
    expect((await run(deny('head'), 'PATH=$PWD/node_modules/.bin:$PATH; git status')).output).toBe('planted\n');
  });
});

describe('a command that was judged on entry', () => {
  test('passes only its own first start', async () => {
    const { run, workspace } = setting();
    symlinkSync('/bin/sh', join(workspace, 'x'));
    const policy = '[commands]\nask = ["sh"]\n';
    const result = await run(policy, 'echo entered; sh -c "echo again"; ./x -c "echo again"', { answer: () => 'deny' });
    expect(result.output).toMatch(/^entered\n/u);
    expect(result.output).not.toContain('again\n');
    expect(result.questions.length).toBeGreaterThan(0);
  });
});

test.each([
  'no-such-program',
  './no-such-program',
  '/usr/bin/no-such-program',
  '/',
  '""',
  '$(printf %05000d 1)',
  'ws-is-no-directory/x/y',
])('%s gets the kernel’s own error', async (words) => {
  const { run } = setting();
  const result = await run(deny('head'), `${words}; echo "status $?"`);
  expect(result.output).toMatch(/status 12[67]/u);
  expect(result.events).toEqual([]);
});
