import { describe, expect, test } from 'vitest';
import { bindMounts } from './bind-mounts.ts';

const line = (device: string, root: string, path: string): string =>
  `36 35 ${device} ${root} ${path} rw - ext4 /dev/x rw`;
const table = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const whole = line('254:0', '/', '/');

describe('bind mounts', () => {
  test.each([
    ['a directory of the root', [line('254:0', '/w/.git/hooks', '/w/y')], '/w/.git/hooks'],
    ['a file', [line('254:0', '/w/.env', '/w/y')], '/w/.env'],
    ['escaped names', [line('254:0', '/w/a\\040b\\134c', '/w/y')], '/w/a b\\c'],
    ['a file system mounted elsewhere', [line('8:1', '/', '/data'), line('8:1', '/x', '/w/y')], '/data/x'],
    ['a part of a part', [line('8:1', '/x', '/data'), line('8:1', '/x/.ssh', '/w/y')], '/data/.ssh'],
    ['what nothing else shows', [line('8:1', '/x/.ssh', '/w/y')], '/x/.ssh'],
  ])('of %s are found', (_, lines, source) => {
    expect(bindMounts(table(whole, ...lines)).find(({ path }) => path === '/w/y')?.sources).toContain(source);
  });

  // Attack: each of two mounts is the other's source, and so neither name is protected.
  test('of one directory have its own path, in any number', () => {
    const [one, other] = ['/w/a', '/w/b'].map((path) => line('254:0', '/w/.git/hooks', path));
    for (const { sources } of bindMounts(table(whole, one ?? '', other ?? '')))
      expect(sources).toContain('/w/.git/hooks');
    const around = line('254:0', '/w/.git', '/w/c');
    expect(bindMounts(table(whole, around, one ?? '')).find(({ path }) => path === '/w/a')?.sources).toContain(
      '/w/.git/hooks',
    );
  });

  test('of a workspace in /run or /dev/shm count', () => {
    const lines = [line('0:30', '/', '/run'), line('0:30', '/w/.env', '/run/w/plain')];
    expect(bindMounts(table(whole, ...lines))).toContainEqual({
      path: '/run/w/plain',
      sources: expect.arrayContaining(['/run/w/.env']),
    });
  });

  test.each([
    ['whole file systems', [line('8:1', '/', '/w/disk')]],
    ['a mount over itself', [line('254:0', '/w', '/w')]],
    ['an empty table', ['']],
  ])('are not %s', (_, lines) => {
    expect(bindMounts(table(whole, ...lines))).toEqual([]);
  });

  test('of this machine can be read', () => {
    expect(Array.isArray(bindMounts())).toBe(true);
  });
});
