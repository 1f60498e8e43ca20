import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, has, Project } from './lib/holdfast.ts';

const isRoot = process.getuid?.() === 0;

/** Expects status 125, one clear reason, one remedy, and no started command. */
function expectRefusal(
  project: Project,
  result: { readonly status: number | null; readonly stderr: string },
  reason: RegExp,
): void {
  expect(result.stderr).toMatch(reason);
  expect(result.stderr).toMatch(/^holdfast: to fix it: .+ \[HF_[A-Z_]+\]$/mu);
  expect(result.stderr).not.toContain('internal error');
  expect(result.status).toBe(125);
  expect(existsSync(join(project.workspace, 'ran'))).toBe(false);
}

const touch = ['run', '--', 'touch', 'ran'];

describe('policies', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['broken TOML', 'version = \n', /not valid TOML/u],
    ['no version', '[files]\nread = []\n', /version/u],
    ['an unknown key', 'version = 1\n[files]\nreads = ["/x"]\n', /reads/u],
    ['a duplicate key', 'version = 1\nversion = 1\n', /holdfast\.toml:2/u],
    ['a wrong type', 'version = 1\n[files]\nread = "x"\n', /files\.read|read/u],
    [
      'a rule without its mechanism',
      'version = 1\n[[tool]]\nname = "no-mail"\ndecision = "stage"\ntools = ["mail/send"]\n',
      /nothing here can carry out/u,
    ],
    [
      'a demand that no backend holds',
      'version = 1\n[require]\nguarantees = ["limits.disk"]\n',
      /limits\.disk.*holdfast\.toml:3 requires limits\.disk/u,
    ],
    ['an absent backend', 'version = 1\n[backend]\nuse = "windows"\n', /windows backend cannot run commands/u],
    [
      'a backend with gaps, which only a person may accept',
      'version = 1\n[backend]\nuse = "landlock"\n',
      /holdfast\.toml:3 demands the landlock backend, which cannot enforce here: .*pid/u,
    ],
    ['hidden characters', 'version = 1\n# \u202Erofstab\n', /hidden|character/u],
  ];

  test.each(cases)('%s is refused with its place', (_, text, reason) => {
    using project = new Project();
    project.write('holdfast.toml', text);
    expectRefusal(project, project.holdfast(touch), reason);
  });

  test('all problems are named at once', () => {
    using project = new Project();
    project.write('holdfast.toml', 'version = 1\n[files]\nreads = []\nwrites = []\n');
    const { stderr } = project.holdfast(touch);
    expect(stderr).toContain('reads');
    expect(stderr).toContain('writes');
  });

  test('ten megabytes are refused without being read', () => {
    using project = new Project();
    project.write('holdfast.toml', `version = 1\n${'#'.repeat(10 << 20)}`);
    expectRefusal(project, project.holdfast(touch), /bytes/u);
  });

  test('invalid UTF-8 and an unreadable file are refused', () => {
    using project = new Project();
    writeFileSync(join(project.workspace, 'holdfast.toml'), Buffer.from([0x76, 0xff, 0xfe]));
    expectRefusal(project, project.holdfast(touch), /UTF-8/u);
    rmSync(join(project.workspace, 'holdfast.toml'));
    mkdirSync(join(project.workspace, 'holdfast.toml'));
    expectRefusal(project, project.holdfast(touch), /cannot be used/u);
  });

  test('a project cannot widen anything', () => {
    using project = new Project();
    project.write('../home/.ssh/id_rsa', 'canary');
    project.write('../home/private.txt', 'canary');
    project.write('holdfast.toml', 'version = 1\n[files]\nread = ["~", "/"]\nwrite = ["~", "/"]\n');
    const { stdout } = project.inside('cat ~/.ssh/id_rsa ~/private.txt; echo x > ~/pwned');
    expect(stdout).not.toContain('canary');
    expect(existsSync(join(project.home, 'pwned'))).toBe(false);
  });

  test('a project can narrow: a ceiling on writes, a denied directory', () => {
    using project = new Project();
    project.write('src/a', 'a\n');
    project.write('secret/b', 'canary\n');
    project.write('holdfast.toml', 'version = 1\n[files]\nwrite = ["src"]\ndeny = ["secret"]\n');
    const { stdout } = project.inside('echo x >> src/a && echo wrote; echo y > other; cat secret/b; cat src/a');
    expect(stdout).toBe('wrote\na\nx\n');
    expect(existsSync(join(project.workspace, 'other'))).toBe(false);
  });
});

describe('workspaces', () => {
  test.each(['/', '/etc', '/usr', '/home'])('%s is refused', (root) => {
    using project = new Project();
    expectRefusal(
      project,
      project.holdfast(['run', '--workspace', root, '--', 'touch', 'ran']),
      /cannot be a workspace/u,
    );
  });

  test('the home directory and its parents are refused', () => {
    using project = new Project();
    expectRefusal(
      project,
      project.holdfast(['run', '--workspace', project.home, '--', 'touch', 'ran']),
      /whole home directory/u,
    );
    expectRefusal(
      project,
      project.holdfast(['run', '--workspace', project.root, '--', 'touch', 'ran']),
      /cannot be a workspace/u,
    );
  });

  test('a missing one and a file are refused', () => {
    using project = new Project();
    expectRefusal(project, project.holdfast(['run', '--workspace', '/no/such/place', '--', 'true']), /does not exist/u);
    project.write('file', '');
    expectRefusal(
      project,
      project.holdfast(['run', '--workspace', join(project.workspace, 'file'), '--', 'true']),
      /not a directory/u,
    );
  });

  test('names with newlines, quotes and spaces work', () => {
    using project = new Project();
    const odd = join(project.root, 'new\nline "quoted" ‮name');
    mkdirSync(odd);
    const result = project.holdfast(['run', '--', 'sh', '-c', 'echo fine > made; pwd'], { cwd: odd });
    expect(result).toMatchObject({ status: 0, stdout: `${odd}\n` });
    expect(readdirSync(odd)).toEqual(['made']);
  });

  test('a name that is not valid UTF-8 is refused', () => {
    using project = new Project();
    const script = `d=$(printf 'bad\\377'); mkdir -p "$d" && cd "$d" && exec "${binary}" run -- touch ran`;
    expectRefusal(project, project.outside('sh', ['-c', script]), /not valid UTF-8/u);
  });

  test('a grant through a symlink that a box could have made is refused', () => {
    using project = new Project();
    mkdirSync(join(project.root, 'outside'));
    symlinkSync(join(project.root, 'outside'), join(project.workspace, 'sub'));
    expectRefusal(
      project,
      project.holdfast(['run', '--write', join(project.workspace, 'sub'), '--', 'touch', 'ran']),
      /symlink/u,
    );
  });
});

describe('state', () => {
  test.skipIf(isRoot)('an unwritable state directory is refused', () => {
    using project = new Project();
    mkdirSync(join(project.home, '.local'), { mode: 0o500 });
    expectRefusal(project, project.holdfast(touch), /cannot be written/u);
    chmodSync(join(project.home, '.local'), 0o700);
  });

  test('a state directory that is a file is refused', () => {
    using project = new Project();
    project.write('../home/.local/state', '');
    expectRefusal(project, project.holdfast(touch), /cannot be written|cannot be used/u);
  });

  test.runIf(isRoot && has('mount'))('a full disk under the journal is refused, and the journal stays intact', () => {
    using project = new Project();
    mkdirSync(project.state, { recursive: true });
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', project.state]).status).toBe(0);
    try {
      expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
      spawnSync('sh', ['-c', `cat /dev/zero > "${project.state}/filler"`]);
      // The last page of the journal has room for some entries.
      let full = project.holdfast(['run', '--', 'true']);
      for (let tries = 0; tries < 30 && full.status === 0; tries++) full = project.holdfast(['run', '--', 'true']);
      expect(full).toMatchObject({ status: 125, stderr: expect.stringMatching(/disk is full/u) as string });
      rmSync(join(project.state, 'filler'));
      expect(project.holdfast(['audit', 'verify']).status).toBe(0);
    } finally {
      spawnSync('umount', [project.state]);
    }
  });
});

describe('command lines', () => {
  test.each([
    [['run'], /no command/u],
    [['run', '--'], /no command/u],
    [['run', '--bogus', '--', 'true'], /bogus/u],
    [['run', 'true'], /true/u],
    [['run', '--backend', 'vm', '--', 'true'], /expected a backend, got "vm"/u],
    [['frobnicate'], /no command "frobnicate"/u],
    [['learn', '--look', '/no/such/path', '--', 'true'], /--look names "\/no\/such\/path", which does not exist/u],
  ] as const)('%j is refused', (args, reason) => {
    using project = new Project();
    expectRefusal(project, project.holdfast(args), reason);
  });

  test.runIf(isRoot && has('setpriv'))('another user’s state directory is named', () => {
    using project = new Project();
    const state = join(project.home, '.local/state');
    project.outside('sh', [
      '-c',
      `mkdir -p ${state}; chmod 755 ${project.root}; chown -R 4711 ${project.root}; chown 0 ${state}; chmod 700 ${state}`,
    ]);
    const asUser = (...words: readonly string[]) =>
      project.outside('setpriv', ['--reuid', '4711', '--clear-groups', binary, ...words]);
    const named = /the state directory \S+ cannot be used \(EACCES\)/u;
    expect(asUser('doctor')).toMatchObject({ status: 1, stdout: expect.stringMatching(named), stderr: '' });
    expect(asUser('run', '--staged', '--', 'true')).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(named),
    });
  });

  test('a lack of descriptors is named, and no backend is blamed', () => {
    using project = new Project();
    const { status, stderr } = project.outside('sh', ['-c', `ulimit -n 25; exec ${binary} run -- true`]);
    expect({ status, stderr }).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/\(EMFILE\)\n.*`ulimit -n`/u),
    });
  });

  test('help lists the commands', () => {
    using project = new Project();
    expect(project.holdfast(['help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('doctor') as string,
    });
    expect(project.holdfast(['run', '--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('usage: holdfast run') as string,
    });
  });

  test.runIf(has('node'))('an old Node gets one clear line', () => {
    using project = new Project();
    const version = spawnSync('/usr/bin/env', ['node', '--version'], {
      encoding: 'utf8',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    }).stdout;
    if (!/^v(?:1\d|20)\./u.test(version)) return;
    const result = spawnSync('node', [join(import.meta.dirname, '../dist/holdfast.cjs'), 'run', '--', 'true'], {
      encoding: 'utf8',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    });
    expect(result).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/^holdfast: Node .* is too old: install Node 22\.18 or newer.*\n$/u) as string,
    });
    expect(project.root).not.toBe('');
  });
});
