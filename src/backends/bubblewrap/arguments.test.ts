import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import { directory, fullPlan, planWith } from '../testing/plan.ts';
import { bubblewrapCommand, bubblewrapLauncher } from './bubblewrap.ts';

const places = { bwrap: '/usr/bin/bwrap', launcher: '/opt/holdfast/holdfast-launch', hidden: [] };
const command = (mounts: readonly Mount[]) => bubblewrapCommand(planWith({ mounts }), places);

/** The words of one mount, without what stands around the mounts. */
function wordsOf(mount: Mount): string {
  const [empty, one] = [command([]).words, command([mount]).words];
  const before = empty.indexOf('--ro-bind');
  return one.slice(before, before + one.length - empty.length).join(' ');
}

const bind = {
  kind: 'bind',
  source: '/from',
  target: '/to',
  access: 'read-only',
  ownership: 'as-is',
  identity: directory,
  presence: 'required',
} as const;

describe('bubblewrapCommand', () => {
  test('unshares everything, keeps two capabilities for the launcher alone and dies with the launcher', () => {
    const { words } = command([]);
    expect(words[0]).toBe('/usr/bin/bwrap');
    expect(words.slice(1, words.indexOf('--ro-bind'))).toEqual([
      '--unshare-all',
      '--unshare-user',
      '--die-with-parent',
      '--cap-drop',
      'ALL',
      '--cap-add',
      'CAP_SYS_PTRACE',
      '--cap-add',
      'CAP_SETPCAP',
    ]);
    expect(words).not.toContain('--share-net');
  });

  test('ends with the launcher in place and a read-only root', () => {
    const { words } = bubblewrapCommand(fullPlan, places);
    expect(
      words
        .slice(words.lastIndexOf('--ro-bind'))
        .join(' ')
        .replace(/@data:\d+ /u, ''),
    ).toBe(
      [
        `--ro-bind ${places.launcher} ${bubblewrapLauncher}`,
        '--perms 0755 --tmpfs /run/holdfast/masks --perms 0000 --file /run/holdfast/masks/file',
        '--perms 0000 --dir /run/holdfast/masks/directory --remount-ro /run/holdfast/masks',
        `--remount-ro / -- ${bubblewrapLauncher} inner`,
      ].join(' '),
    );
    expect(words.slice(words.indexOf('--') + 1)).toEqual([bubblewrapLauncher, 'inner']);
  });

  test('keeps the order of mounts, because later ones lie on earlier ones', () => {
    const { words } = bubblewrapCommand(fullPlan, places);
    const at = fullPlan.mounts.map((mount) => words.lastIndexOf(mount.target));
    expect(at).not.toContain(-1);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
  });

  test.each<[Mount, string]>([
    // What is found in a mount is protected at once: what lies deeper comes later, and must not be covered.
    [bind, '--ro-bind /from /to @protect:/to'],
    [{ ...bind, access: 'read-write' }, '--bind /from /to @protect:/to'],
    [{ ...bind, presence: 'optional' }, '--ro-bind-try /from /to @protect:/to'],
    [{ ...bind, access: 'read-write', presence: 'optional' }, '--bind-try /from /to @protect:/to'],
    [
      { kind: 'overlay', lower: '/cache', target: '/cache', identity: directory },
      '--ro-bind /cache /cache @protect:/cache',
    ],
    [{ kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1000.5 }, '--perms 1777 --size 1000 --tmpfs /tmp'],
    [{ kind: 'tmpfs', target: '/x', mode: 0o700, size: 0 }, '--perms 0700 --tmpfs /x'],
    [{ kind: 'proc', target: '/proc' }, '--proc /proc --remount-ro /proc'],
    [
      { kind: 'devices', target: '/dev', shmSize: 5 },
      '--dev /dev --perms 1777 --size 5 --tmpfs /dev/shm --remount-ro /dev',
    ],
    [{ kind: 'directory', target: '/run', mode: 0o755 }, '--perms 0755 --dir /run'],
    [{ kind: 'symlink', target: '/bin', to: 'usr/bin' }, '--symlink usr/bin /bin'],
    [{ kind: 'mask', target: '/secret', type: 'directory' }, '--perms 0000 --tmpfs /secret --remount-ro /secret'],
    [{ kind: 'mask', target: '/secret', type: 'file' }, '--perms 0000 --ro-bind-data @data:0 /secret'],
    [{ kind: 'mask', target: '/secret', type: 'other' }, '--perms 0000 --ro-bind-data @data:0 /secret'],
    [{ kind: 'file', target: '/f', mode: 0o444, content: 'text' }, '--perms 0444 --ro-bind-data @data:0 /f'],
  ])('renders %o', (mount, words) => {
    expect(wordsOf(mount)).toBe(words);
  });

  test('lays a mask over each fact of the kernel, after the mounts', () => {
    const { words } = bubblewrapCommand(fullPlan, { ...places, hidden: ['/proc/keys'] });
    const at = words.indexOf('/proc/keys');
    expect(words.slice(at - 4, at)).toEqual([
      '--perms',
      '0000',
      '--ro-bind-data',
      expect.stringMatching(/^@data:\d+$/u),
    ]);
    expect(at).toBeGreaterThan(words.lastIndexOf('--proc'));
  });

  test('hides the same paths as the native launcher', () => {
    const [, list = ''] = /facts\[\] = \{(.*)\};/u.exec(readFileSync('native/src/launch/root/root.c', 'utf8')) ?? [];
    const [, own = ''] =
      /kernelFacts = \[(.*)\]/u.exec(readFileSync('src/backends/bubblewrap/bubblewrap.ts', 'utf8')) ?? [];
    expect(list).not.toBe('');
    expect(own.replaceAll("'", '"')).toBe(list);
  });

  test('numbers the contents that words stand for', () => {
    const { words, data } = command([
      { kind: 'file', target: '/one', mode: 0o444, content: '1' },
      { kind: 'mask', target: '/two', type: 'file' },
      { kind: 'file', target: '/three', mode: 0o444, content: '3' },
    ]);
    expect(words.filter((word) => word.startsWith('@data:'))).toEqual(['@data:0', '@data:1', '@data:2', '@data:3']);
    expect(data.map(String)).toEqual(['1', '', '3', '']);
    expect(words.at(words.indexOf('@data:3') + 1)).toBe('/run/holdfast/masks/file');
  });

  // The launcher replaces `@protect:/x` and `@data:N` wherever they stand.
  test.each(['@protect:/', '@data:0'])('never lets a link whose text is %s pass for the word of the launcher', (to) => {
    const { words } = command([{ kind: 'symlink', target: '/link', to }]);
    // That of the file which the launcher covers names with.
    expect(words.filter((word) => word.startsWith('@'))).toEqual(['@data:0']);
    expect(words.at(words.indexOf('@data:0') - 1)).toBe('--file');
    expect(words[words.indexOf('--symlink') + 1]).toBe(`./${to}`);
  });

  test('passes nothing of the command, which the inner launcher starts', () => {
    const { words } = bubblewrapCommand(fullPlan, places);
    expect(words).not.toContain('echo ünïcödé');
    expect(words.filter((word) => word.startsWith('--setenv') || word.startsWith('--chdir'))).toEqual([]);
  });
});

test('a directory that belongs to one command is read-only once its files are in it', () => {
  const plan = planWith({
    mounts: [
      { kind: 'tmpfs', target: '/srv/project/.claude', mode: 0o755, size: 0, made: 'late' },
      { kind: 'file', target: '/srv/project/.claude/a.md', mode: 0o444, content: 'a' },
    ],
  });
  const { words } = bubblewrapCommand(plan, places);
  const at = (word: string, target: string): number =>
    words.findIndex((each, index) => each === word && words[index + (word === '--ro-bind-data' ? 2 : 1)] === target);
  expect(at('--tmpfs', '/srv/project/.claude')).toBeGreaterThan(0);
  expect(at('--ro-bind-data', '/srv/project/.claude/a.md')).toBeGreaterThan(at('--tmpfs', '/srv/project/.claude'));
  expect(at('--remount-ro', '/srv/project/.claude')).toBeGreaterThan(at('--ro-bind-data', '/srv/project/.claude/a.md'));
});
