import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { Project, repository } from './lib/holdfast.ts';

const bundle = 'completion.cjs';

/** An installation with one command, without compiled code. */
class Installed extends Project {
  readonly dist = join(this.root, 'dist');

  constructor() {
    super();
    mkdirSync(join(this.dist, 'cli'), { recursive: true });
    for (const file of ['holdfast.cjs', `cli/${bundle}`, 'completion'])
      cpSync(join(repository, 'dist', file), join(this.dist, file), { recursive: true });
    // The identity of an installation.
    mkdirSync(join(this.root, 'native/build'), { recursive: true });
    for (const file of ['Makefile', 'build/holdfast-launch']) writeFileSync(join(this.root, 'native', file), '');
  }

  run(flags: readonly string[] = [], words: readonly string[] = ['bash'], uid = process.getuid?.()): void {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...flags, join(this.dist, 'holdfast.cjs'), 'completion', ...words],
      { cwd: this.workspace, env: this.environment, uid, encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(words[0] === 'bash' ? '_holdfast_commands' : 'usage: holdfast completion');
  }

  /** The user's own state directory. */
  makeState(uid: number): string {
    const state = join(this.home, '.local/state/holdfast');
    mkdirSync(state, { recursive: true });
    chmodSync(this.root, 0o755);
    chownSync(state, uid, uid);
    return state;
  }

  get directories(): readonly string[] {
    return readdirSync(join(this.dist, 'compile-cache')).map((name) => join(this.dist, 'compile-cache', name));
  }

  /** The kept form of the bundle. */
  get kept(): string {
    return join(this.directories[0] ?? '', `${bundle}.bin`);
  }
}

/** The file's identity, and whether something rewrote it. */
function stamp(path: string): string {
  const { ino, mtimeNs } = lstatSync(path, { bigint: true });
  return `${ino} ${mtimeNs}`;
}

test('processes share compiled code, which no one else can write', () => {
  using installed = new Installed();
  installed.run();
  const first = stamp(installed.kept);
  expect([installed.kept, installed.directories[0] ?? ''].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o644, 0o755,
  ]);
  installed.run();
  expect(stamp(installed.kept)).toBe(first);
  expect(readdirSync(installed.directories[0] ?? '')).toEqual([`${bundle}.bin`]);
});

test('other flags of V8 have separate compiled code', () => {
  using installed = new Installed();
  installed.run();
  installed.run(['--no-opt']);
  expect(installed.directories).toHaveLength(2);
  const stamps = installed.directories.map((directory) => stamp(join(directory, `${bundle}.bin`)));
  installed.run();
  installed.run(['--no-opt']);
  expect(installed.directories.map((directory) => stamp(join(directory, `${bundle}.bin`)))).toEqual(stamps);
});

test('help, which runs almost nothing, leaves no compiled code', () => {
  using installed = new Installed();
  installed.run([], ['--help']);
  expect(readdirSync(installed.dist)).not.toContain('compile-cache');
});

test.each<[string, (kept: string) => void]>([
  ['is cut off', (kept) => writeFileSync(kept, readFileSync(kept).subarray(0, 1000))],
  ['is empty', (kept) => writeFileSync(kept, '')],
  [
    'is of another bundle',
    (kept) => {
      const bytes = readFileSync(kept);
      // The hash of the source, after V8's mark and version.
      bytes.writeUInt32LE((bytes.readUInt32LE(8) ^ 0xff) >>> 0, 8);
      writeFileSync(kept, bytes);
    },
  ],
  ['is no compiled code', (kept) => writeFileSync(kept, 'nothing that V8 has written'.repeat(1000))],
  ['may be written by others', (kept) => chmodSync(kept, 0o666)],
  [
    'is a link',
    (kept) => {
      renameSync(kept, `${kept}.other`);
      symlinkSync(`${kept}.other`, kept);
    },
  ],
  [
    'is a directory',
    (kept) => {
      rmSync(kept);
      mkdirSync(kept);
    },
  ],
  [
    'is a FIFO',
    (kept) => {
      rmSync(kept);
      spawnSync('mkfifo', [kept]);
    },
  ],
])('compiled code that %s is not used', (what, change) => {
  using installed = new Installed();
  installed.run();
  change(installed.kept);
  const before = stamp(installed.kept);
  installed.run();
  if (what === 'is a directory') return expect(lstatSync(installed.kept).isDirectory()).toBe(true);
  expect(stamp(installed.kept)).not.toBe(before);
  expect(lstatSync(installed.kept).isFile()).toBe(true);
  expect(statSync(installed.kept).mode & 0o777).toBe(0o644);
});

describe.runIf(process.getuid?.() === 0)('an installation by root', () => {
  const user = 61_234;

  test('is compiled for every user', () => {
    using installed = new Installed();
    installed.run();
    chmodSync(installed.root, 0o755);
    // A user who had to compile the bundle would keep it here.
    const own = installed.makeState(user);
    installed.run([], ['bash'], user);
    expect(readdirSync(own)).toEqual([]);
    rmSync(installed.kept);
    installed.run([], ['bash'], user);
    expect(readdirSync(own)).toEqual(['compile-cache']);
  });

  test('is compiled once by a user who cannot write to it', () => {
    using installed = new Installed();
    const own = installed.makeState(user);
    installed.run([], ['bash'], user);
    const [directory = ''] = readdirSync(join(own, 'compile-cache'));
    const kept = join(own, 'compile-cache', directory, `${bundle}.bin`);
    expect([kept, dirname(kept)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
    const first = stamp(kept);
    installed.run([], ['bash'], user);
    expect(stamp(kept)).toBe(first);
    expect(readdirSync(installed.dist)).not.toContain('compile-cache');
    chownSync(kept, 0, 0);
    chmodSync(kept, 0o644);
    installed.run([], ['bash'], user);
    expect(statSync(kept).uid).toBe(user);
  });

  test('ignores compiled code in a home of another user, even if root owns it', () => {
    using installed = new Installed();
    const own = installed.makeState(0);
    writeFileSync(join(installed.dist, 'compile-cache'), '');
    installed.run();
    const [directory = ''] = readdirSync(join(own, 'compile-cache'));
    const kept = join(own, 'compile-cache', directory, `${bundle}.bin`);
    // Control: root believes it while the home is root's.
    const forged = readFileSync(kept).subarray(0, 1000);
    writeFileSync(kept, forged);
    installed.run();
    expect(readFileSync(kept)).not.toEqual(forged);
    writeFileSync(kept, forged);
    chownSync(installed.home, user, user);
    installed.run();
    expect(readFileSync(kept)).toEqual(forged);
  });

  test('leaves nothing in the state directory of another user', () => {
    using installed = new Installed();
    writeFileSync(join(installed.dist, 'compile-cache'), '');
    const own = installed.makeState(user);
    installed.run();
    expect(readdirSync(own)).toEqual([]);
  });

  test('ignores compiled code that a user put in place of its own', () => {
    using installed = new Installed();
    installed.run();
    chownSync(installed.kept, user, user);
    const before = stamp(installed.kept);
    installed.run();
    expect(stamp(installed.kept)).not.toBe(before);
    expect(statSync(installed.kept).uid).toBe(0);
  });
});

test('a read-only installation works, and is compiled once', () => {
  using installed = new Installed();
  writeFileSync(join(installed.dist, 'compile-cache'), '');
  const own = join(installed.makeState(process.getuid?.() ?? 0), 'compile-cache');
  installed.run();
  const [directory = ''] = readdirSync(own);
  const first = stamp(join(own, directory, `${bundle}.bin`));
  installed.run();
  expect(stamp(join(own, directory, `${bundle}.bin`))).toBe(first);
  expect(readFileSync(join(installed.dist, 'compile-cache'), 'utf8')).toBe('');
});

test.each(['holdfast', 'lib/node_modules/holdfast'])(
  'a link to the bin script does not start %s beside it',
  (planted) => {
    using project = new Project();
    const script = join(repository, 'dist/holdfast.sh');
    const link = join(project.workspace, 'bin/holdfast');
    for (const directory of ['bin', `${planted}/dist`, `${planted}/native/build/linux-x64`])
      mkdirSync(join(project.workspace, directory), { recursive: true });
    for (const path of [link, join(project.workspace, planted, 'dist/holdfast.sh')]) symlinkSync(script, path);
    const programs = ['dist/holdfast.cjs', 'native/build/linux-x64/holdfast'].map((file) => `${planted}/${file}`);
    for (const program of programs) chmodSync(project.write(program, '#!/bin/sh\necho planted\n'), 0o755);
    expect(project.outside(link, ['--version']).stdout).toMatch(/^holdfast \d/u);
  },
);

test('a supervisor’s thread is compiled once, although the process does not wait for its end', () => {
  using project = new Project();
  const caches = join(repository, 'dist/compile-cache');
  const run = () => expect(project.holdfast(['run', '--backend', 'landlock', '--', 'true']).status).toBe(0);
  const kept = () =>
    readdirSync(caches).flatMap((key) =>
      readdirSync(join(caches, key)).flatMap((name) =>
        name === 'notify-thread.cjs.bin' ? [join(caches, key, name)] : [],
      ),
    );
  run();
  for (const file of kept()) rmSync(file);
  run();
  expect(kept()).not.toEqual([]);
});

test('compiled code of other versions is dropped after a month', () => {
  using installed = new Installed();
  const cache = join(installed.dist, 'compile-cache');
  for (const [name, days] of [
    ['outdated', 31],
    ['recent', 29],
  ] as const) {
    mkdirSync(join(cache, name), { recursive: true });
    const then = new Date(Date.now() - days * 86_400_000);
    utimesSync(join(cache, name), then, then);
  }
  installed.run();
  expect(readdirSync(cache)).toHaveLength(2);
  expect(readdirSync(cache)).toContain('recent');
});
