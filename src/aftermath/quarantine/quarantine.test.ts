import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { git, plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { quarantineAppeared, type Quarantine } from './quarantine.ts';

interface Scene {
  readonly root: string;
  readonly directory: string;
  readonly quarantine: (...names: readonly (string | Buffer)[]) => Quarantine;
}

/** A writable root, a state directory beside it, and the sweep's end of it. */
function scene(state = scratchDirectory()): Scene {
  const root = join(scratchDirectory(), 'root');
  mkdirSync(root);
  const directory = join(state, 'session');
  const paths = (names: readonly (string | Buffer)[]) =>
    names.map((name) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]));
  return {
    root,
    directory,
    quarantine: (...names) => quarantineAppeared(paths(names), { directory, roots: [root], gitDirectories: [] }),
  };
}

/** A directory of another file system, or undefined where there is none that may be written. */
function otherFileSystem(): string | undefined {
  const place = '/dev/shm';
  if (!existsSync(place) || statSync(place).dev === statSync(scratchDirectory()).dev) return undefined;
  const directory = realpathSync.native(mkdtempSync(join(place, 'holdfast-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

describe('quarantineAppeared', () => {
  test('moves refused files and leaves files made by git', () => {
    const { root, directory, quarantine } = scene();
    git(root, 'init', '-q');
    plant(root, { 'a/.envrc': 'evil' });
    const { moved, left } = quarantine('.git', '.git/config', '.git/hooks', 'a/.envrc');
    expect(left).toEqual([]);
    expect(moved).toEqual([
      {
        path: join(root, 'a/.envrc'),
        movedTo: join(directory, '1/.envrc'),
        reason: '.envrc may run or redirect something outside the box',
      },
    ]);
    expect(readFileSync(join(directory, '1/.envrc'), 'utf8')).toBe('evil');
    expect(readdirSync(root).toSorted()).toEqual(['.git', 'a']);
    expect(readdirSync(join(root, '.git'))).toContain('hooks');
    expect(readdirSync(join(root, 'a'))).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test('makes no directory when nothing has to move', () => {
    const { directory, quarantine } = scene();
    expect(quarantine()).toEqual({ moved: [], left: [] });
    expect(quarantine('gone/.envrc', '.envrc')).toEqual({ moved: [], left: [] });
    expect(existsSync(directory)).toBe(false);
  });

  test('moves a directory with its contents, and finds its parts gone', () => {
    const { root, quarantine } = scene();
    plant(root, { '.claude/settings.json': 'evil', '.claude/hooks/x': 'x' });
    const { moved } = quarantine('.claude', '.claude/hooks', '.claude/settings.json');
    expect(moved).toHaveLength(1);
    expect(readFileSync(join(moved[0]?.movedTo ?? '', 'settings.json'), 'utf8')).toBe('evil');
    expect(readdirSync(root)).toEqual([]);
  });

  test('keeps both when the same name appears twice in a session', () => {
    const { root, directory, quarantine } = scene();
    for (const text of ['first', 'second']) {
      plant(root, { '.claude/x': text });
      expect(quarantine('.claude').moved).toHaveLength(1);
    }
    expect(['1', '2'].map((number) => readFileSync(join(directory, number, '.claude/x'), 'utf8'))).toEqual([
      'first',
      'second',
    ]);
  });

  // Attack: a link goes to quarantine first, and what comes later under that name is put through it.
  test('never moves through a link that it moved before', () => {
    const { root, quarantine } = scene();
    const outside = scratchDirectory();
    symlinkSync(outside, join(root, '.claude'));
    const first = quarantine('.claude').moved[0]?.movedTo ?? '';
    expect(readlinkSync(first)).toBe(outside);
    plant(root, { '.claude/settings.json': 'evil' });
    quarantine('.claude/settings.json', '.claude');
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
  });

  test('moves a link itself, not its target', () => {
    const { root, quarantine } = scene();
    const victim = join(scratchDirectory(), 'victim');
    writeFileSync(victim, 'keep');
    symlinkSync(victim, join(root, '.envrc'));
    expect(quarantine('.envrc').moved).toHaveLength(1);
    expect(readFileSync(victim, 'utf8')).toBe('keep');
    expect(readdirSync(root)).toEqual([]);
  });

  // Attack: another box in the same workspace turns a directory into a link between the sweep and the move.
  test('touches nothing behind a link on the way', () => {
    const { root, directory, quarantine } = scene();
    const outside = scratchDirectory();
    plant(outside, { '.envrc': 'mine', 'deep/.envrc': 'mine' });
    symlinkSync(outside, join(root, 'a'));
    expect(quarantine('a/.envrc', 'a/deep/.envrc')).toEqual({ moved: [], left: [] });
    expect(readFileSync(join(outside, '.envrc'), 'utf8')).toBe('mine');
    expect(existsSync(directory)).toBe(false);
  });

  // Attack: as text the path would name another file, which is not there and so would pass for harmless.
  test('finds names that are no UTF-8', () => {
    const { root, directory, quarantine } = scene();
    execFileSync(
      'sh',
      [
        '-c',
        'd=$(printf "d\\377"); mkdir -p "$d/.git/hooks"; touch "$d/.envrc" "$d/.git/hooks/pre-commit" "$(printf "\\376.iml")"',
      ],
      { cwd: root },
    );
    const bad = Buffer.from([0x64, 0xff]);
    const { moved, left } = quarantine(
      Buffer.concat([bad, Buffer.from('/.envrc')]),
      Buffer.concat([bad, Buffer.from('/.git/hooks')]),
      Buffer.from([0xfe, ...Buffer.from('.iml')]),
    );
    expect(left).toEqual([]);
    expect(moved.map(({ path, movedTo }) => [path, movedTo])).toEqual([
      [`${root}/d%FF/.envrc`, join(directory, '1/.envrc')],
      [`${root}/d%FF/.git/hooks`, join(directory, '2/hooks')],
      [`${root}/%FE.iml`, join(directory, '3/%FE.iml')],
    ]);
    expect(readdirSync(join(directory, '2/hooks'))).toEqual(['pre-commit']);
  });

  test('moves a name that becomes too long as text', () => {
    const { directory, root, quarantine } = scene();
    const name = Buffer.concat([Buffer.alloc(200, 0xff), Buffer.from('.iml')]);
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), '');
    expect(quarantine(name)).toMatchObject({ moved: [{ movedTo: join(directory, '1/item') }], left: [] });
  });

  test('moves a FIFO and a socket without waiting for anybody', () => {
    const { root, quarantine } = scene();
    execFileSync('mkfifo', [join(root, '.envrc')]);
    expect(quarantine('.envrc').moved).toHaveLength(1);
    expect(readdirSync(root)).toEqual([]);
  });

  // Attack: what was planted, and the directory around it, is made read-only.
  test('moves files that a box made read-only', () => {
    const { root, quarantine } = scene();
    plant(root, { 'a/.envrc': 'x', 'b/.claude/x': 'x' });
    for (const name of ['a', 'b', 'b/.claude']) chmodSync(join(root, name), 0o555);
    expect(quarantine('a/.envrc', 'b/.claude')).toMatchObject({ moved: [{}, {}], left: [] });
    expect([readdirSync(join(root, 'a')), readdirSync(join(root, 'b'))]).toEqual([[], []]);
  });

  test('gives another name where the state directory cannot take it', () => {
    const { root, directory, quarantine } = scene();
    writeFileSync(directory, 'a file is there');
    plant(root, { 'a/.envrc': 'one', 'a/.envrc.refused-by-holdfast': 'older' });
    expect(quarantine('a/.envrc')).toMatchObject({
      moved: [{ movedTo: join(root, 'a/.envrc.refused-by-holdfast.2') }],
      left: [],
    });
    expect(readFileSync(join(root, 'a/.envrc.refused-by-holdfast.2'), 'utf8')).toBe('one');
    expect(readFileSync(join(root, 'a/.envrc.refused-by-holdfast'), 'utf8')).toBe('older');
  });

  test('names the files that it cannot move, and moves the others', () => {
    const { root, directory, quarantine } = scene();
    writeFileSync(directory, 'a file is there');
    const long = `${'x'.repeat(251)}.iml`;
    plant(root, { [long]: '', '.envrc': '' });
    expect(quarantine(long, '.envrc')).toMatchObject({
      left: [{ path: join(root, long), cause: { code: 'ENAMETOOLONG' } }],
      moved: [{ path: join(root, '.envrc') }],
    });
  });
});

describe.skipIf(!otherFileSystemExists())(
  `to another file system${otherFileSystemExists() ? '' : ' (NOT TRIED: this machine shows only one)'}`,
  () => {
    test('copies a tree whole, with links as links, and then removes the original', () => {
      const { root, quarantine } = scene(otherFileSystem());
      const outside = scratchDirectory();
      plant(outside, { keep: 'keep' });
      plant(root, { '.claude/a/b/c.sh': '#!/bin/sh\n', '.claude/empty/': '' });
      chmodSync(join(root, '.claude/a/b/c.sh'), 0o755);
      symlinkSync(outside, join(root, '.claude/link'));
      execFileSync('sh', ['-c', 'mkfifo fifo; touch "$(printf "n\\377")"'], { cwd: join(root, '.claude') });
      chmodSync(join(root, '.claude/a'), 0o555);
      const { moved, left } = quarantine('.claude');
      expect(left).toEqual([]);
      const copy = moved[0]?.movedTo ?? '';
      expect(readFileSync(join(copy, 'a/b/c.sh'), 'utf8')).toBe('#!/bin/sh\n');
      expect(statSync(join(copy, 'a/b/c.sh')).mode & 0o111).not.toBe(0);
      expect(lstatSync(join(copy, 'link')).isSymbolicLink()).toBe(true);
      expect(
        readdirSync(copy, { encoding: 'buffer' })
          .map((name) => name.toString('latin1'))
          .toSorted(),
      ).toEqual(['a', 'empty', 'link', 'n\xff']);
      expect(readdirSync(root)).toEqual([]);
      expect(readdirSync(outside)).toEqual(['keep']);
    });

    test('leaves more than 256 MiB where it is, under another name', () => {
      const { root, directory, quarantine } = scene(otherFileSystem());
      plant(root, { '.claude/small': 'x' });
      execFileSync('truncate', ['-s', '257M', join(root, '.claude/large')]);
      expect(quarantine('.claude')).toMatchObject({
        moved: [{ movedTo: join(root, '.claude.refused-by-holdfast') }],
        left: [],
      });
      expect(readdirSync(join(root, '.claude.refused-by-holdfast')).toSorted()).toEqual(['large', 'small']);
      expect(readdirSync(directory)).toEqual([]);
    });

    // Attack: a directory of the tree is turned into a link again and again while it is copied and removed.
    test('never leaves the tree that it removes', async () => {
      const { root, quarantine } = scene(otherFileSystem());
      const victim = scratchDirectory();
      plant(victim, Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}/file`, 'mine'])));
      const script = `cd ${root}; while :; do mkdir -p .claude/d/1; mv .claude/d aside; ln -s ${victim} .claude/d; rm -f .claude/d; rm -rf aside; done`;
      const racer = spawn('sh', ['-c', script], { stdio: 'ignore' });
      for (let round = 0; round < 60; round += 1) {
        plant(root, { '.claude/x': 'x', '.claude/z/y': 'y' });
        quarantine('.claude');
      }
      racer.kill('SIGKILL');
      expect(readdirSync(victim)).toHaveLength(50);
      expect(readdirSync(victim).every((name) => existsSync(join(victim, name, 'file')))).toBe(true);
    });
  },
);

function otherFileSystemExists(): boolean {
  const there = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(import.meta.dirname).dev;
  if (!there) console.warn('skipped: moves to another file system, because /dev/shm is none');
  return there;
}

test.runIf(process.getuid?.() === 0)('the same as an ordinary user, for whom permissions count', () => {
  const script = `
    import { quarantineAppeared } from '${join(import.meta.dirname, 'quarantine.ts')}';
    import { chmodSync, mkdirSync, writeFileSync, readdirSync } from 'node:fs';
    const [root, directory] = process.argv.slice(1);
    mkdirSync(root + '/a/.claude/deep', { recursive: true });
    mkdirSync(root + '/b/.git/hooks', { recursive: true });
    writeFileSync(root + '/a/.envrc', 'x'); writeFileSync(root + '/a/.claude/deep/x', 'x'); writeFileSync(root + '/b/.git/hooks/pre-commit', 'x');
    for (const name of ['a/.claude/deep', 'a/.claude', 'a']) chmodSync(root + '/' + name, 0o555);
    chmodSync(root + '/b/.git/hooks', 0);
    const { moved, left } = quarantineAppeared(['a/.envrc', 'a/.claude', 'b/.git/hooks'].map((name) => Buffer.from(root + '/' + name)), { directory, roots: [root], gitDirectories: [] });
    console.log(JSON.stringify({ moved: moved.map(({ movedTo }) => movedTo.startsWith(directory)), left: left.map(({ cause }) => String(cause)), rest: [readdirSync(root + '/a'), readdirSync(root + '/b/.git')] }));
  `;
  for (const state of [scratchDirectory(), otherFileSystem() ?? scratchDirectory()]) {
    const root = scratchDirectory();
    for (const path of [root, state]) chmodSync(path, 0o777);
    const stdout = execFileSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', script, join(root, 'r'), join(state, 'session')],
      { uid: 65_534, gid: 65_534, encoding: 'utf8', cwd: '/' },
    );
    const result = JSON.parse(stdout) as { moved: boolean[]; left: string[]; rest: string[][] };
    expect(result.left).toEqual([]);
    expect(result.moved).toHaveLength(3);
    expect(result.rest.flat().filter((name) => !name.endsWith('.refused-by-holdfast'))).toEqual([]);
  }
});
