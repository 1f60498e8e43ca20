/** Errors have the same number and the same system call as those of Node's own `fs`. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { constants } from 'node:os';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { FileOperation, FileResult } from '../../types.ts';
import { startWorker, type TestWorker } from '../testing/worker.ts';

interface Case {
  readonly operation: FileOperation;
  readonly node: () => Promise<unknown>;
}

const bytes = Buffer.from('x');
/** `O_CREAT | O_TRUNC | O_WRONLY` */
const creating = 0o1101;

function write(path: string, more: Partial<Extract<FileOperation, { kind: 'write' }>> = {}): FileOperation {
  return {
    kind: 'write',
    path,
    data: bytes,
    flags: creating,
    mode: 0o666,
    parents: 'require',
    replace: 'in-place',
    ...more,
  };
}

function copy(from: string, to: string, more: Partial<Extract<FileOperation, { kind: 'copy' }>> = {}): FileOperation {
  return { kind: 'copy', from, to, tree: 'single', existing: 'replace', preserve: 'mode', symlink: 'follow', ...more };
}

function cases(at: (...names: readonly string[]) => string): Readonly<Record<string, Case>> {
  const missing = at('missing');
  const file = at('file');
  const below = at('file', 'below');
  const full = at('full');
  const loop = at('loop');
  const long = at('n'.repeat(5000));
  return {
    'read a missing file': {
      operation: { kind: 'read', path: missing, offset: 0, length: 10 },
      node: () => fs.readFile(missing),
    },
    'read a directory': {
      operation: { kind: 'read', path: full, offset: 0, length: 10 },
      node: () => fs.readFile(full),
    },
    'read below a file': {
      operation: { kind: 'read', path: below, offset: 0, length: 10 },
      node: () => fs.readFile(below),
    },
    'read a loop of links': {
      operation: { kind: 'read', path: loop, offset: 0, length: 10 },
      node: () => fs.readFile(loop),
    },
    'read a name of 5,000 bytes': {
      operation: { kind: 'read', path: long, offset: 0, length: 10 },
      node: () => fs.readFile(long),
    },
    'write a name of 5,000 bytes': { operation: write(long, { parents: 'make' }), node: () => fs.writeFile(long, 'x') },
    'write in a missing directory': {
      operation: write(at('missing', 'a')),
      node: () => fs.writeFile(at('missing', 'a'), 'x'),
    },
    'write to a directory': { operation: write(full), node: () => fs.writeFile(full, 'x') },
    'replace a directory': { operation: write(full, { replace: 'atomic' }), node: () => fs.writeFile(full, 'x') },
    'write what must not exist': {
      operation: write(file, { flags: 0o301 }),
      node: () => fs.writeFile(file, 'x', { flag: 'wx' }),
    },
    'replace what must not exist': {
      operation: write(file, { flags: 0o301, replace: 'atomic' }),
      node: () => fs.writeFile(file, 'x', { flag: 'wx' }),
    },
    'write below a file': { operation: write(below, { parents: 'make' }), node: () => fs.writeFile(below, 'x') },
    'a running program': {
      operation: write(process.execPath, { flags: 0 }),
      node: () => fs.open(process.execPath, 'r+'),
    },
    'list a missing directory': {
      operation: { kind: 'list', path: missing, from: 0, detail: 'names' },
      node: () => fs.readdir(missing),
    },
    'list a file': { operation: { kind: 'list', path: file, from: 0, detail: 'stat' }, node: () => fs.readdir(file) },
    'stat what is missing': {
      operation: { kind: 'stat', path: missing, symlink: 'follow' },
      node: () => fs.stat(missing),
    },
    'stat an empty name': { operation: { kind: 'stat', path: '', symlink: 'follow' }, node: () => fs.stat('') },
    'lstat what is missing': {
      operation: { kind: 'stat', path: missing, symlink: 'itself' },
      node: () => fs.lstat(missing),
    },
    'make a directory that exists': {
      operation: { kind: 'makeDirectory', path: full, mode: 0o777, parents: 'require' },
      node: () => fs.mkdir(full),
    },
    'make directories where a file is': {
      operation: { kind: 'makeDirectory', path: file, mode: 0o777, parents: 'make' },
      node: () => fs.mkdir(file, { recursive: true }),
    },
    'make directories below a file': {
      operation: { kind: 'makeDirectory', path: at('file', 'a', 'b'), mode: 0o777, parents: 'make' },
      node: () => fs.mkdir(at('file', 'a', 'b'), { recursive: true }),
    },
    'copy what is missing': { operation: copy(missing, at('b')), node: () => fs.copyFile(missing, at('b')) },
    'copy into a missing directory': {
      operation: copy(file, at('missing', 'b')),
      node: () => fs.copyFile(file, at('missing', 'b')),
    },
    'copy over a directory': { operation: copy(file, full), node: () => fs.copyFile(file, full) },
    'copy over what must not exist': {
      operation: copy(file, at('other'), { existing: 'refuse' }),
      node: () => fs.copyFile(file, at('other'), fs.constants.COPYFILE_EXCL),
    },
    'rename what is missing': {
      operation: { kind: 'rename', from: missing, to: at('b'), existing: 'replace' },
      node: () => fs.rename(missing, at('b')),
    },
    'rename a directory over a full one': {
      operation: { kind: 'rename', from: at('empty'), to: full, existing: 'replace' },
      node: () => fs.rename(at('empty'), full),
    },
    'rename a directory into itself': {
      operation: { kind: 'rename', from: full, to: at('full', 'b'), existing: 'replace' },
      node: () => fs.rename(full, at('full', 'b')),
    },
    'link what is missing': {
      operation: { kind: 'link', from: missing, to: at('b') },
      node: () => fs.link(missing, at('b')),
    },
    'link a directory': { operation: { kind: 'link', from: full, to: at('b') }, node: () => fs.link(full, at('b')) },
    'symlink where something is': {
      operation: { kind: 'symlink', text: 'x', path: file },
      node: () => fs.symlink('x', file),
    },
    'readlink of a file': { operation: { kind: 'readlink', path: file }, node: () => fs.readlink(file) },
    'realpath of what is missing': { operation: { kind: 'realpath', path: missing }, node: () => fs.realpath(missing) },
    'truncate what is missing': {
      operation: { kind: 'truncate', path: missing, length: 1 },
      node: () => fs.truncate(missing, 1),
    },
    'truncate a directory': {
      operation: { kind: 'truncate', path: full, length: 1 },
      node: () => fs.truncate(full, 1),
    },
    'times of what is missing': {
      operation: { kind: 'times', path: missing, accessed: 'now', modified: 'now', symlink: 'follow' },
      node: () => fs.utimes(missing, 1, 1),
    },
    'times of a link that is missing': {
      operation: { kind: 'times', path: missing, accessed: 'now', modified: 'now', symlink: 'itself' },
      node: () => fs.lutimes(missing, 1, 1),
    },
    'owner of what is missing': {
      operation: { kind: 'owner', path: missing, uid: 1, gid: 1, symlink: 'follow' },
      node: () => fs.chown(missing, 1, 1),
    },
    'owner of a link that is missing': {
      operation: { kind: 'owner', path: missing, uid: 1, gid: 1, symlink: 'itself' },
      node: () => fs.lchown(missing, 1, 1),
    },
    'mode of what is missing': {
      operation: { kind: 'mode', path: missing, mode: 0o600 },
      node: () => fs.chmod(missing, 0o600),
    },
    'remove what is missing': {
      operation: { kind: 'remove', path: missing, tree: 'whole', missing: 'refuse' },
      node: () => fs.rm(missing),
    },
    'unlink what is missing': {
      operation: { kind: 'remove', path: missing, tree: 'single', missing: 'refuse' },
      node: () => fs.unlink(missing),
    },
    'rmdir of a full directory': {
      operation: { kind: 'remove', path: full, tree: 'single', missing: 'refuse' },
      node: () => fs.rmdir(full),
    },
    'a temporary directory in a missing one': {
      operation: { kind: 'temporary', type: 'directory', directory: missing, prefix: 'p', suffix: '' },
      node: () => fs.mkdtemp(at('missing', 'p')),
    },
    'access to what is missing': {
      operation: { kind: 'access', path: missing, mode: 0 },
      node: () => fs.access(missing),
    },
    'access that is not there': {
      operation: { kind: 'access', path: at('plain'), mode: 1 },
      node: () => fs.access(at('plain'), fs.constants.X_OK),
    },
  };
}

const names = Object.keys(cases(() => ''));

test.each(names)('%s', async (name) => {
  const { worker, at } = startWorker();
  plant(at);
  const { operation, node } = cases(at)[name] as Case;
  await expectSame(worker, operation, node);
});

function plant(at: (...names: readonly string[]) => string): void {
  for (const directory of ['full', 'empty']) mkdirSync(at(directory));
  for (const file of ['file', 'other', 'plain', 'full/inside']) writeFileSync(at(file), 'content');
  chmodSync(at('plain'), 0o644);
  symlinkSync('loop', at('loop'));
}

async function expectSame(worker: TestWorker, operation: FileOperation, node: () => Promise<unknown>): Promise<void> {
  const expected = await node().then(
    () => undefined,
    (error: NodeJS.ErrnoException) => ({ errno: -(error.errno ?? 0), syscall: error.syscall }),
  );
  expect(failure(await worker.run(operation))).toEqual(expected);
  expect(expected).toBeDefined();
}

function failure(result: FileResult): { readonly errno: number; readonly syscall: string } | undefined {
  return result.kind === 'failed' ? { errno: result.errno, syscall: result.syscall } : undefined;
}

describe('errors of the worker’s own', () => {
  test('a NUL in a path is EINVAL, and no other path', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('a'), 'kept');
    const result = await worker.run({
      kind: 'remove',
      path: Buffer.from(`${at('a')}\0b`),
      tree: 'whole',
      missing: 'ignore',
    });
    expect(result).toMatchObject({ kind: 'failed', errno: constants.errno.EINVAL });
    expect(await fs.readFile(at('a'), 'utf8')).toBe('kept');
  });

  test('a closed or unknown handle', async () => {
    const { worker, at } = startWorker();
    const opened = await worker.run({
      kind: 'open',
      path: at('a'),
      flags: 0o102,
      mode: 0o600,
      parents: 'require',
      replace: 'in-place',
    });
    const handle = opened.kind === 'opened' ? opened.handle : -1;
    await worker.run({ kind: 'close', handle, how: 'keep' });
    for (const number of [handle, 0, 4_294_967_295]) {
      expect(await worker.run({ kind: 'readAt', handle: number, offset: 0, length: 1 })).toMatchObject({
        errno: constants.errno.EBADF,
      });
      expect(await worker.run({ kind: 'close', handle: number, how: 'keep' })).toMatchObject({
        errno: constants.errno.EBADF,
      });
      expect(await worker.run({ kind: 'unwatch', handle: number })).toMatchObject({ errno: constants.errno.EBADF });
    }
  });

  test('the 257th open file is EMFILE, and closing one makes room', async () => {
    const { worker, at } = startWorker();
    const open: FileOperation = {
      kind: 'open',
      path: at('a'),
      flags: 0o102,
      mode: 0o600,
      parents: 'require',
      replace: 'in-place',
    };
    const results = await worker.request(Array.from({ length: 257 }, () => open));
    expect(results.slice(0, 256).every(({ kind }) => kind === 'opened')).toBe(true);
    expect(results[256]).toMatchObject({ kind: 'failed', errno: constants.errno.EMFILE, syscall: 'open' });
    const first = results[0];
    await worker.run({ kind: 'close', handle: first?.kind === 'opened' ? first.handle : -1, how: 'keep' });
    expect(await worker.run(open)).toMatchObject({ kind: 'opened' });
  });
});
