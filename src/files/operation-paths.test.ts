import { describe, expect, test } from 'vitest';
import { namedPaths, touchedPaths } from './operation-paths.ts';
import type { FileOperation } from './types.ts';

const opening = { mode: 0o666, parents: 'make', replace: 'in-place' } as const;

/** The operation, the paths of its error, and what the policy is asked. */
const cases: readonly (readonly [FileOperation, string, string])[] = [
  [{ kind: 'read', path: 'a', offset: 0, length: 1 }, 'a', 'read a'],
  [{ kind: 'write', path: 'a', data: Buffer.alloc(0), flags: 0, ...opening }, 'a', 'write a, create a'],
  [{ kind: 'open', path: 'a', flags: 0, ...opening }, 'a', 'read a'],
  [{ kind: 'open', path: 'a', flags: 1, ...opening }, 'a', 'write a, create a'],
  [{ kind: 'readAt', handle: 1, offset: 0, length: 1 }, '', ''],
  [{ kind: 'writeAt', handle: 1, offset: 0, data: Buffer.alloc(0) }, '', ''],
  [{ kind: 'close', handle: 1, how: 'keep' }, '', ''],
  [{ kind: 'list', path: 'a', from: 0, detail: 'names' }, 'a', 'read a'],
  [{ kind: 'stat', path: 'a', symlink: 'follow' }, 'a', 'read a'],
  [{ kind: 'makeDirectory', path: 'a', mode: 0, parents: 'make' }, 'a', 'create a'],
  [
    { kind: 'copy', from: 'a', to: 'b', tree: 'whole', existing: 'replace', preserve: 'all', symlink: 'itself' },
    'a b',
    'read a, write b, create b',
  ],
  [{ kind: 'rename', from: 'a', to: 'b', existing: 'replace' }, 'a b', 'delete a, create b, write b'],
  [{ kind: 'link', from: 'a', to: 'b' }, 'a b', 'write a, create b'],
  [{ kind: 'symlink', text: 'there', path: 'b' }, 'there b', 'create b'],
  [{ kind: 'readlink', path: 'a' }, 'a', 'read a'],
  [{ kind: 'realpath', path: 'a' }, 'a', 'read a'],
  [{ kind: 'truncate', path: 'a', length: 0 }, 'a', 'write a'],
  [{ kind: 'times', path: 'a', accessed: 'now', modified: 'now', symlink: 'follow' }, 'a', 'write a'],
  [{ kind: 'owner', path: 'a', uid: 0, gid: 0, symlink: 'follow' }, 'a', 'write a'],
  [{ kind: 'mode', path: 'a', mode: 0 }, 'a', 'write a'],
  [{ kind: 'remove', path: 'a', tree: 'whole', missing: 'refuse' }, 'a', 'delete a'],
  [{ kind: 'temporary', type: 'file', directory: 'a', prefix: 'p-', suffix: '' }, 'a/p-XXXXXX', 'create a/p-XXXXXX'],
  [{ kind: 'access', path: 'a', mode: 4 }, 'a', 'read a'],
  [{ kind: 'access', path: 'a', mode: 2 }, 'a', 'write a'],
  [{ kind: 'watch', path: 'a', depth: 'tree' }, 'a', 'read a'],
  [{ kind: 'unwatch', handle: 1 }, '', ''],
];

describe('the paths of an operation', () => {
  test.each(cases)('%j', (operation, named, touched) => {
    const { path, dest } = namedPaths(operation);
    expect([path, dest].filter((name) => name !== undefined).join(' ')).toBe(named);
    expect(
      touchedPaths(operation)
        .map(({ path: where, operation: what }) => `${what} ${String(where)}`)
        .join(', '),
    ).toBe(touched);
  });

  test('bytes stay bytes', () => {
    const directory = Buffer.from([0xff, 0xfe]);
    const made = namedPaths({ kind: 'temporary', type: 'file', directory, prefix: 'p', suffix: '' }).path;
    expect(made).toEqual(Buffer.concat([directory, Buffer.from('/pXXXXXX')]));
    expect(touchedPaths({ kind: 'mode', path: directory, mode: 0 })).toEqual([{ path: directory, operation: 'write' }]);
  });
});
