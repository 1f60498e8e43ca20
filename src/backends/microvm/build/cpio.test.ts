import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeCpio, type CpioEntry } from './cpio.ts';

const entries: readonly CpioEntry[] = [
  { kind: 'file', path: 'init', mode: 0o755, bytes: Buffer.from('program') },
  { kind: 'directory', path: 'dev', mode: 0o755 },
  { kind: 'device', path: 'dev/console', mode: 0o600, device: [5, 1] },
];

test('cpio lists what is in it, owned by root, from the beginning of time', () => {
  const listed = execFileSync('cpio', ['--list', '--verbose', '--numeric-uid-gid', '--quiet'], { input: writeCpio(entries), env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } }).toString();
  expect(listed.trim().split('\n').map((line) => line.replace(/ +/gu, ' '))).toEqual([
    'drwxr-xr-x 2 0 0 0 Jan 1 1970 dev',
    'crw------- 1 0 0 5, 1 Jan 1 1970 dev/console',
    '-rwxr-xr-x 1 0 0 7 Jan 1 1970 init',
  ]);
});

test('the order in which entries are given does not matter', () => {
  fc.assert(fc.property(fc.shuffledSubarray([...entries], { minLength: entries.length }), (shuffled) => {
    expect(writeCpio(shuffled).equals(writeCpio(entries))).toBe(true);
  }));
});
