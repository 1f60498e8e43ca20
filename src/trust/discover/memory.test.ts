import type { Stats } from 'node:fs';
import { expect, test } from 'vitest';
import { isSame, stampOf } from './memory.ts';

const stats = { dev: 1, ino: 2, size: 3, mtimeMs: 4, ctimeMs: 5 } as Stats;
const stamp = [1, 2, 3, 4, 5] as const;

test('an unchanged file matches its stamp', () => {
  expect(stampOf(stats, 10_000)).toEqual(stamp);
  expect(isSame(stamp, stats)).toBe(true);
});

/**
 * Programs can set the modification time, so that a write leaves no sign there. Only the inode's change time shows it.
 */
test.each(['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const)('another %s means another file', (name) => {
  expect(isSame(stamp, { ...stats, [name]: 9 } as Stats)).toBe(false);
});

test('recent and future changes have no stamp', () => {
  expect(stampOf({ ...stats, ctimeMs: 9000 } as Stats, 10_000)).toBeUndefined();
  expect(stampOf({ ...stats, ctimeMs: 11_000 } as Stats, 10_000)).toBeUndefined();
  expect(stampOf({ ...stats, ctimeMs: 7999 } as Stats, 10_000)).toBeDefined();
});
