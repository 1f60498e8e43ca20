import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dealt } from '../scripts/testing/extent.ts';
import { backends, has, Project } from './lib/holdfast.ts';

/**
 * A move whose second path ends at the end of memory: the guard reads one block for both paths before it is complete.
 */
const atTheEdge = (name: string) =>
  `python3 -c 'import ctypes, mmap; l = ctypes.CDLL(None); m = mmap.mmap(-1, 8192); a = ctypes.addressof(ctypes.c_char.from_buffer(m)); l.mprotect(ctypes.c_void_p(a + 4096), 4096, 0); n = b"${name}" + bytes(1); m[4096 - len(n):4096] = n; open("a", "w").close(); raise SystemExit(l.rename(b"a", ctypes.c_void_p(a + 4096 - len(n))) != 0)'`;

const farAway = './'.repeat(200);

/** The call that makes a protected name, and the name. Each fails with the kernel's `EACCES` while the box runs. */
const creations: readonly (readonly [script: string, name: string])[] = [
  ['echo x > .envrc', '.envrc'],
  ['mkdir .vscode', '.vscode'],
  ['mkdir -p a/b/.husky', 'a/b/.husky'],
  ['mkfifo .envrc', '.envrc'],
  ['ln -s /usr/bin/true .envrc', '.envrc'],
  ['echo x > a; ln a .envrc', '.envrc'],
  ['echo x > a; mv a .envrc', '.envrc'],
  ['mkdir a; mv a .idea', '.idea'],
  ['echo x > .ENVRC', '.ENVRC'],
  ['echo x > .env', '.env'],
  ['echo x > a.CODE-workspace', 'a.CODE-workspace'],
  ['mkdir .iml', '.iml'],
  ['mkdir .GIT', '.GIT'],
  ['mkdir a; ln -s nowhere a/.git', 'a/.git'],
  ['mkdir a; cd a; echo x > ./../a/.envrc', 'a/.envrc'],
  ['mkdir a; ln -s a b; echo x > b/.envrc', 'a/.envrc'],
  ['mkdir a; ln -s a/.envrc b; echo x > b', 'a/.envrc'],
  ['ln -s .envrc a; ln -s a b; echo x > b', '.envrc'],
  ['mkdir -p node_modules/.bin; echo x > node_modules/.bin/git', 'node_modules/.bin/git'],
  ['mkdir .git/hooks/../../a; echo x > "$PWD/a/.envrc"', 'a/.envrc'],
  ['echo x > /proc/$$/cwd/.envrc', '.envrc'],
  ['ln -s /proc/self/cwd a; echo x > a/.envrc', '.envrc'],
  ['git init -q n; echo x > n/.git/hooks/pre-commit', 'n/.git/hooks/pre-commit'],
  ['git init -q n; cd n/.git/hooks; echo x > pre-commit', 'n/.git/hooks/pre-commit'],
  ['git init -q n; cd n/.git/hooks; mv pre-commit.sample pre-commit', 'n/.git/hooks/pre-commit'],
  ['git init -q n; cd n/.git/hooks; mkdir pre-commit.sample.d', 'n/.git/hooks/pre-commit.sample.d'],
  ['git init -q n; mkdir a; mv a n/.git/modules; echo x > n/.git/info/attributes', 'n/.git/info/attributes'],
  ['mkdir -p s/hooks n; echo x > s/hooks/pre-commit; mv s n/.git', 'n/.git'],
  ['mkdir -p s/info n; echo x > s/info/attributes; mv s n/.git', 'n/.git'],
  [
    'mkdir -p s/x; echo x > s/x/commondir; mv s/x .git/modules-like; mkdir -p .git/modules; mv .git/modules-like .git/modules/a',
    '.git/modules/a',
  ],
  ['mkdir -p a/workflows; mv a .github', '.github'],
  ['python3 -c \'import os; os.open(".envrc", os.O_CREAT | os.O_WRONLY, dir_fd=os.open(".", os.O_RDONLY))\'', '.envrc'],
  // The guard has another `/proc/self/fd`, and `/dev/fd` leads there.
  ...['/proc/self/fd/{fd}', '/proc/thread-self/fd/{fd}', '/dev/fd/{fd}', '/proc/self/cwd/'].map(
    (way) => [`python3 -c 'import os; fd = os.open(".", os.O_PATH); os.mkdir(f"${way}/.vscode")'`, '.vscode'] as const,
  ),
  // A new repository in a non-empty directory is no clone.
  ['mkdir a; echo x > a/b; git init -q a; mkdir a/.vscode', 'a/.vscode'],
  // AT_FDCWD -100, AT_SYMLINK_FOLLOW 0x400, RENAME_EXCHANGE 2.
  [
    'python3 -c \'import ctypes, os; fd = os.open(".", os.O_TMPFILE | os.O_RDWR); raise SystemExit(ctypes.CDLL(None).linkat(-100, f"/proc/self/fd/{fd}".encode(), -100, b".envrc", 0x400) != 0)\'',
    '.envrc',
  ],
  [
    'git init -q n; mkdir -p s/hooks; echo x > s/hooks/pre-commit; python3 -c \'import ctypes; raise SystemExit(ctypes.CDLL(None).renameat2(-100, b"n/.git", -100, b"s", 2) != 0)\'',
    'n/.git/hooks/pre-commit',
  ],
  [atTheEdge('.envrc'), '.envrc'],
  [`echo x > a; mv a ${farAway}.envrc`, '.envrc'],
  [`mkdir a; ln -s ${farAway}a/.envrc b; echo x > ${farAway}b`, 'a/.envrc'],
  [`mkdir -p a/workflows; mv ${farAway}a ${farAway}.github`, '.github'],
  // The guard's thread, and its process.
  [
    'for p in 1 2; do [ $p = $$ ] || for t in $(ls /proc/$p/task); do kill -STOP $t; kill -9 $t; done 2>/dev/null || true; done; mkdir .vscode',
    '.vscode',
  ],
  // PR_SET_DUMPABLE 4: a program that nobody may inspect.
  ['python3 -c \'import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); open(".envrc", "w")\'', '.envrc'],
];

/** A packed repository with such files, because a test's workspace has none. */
const upstream =
  'git init -q up && cd up && b=$(echo x | git hash-object -w --stdin) && git update-index --add --cacheinfo 100644,$b,.github/workflows/ci.yml --cacheinfo 100644,$b,.vscode/settings.json && git -c user.name=x -c user.email=x commit -qm one && cd ..';

const working: readonly (readonly [name: string, script: string])[] = [
  [
    'files and directories of other names',
    'mkdir -p a/b && echo x > a/b/c && mv a d && ln -s d e && ln d/b/c f && echo y > e/b/c && cat f',
  ],
  ['names that look alike', 'echo x > .env.example && echo x > envrc && mkdir .vscoder && mkdir gitconfig'],
  ['a move between names of which one ends where memory does', `${atTheEdge('envrc')} && cat envrc`],
  [
    'files of packages',
    'mkdir -p node_modules/p/.vscode && echo x > node_modules/p/.vscode/settings.json && echo x > node_modules/p/.npmrc',
  ],
  ['a package that leaves its directory', 'mkdir -p node_modules/a/b && mv -T node_modules/a c && test -d c/b'],
  [
    'a branch with any name',
    'git init -q n && git -C n -c user.name=x -c user.email=x commit -q --allow-empty -m a && git -C n branch jenkinsfile && git -C n branch deploy_key',
  ],
  ['an existing protected directory', 'mkdir -p .zed'],
  [
    'a repository of its own',
    'git init -q n && cd n && git config user.name x && git config user.email x && echo x > f && git add f && git commit -qm one && git branch b && git worktree add -q ../w b && git clone -q . ../c && git -C ../c log --oneline',
  ],
  [
    'a submodule',
    'git init -q n && git -C n -c user.name=x -c user.email=x commit -q --allow-empty -m one && git init -q m && cd m && git -c protocol.file.allow=always submodule --quiet add ../n s && git status --short',
  ],
  [
    'a clone with workflows and editor settings in it',
    `${upstream}; git clone -q up down && cat down/.github/workflows/ci.yml down/.vscode/settings.json && git -C up worktree add -q ../w && cat w/.github/workflows/ci.yml && rm -rf down w up`,
  ],
  [
    'a name beside a descriptor, when hooks were made (Claude Code)',
    'git init -q n && python3 -c \'import os; fd = os.open(".", os.O_PATH); [os.mkdir(path) for path in (f"/proc/self/fd/{fd}/a", f"/dev/fd/{fd}//b", "/proc/self/cwd/c")]\' && ls -d a b c',
  ],
  ['a bare repository', 'git init -q --bare b.git && git clone -q b.git c'],
  ['private directories of the box', 'echo x > /tmp/.envrc && mkdir /tmp/.vscode && mkdir "$HOME/.cache" 2>&1 || true'],
];

const asBefore = 'version = 1\n[files]\nnew_protected = "quarantine"\n';

test.each(dealt(creations, 3))('control: without the guard, only the final search finds the name: %s', (script) => {
  using project = new Project();
  project.write('../home/.config/holdfast/policy.toml', asBefore);
  expect(project.inside(`set -e; ${script}; echo made`).stdout).toContain('made');
  expect(quarantined(project)).not.toEqual([]);
});

describe.each(backends.filter((name) => name === 'native' || has('bwrap')))('a protected name on %s', (backend) => {
  const flags = ['--backend', backend];

  test.each(dealt(creations, 2, backends.indexOf(backend)))('is refused when it is made: %s', (script, name) => {
    using project = new Project();
    const result = project.inside(`set -e; ${script}; echo made`, flags);
    expect(result.stdout).not.toContain('made');
    expect(result.status).not.toBe(0);
    expect(isThere(join(project.workspace, name))).toBe(false);
    expect(quarantined(project)).toEqual([]);
  });

  test.each(working)('is not confused with another name: %s', (_name, script) => {
    using project = new Project();
    project.write('.zed/settings.json', '{}');
    const result = project.inside(`set -e; ${script}; echo made`, flags);
    expect(result.stderr).not.toMatch(/denied/iu);
    expect(result.stdout).toMatch(/made\n$/u);
    expect(quarantined(project)).toEqual([]);
  });

  test('is named with its reason, in the output and in the journal', () => {
    using project = new Project();
    const result = project.inside('mkdir .vscode 2>/dev/null; mkdir .vscode 2>/dev/null; true', flags);
    expect(result.stderr).toMatch(/creating .*\/ws\/\.vscode is refused: .*editor.*files\.release/u);
    expect(result.stderr.match(/is refused/gu)).toHaveLength(1);
    const entries = journal(project).filter(({ type }) => type === 'refusal');
    expect(entries).toMatchObject([
      {
        observed: 'enforcement',
        request: { kind: 'file', operation: 'create', path: join(project.workspace, '.vscode') },
      },
    ]);
  });

  test('may be made if the policy releases it, and is moved away at the end if the policy says so', () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[files]\nrelease = [".vscode"]\n');
    expect(project.inside('mkdir .vscode && echo made', flags).stdout).toBe('made\n');
    project.write('../home/.config/holdfast/policy.toml', asBefore);
    const result = project.inside('echo x > .envrc && echo made', flags);
    expect(result.stdout).toBe('made\n');
    expect(quarantined(project)).toHaveLength(1);
    expect(isThere(join(project.workspace, '.envrc'))).toBe(false);
  });

  /** Attack: a directory in which more names begin than the guard follows. */
  test('is refused where more than 256 names have begun', () => {
    using project = new Project();
    const names = Array.from({ length: 300 }, (_, number) => `"**/many/n${number}"`);
    project.write('../home/.config/holdfast/policy.toml', `version = 1\n[files]\nprotect = [${names.join(', ')}]\n`);
    const made = project.inside(
      'mkdir many plain; echo x > plain/n7 && echo made; for name in n7 n299; do echo x > many/$name && echo made; mkdir many/$name && echo made; done',
      flags,
    );
    expect(made.stdout).toBe('made\n');
    expect(project.inside('mkdir -p a/other/n7; mv a/other many && echo made', flags).stdout).toBe('');
    project.write('../home/.config/holdfast/policy.toml', asBefore);
  });

  test('is refused by patterns with a wildcard at either end, or at both', () => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[files]\nprotect = ["**/*.kee?", "**/?oat", "**/*stra\u00df", "**/wild*"]\n',
    );
    const refused = [
      'a.keep',
      '.KEEN',
      'a.kee\u00e9',
      'goat',
      '\u00e4OAT',
      'stra\u00df',
      'hauptSTRA\u00df',
      'wild',
      'WILDlife',
    ];
    const made = ['a.kee', 'oat', 'aaoat', 'strasse', 'awild', 'keep'];
    const result = project.inside(
      [...refused, ...made].map((name) => `mkdir ${name} 2>/dev/null && echo ${name}`).join('; '),
      flags,
    );
    expect(result.stdout.trim().split('\n')).toEqual(made);
  });

  test('from a new repository may be made there, may not be moved out, and is judged at the end', () => {
    using project = new Project();
    const result = project.inside(
      'git init -q a && mkdir a/.vscode && echo made; mv a/.vscode .vscode || echo refused',
      flags,
    );
    expect(result.stdout).toBe('made\nrefused\n');
    expect(quarantined(project)).toEqual([join(project.workspace, 'a/.vscode')]);
    expect(isThere(join(project.workspace, '.vscode'))).toBe(false);
  });

  test('is refused in a workspace that becomes a repository', () => {
    using project = new Project();
    project.outside('rm', ['-rf', '.git']);
    const result = project.holdfast([
      'run',
      ...flags,
      '--workspace',
      project.workspace,
      '--',
      'sh',
      '-c',
      'git init -q . && mkdir .vscode || echo refused',
    ]);
    expect(result.stdout).toBe('refused\n');
  });

  test('is refused to a thousand processes at once, and other names are not', () => {
    using project = new Project();
    const result = project.inside(
      'i=0; while [ $i -lt 1000 ]; do (mkdir d$i; mkdir .vscode 2>/dev/null && echo made; true) & i=$((i+1)); done; wait; ls -d d* | wc -l',
      flags,
    );
    expect(result.stdout.trim()).toBe('1000');
  });

  test('is refused while another process waits for a FIFO', () => {
    using project = new Project();
    const script =
      'mkfifo f; (echo x > f) & sleep 0.2; mkdir .vscode || echo refused; mkdir a && echo made; cat f; wait';
    expect(project.inside(script, flags).stdout).toBe('refused\nmade\nx\n');
  });
});

describe.each([
  ['commands', '[commands]\ndeny = ["curl"]'],
  ['files', '[[file]]\nname = "seen"\ndecision = "audit"\npaths = ["seen"]'],
])('with a supervisor for rules about %s', (_, rules) => {
  const names = ['.env', '.envrc', '.vscode', 'customers'];
  const made = (more: string): readonly string[] => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      `version = 1\n[files]\ndeny = ["**/customers"]\n${more}${rules}\n`,
    );
    const { stdout } = project.inside(names.map((name) => `mkdir ${name} && echo ${name}`).join('; '));
    expect(names.filter((name) => existsSync(join(project.workspace, name)))).toEqual([]);
    return stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '');
  };

  test('protected and hidden names, and those of a deny list, are refused at once', () => {
    expect(made('')).toEqual([]);
  });

  test('they are made and moved away if the policy says so', () => {
    expect(made('new_protected = "quarantine"\n')).toEqual(names);
  });
});

function isThere(path: string): boolean {
  return (
    existsSync(path) ||
    readdirSync(join(path, '..'), { withFileTypes: true }).some(({ name }) => path.endsWith(`/${name}`))
  );
}

function quarantined(project: Project): readonly string[] {
  return journal(project).flatMap(({ type, path }) => (type === 'quarantine' ? [String(path)] : []));
}

function journal(project: Project): readonly Record<string, unknown>[] {
  const lines = readFileSync(join(project.state, 'journal.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
