import { mkdtempSync, promises as fs, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fileError, namedPaths, nullByteError, touchedPaths } from './operation-paths.ts';
import type { FileOperation } from './types.ts';

const opening = { mode: 0o666, parents: 'make', replace: 'in-place' } as const;

/** The operation, the paths of its error, and the questions to the policy. */
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

describe('file error', () => {
  function scratch(): string {
    const directory = mkdtempSync('/var/tmp/holdfast-file-error-');
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFileSync(join(directory, 'file'), '');
    return directory;
  }

  const noPath = new Uint8Array();
  const { ENOENT, EEXIST, ENOTDIR, EISDIR } = constants.errno;
  const opening = { flags: 0, mode: 0, parents: 'require', replace: 'in-place' } as const;

  interface Case {
    readonly name: string;
    readonly operation: (at: string) => FileOperation;
    readonly errno: number;
    readonly syscall: string;
    readonly fs: (at: string) => Promise<unknown>;
  }

  const cases: readonly Case[] = [
    {
      name: 'open',
      operation: (at) => ({ kind: 'read', path: `${at}/no`, offset: 0, length: 1 }),
      errno: ENOENT,
      syscall: 'open',
      fs: (at) => fs.readFile(`${at}/no`),
    },
    {
      name: 'a read, which has no path',
      operation: (at) => ({ kind: 'read', path: at, offset: 0, length: 1 }),
      errno: EISDIR,
      syscall: 'read',
      fs: (at) => fs.readFile(at),
    },
    {
      name: 'a component that is a file',
      operation: (at) => ({ kind: 'open', path: `${at}/file/x`, ...opening }),
      errno: ENOTDIR,
      syscall: 'open',
      fs: (at) => fs.open(`${at}/file/x`),
    },
    {
      name: 'mkdir',
      operation: (at) => ({ kind: 'makeDirectory', path: `${at}/file`, mode: 0, parents: 'require' }),
      errno: EEXIST,
      syscall: 'mkdir',
      fs: (at) => fs.mkdir(`${at}/file`),
    },
    {
      name: 'scandir',
      operation: (at) => ({ kind: 'list', path: `${at}/no`, from: 0, detail: 'names' }),
      errno: ENOENT,
      syscall: 'scandir',
      fs: (at) => fs.readdir(`${at}/no`),
    },
    {
      name: 'rename, with both paths',
      operation: (at) => ({ kind: 'rename', from: `${at}/no`, to: `${at}/b`, existing: 'replace' }),
      errno: ENOENT,
      syscall: 'rename',
      fs: (at) => fs.rename(`${at}/no`, `${at}/b`),
    },
    {
      name: 'link',
      operation: (at) => ({ kind: 'link', from: `${at}/no`, to: `${at}/b` }),
      errno: ENOENT,
      syscall: 'link',
      fs: (at) => fs.link(`${at}/no`, `${at}/b`),
    },
    {
      name: 'symlink, text first',
      operation: (at) => ({ kind: 'symlink', text: 'there', path: `${at}/file` }),
      errno: EEXIST,
      syscall: 'symlink',
      fs: (at) => fs.symlink('there', `${at}/file`),
    },
    {
      name: 'copyfile',
      operation: (at) => ({
        kind: 'copy',
        from: `${at}/no`,
        to: `${at}/b`,
        tree: 'single',
        existing: 'replace',
        preserve: 'mode',
        symlink: 'follow',
      }),
      errno: ENOENT,
      syscall: 'copyfile',
      fs: (at) => fs.copyFile(`${at}/no`, `${at}/b`),
    },
    {
      name: 'mkdtemp',
      operation: (at) => ({ kind: 'temporary', type: 'directory', directory: `${at}/no`, prefix: 'p-', suffix: '' }),
      errno: ENOENT,
      syscall: 'mkdtemp',
      fs: (at) => fs.mkdtemp(`${at}/no/p-`),
    },
    {
      name: 'lstat',
      operation: (at) => ({ kind: 'stat', path: `${at}/no`, symlink: 'itself' }),
      errno: ENOENT,
      syscall: 'lstat',
      fs: (at) => fs.lstat(`${at}/no`),
    },
    {
      name: 'bytes as a path',
      operation: (at) => ({ kind: 'stat', path: Buffer.from(`${at}/n\u00f6`), symlink: 'follow' }),
      errno: ENOENT,
      syscall: 'stat',
      fs: (at) => fs.stat(Buffer.from(`${at}/n\u00f6`)),
    },
  ];

  describe('an error equals that of node:fs', () => {
    test.each(cases)('$name', async ({ operation, errno, syscall, fs: asFs }) => {
      const at = scratch();
      const expected = (await asFs(at).catch((error: unknown) => error)) as NodeJS.ErrnoException & {
        readonly dest?: string;
      };
      const error = fileError(operation(at), { kind: 'failed', errno, syscall, path: noPath });
      const fields = ({
        message,
        code,
        errno: number,
        syscall: call,
        path,
        dest,
        name,
      }: NodeJS.ErrnoException & { readonly dest?: string }): unknown => ({
        message,
        code,
        number,
        call,
        path,
        dest,
        name,
      });
      // `mkdtemp` reports a failure without its random letters.
      const withoutLetters = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll(/p-\w{6}/gu, 'p-XXXXXX'));
      expect(withoutLetters(fields(error))).toEqual(withoutLetters(fields(expected)));
      expect(Object.keys(error).toSorted()).toEqual(Object.keys(expected).toSorted());
      expect(error).toBeInstanceOf(Error);
    });

    test('a path with a null byte', async () => {
      const expected = (await fs.readFile('a\0b').catch((error: unknown) => error)) as NodeJS.ErrnoException;
      const error = nullByteError('a\0b');
      expect([error.message, (error as NodeJS.ErrnoException).code, error instanceof TypeError]).toEqual([
        expected.message,
        expected.code,
        expected instanceof TypeError,
      ]);
    });
  });

  test('within a tree, the place where it went wrong is named', () => {
    const operation: FileOperation = { kind: 'remove', path: 'tree', tree: 'whole', missing: 'refuse' };
    expect(
      fileError(operation, { kind: 'failed', errno: 13, syscall: 'unlink', path: Buffer.from('tree/a/b') }),
    ).toMatchObject({ message: "EACCES: permission denied, unlink 'tree/a/b'", path: 'tree/a/b', errno: -13 });
  });

  test('an errno that Node has no name for', () => {
    const error = fileError(
      { kind: 'stat', path: 'x', symlink: 'follow' },
      { kind: 'failed', errno: 9999, syscall: 'stat', path: noPath },
    );
    expect([error.code, error.errno, error.message]).toEqual([
      'Unknown system error -9999',
      -9999,
      "Unknown system error -9999: Unknown system error -9999, stat 'x'",
    ]);
  });
});
