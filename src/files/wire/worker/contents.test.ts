/** Bytes in and out of files: ranges, handles, flags, replacement. */
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';
import { constants as flags } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { largestPayload, type FileOperation, type OpenOperation, type WriteOperation } from '../../types.ts';
import { startWorker, type TestWorker } from '../testing/worker.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = flags;
const isRoot = process.getuid?.() === 0;

function write(path: string, data: string | Uint8Array, more: Partial<WriteOperation> = {}): WriteOperation {
  return {
    kind: 'write',
    path,
    data: Buffer.from(data),
    flags: O_CREAT | O_TRUNC,
    mode: 0o666,
    parents: 'require',
    replace: 'in-place',
    ...more,
  };
}

async function open(worker: TestWorker, path: string, more: Partial<OpenOperation> = {}): Promise<number> {
  const result = await worker.run({
    kind: 'open',
    path,
    flags: O_RDWR | O_CREAT,
    mode: 0o666,
    parents: 'require',
    replace: 'in-place',
    ...more,
  });
  if (result.kind !== 'opened') throw new Error(JSON.stringify(result));
  return result.handle;
}

async function text(worker: TestWorker, operation: FileOperation): Promise<string> {
  const result = await worker.run(operation);
  return result.kind === 'data' ? `${Buffer.from(result.data).toString()}/${result.size}` : JSON.stringify(result);
}

describe('read', () => {
  test.each<[number, number, string]>([
    [0, 100, '0123456789/10'],
    [0, 4, '0123/10'],
    [3, 4, '3456/10'],
    [8, 10, '89/10'],
    [10, 10, '/10'],
    [5_000_000_000, 10, '/10'],
    [0, 0, '/10'],
  ])('from %i on, %i bytes: %s', async (offset, length, expected) => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '0123456789');
    expect(await text(worker, { kind: 'read', path: at('f'), offset, length })).toBe(expected);
  });

  test('the largest payload; a larger one is reported by its size', async () => {
    const { worker, at } = startWorker();
    const content = Buffer.alloc(largestPayload + 1, 'ab');
    writeFileSync(at('f'), content);
    expect(await worker.run({ kind: 'read', path: at('f'), offset: 0, length: largestPayload })).toEqual({
      kind: 'data',
      size: largestPayload + 1,
      data: content.subarray(0, largestPayload),
    });
    expect(
      await worker.run({ kind: 'read', path: at('f'), offset: largestPayload, length: largestPayload }),
    ).toMatchObject({ data: Buffer.from('a') });
  });

  test('beyond 2³² bytes', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '');
    truncateSync(at('f'), 5_000_000_003);
    const handle = await open(worker, at('f'));
    expect(await worker.run({ kind: 'writeAt', handle, offset: 5_000_000_000, data: Buffer.from('end') })).toEqual({
      kind: 'written',
      length: 3,
    });
    expect(await text(worker, { kind: 'read', path: at('f'), offset: 5_000_000_000, length: 10 })).toBe(
      'end/5000000003',
    );
  });
});

describe('write', () => {
  test.each([
    ['UTF-8 with a byte order mark', 'efbbbf61'],
    ['UTF-16 LE', 'fffe61003804'],
    ['Windows-1251', 'cff0e8e2e5f2'],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('hex')],
    ['nothing', ''],
  ])('%s arrives byte for byte', async (_, hex) => {
    const { worker, at } = startWorker();
    for (const replace of ['in-place', 'atomic'] as const) {
      expect(await worker.run(write(at(replace), Buffer.from(hex, 'hex'), { replace }))).toEqual({ kind: 'done' });
      expect(readFileSync(at(replace)).toString('hex')).toBe(hex);
    }
  });

  test('a name that is no UTF-8', async () => {
    const { worker, directory } = startWorker();
    const path = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from('ff0afe', 'hex')]);
    expect(await worker.run({ ...write('', 'x'), path })).toEqual({ kind: 'done' });
    expect(readdirSync(directory, { encoding: 'buffer' })).toEqual([Buffer.from('ff0afe', 'hex')]);
  });

  test('a relative path starts where the worker was started', async () => {
    const { worker, at } = startWorker();
    await worker.run(write('a/b', 'x', { parents: 'make' }));
    expect(readFileSync(at('a', 'b'), 'utf8')).toBe('x');
  });

  test.each(['in-place', 'atomic'] as const)('missing directories above are made on request (%s)', async (replace) => {
    const { worker, at } = startWorker();
    mkdirSync(at('is'));
    symlinkSync('is', at('link'));
    for (const path of ['a/b/c/f', 'is/x/f', 'link//y///f', 'a/new/../f', 'is/./z/f']) {
      expect(await worker.run(write(at() + '/' + path, path, { parents: 'make', replace }))).toEqual({ kind: 'done' });
      expect(readFileSync(at(path), 'utf8')).toBe(path);
    }
    expect(readlinkSync(at('link'))).toBe('is');
    expect(statSync(at('a', 'new')).isDirectory()).toBe(true);
  });

  test('no directory is made for a file that is not created', async () => {
    const { worker, directory, at } = startWorker();
    for (const replace of ['in-place', 'atomic'] as const)
      expect(await worker.run(write(at('a', 'f'), 'x', { flags: O_TRUNC, parents: 'make', replace }))).toMatchObject({
        errno: constants.errno.ENOENT,
      });
    expect(readdirSync(directory)).toEqual([]);
  });

  test.each(['in-place', 'atomic'] as const)('flags mean the same as to open(2) (%s)', async (replace) => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '0123456789');
    await worker.run(write(at('f'), 'ab', { flags: 0, replace }));
    expect(readFileSync(at('f'), 'utf8')).toBe('ab23456789');
    await worker.run(write(at('f'), 'cd', { flags: O_APPEND, replace }));
    expect(readFileSync(at('f'), 'utf8')).toBe('ab23456789cd');
    await worker.run(write(at('f'), 'ef', { flags: O_TRUNC, replace }));
    expect(readFileSync(at('f'), 'utf8')).toBe('ef');
    await worker.run(write(at('new'), 'gh', { flags: O_CREAT | O_EXCL, replace }));
    expect(readFileSync(at('new'), 'utf8')).toBe('gh');
  });

  test.each(['in-place', 'atomic'] as const)(
    'the mode is that of a new file, under the umask (%s)',
    async (replace) => {
      const { worker, at } = startWorker();
      await worker.run(write(at('f'), '', { mode: 0o777, replace }));
      await worker.run(write(at('g'), '', { mode: 0o600, replace }));
      expect(lstatSync(at('f')).mode & 0o7777).toBe(0o777 & ~process.umask());
      expect(lstatSync(at('g')).mode & 0o7777).toBe(0o600);
    },
  );
});

describe('atomic replacement', () => {
  test('makes another file with the old mode; other names keep the old content', async () => {
    const { worker, at, directory } = startWorker();
    writeFileSync(at('f'), 'old');
    chmodSync(at('f'), 0o751);
    linkSync(at('f'), at('other'));
    await worker.run(write(at('f'), 'new', { replace: 'atomic' }));
    expect([readFileSync(at('f'), 'utf8'), readFileSync(at('other'), 'utf8')]).toEqual(['new', 'old']);
    expect(lstatSync(at('f')).mode & 0o7777).toBe(0o751);
    expect(readdirSync(directory).toSorted()).toEqual(['f', 'other']);
  });

  test('in place keeps all names of a file', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'old');
    linkSync(at('f'), at('other'));
    await worker.run(write(at('f'), 'new'));
    expect(readFileSync(at('other'), 'utf8')).toBe('new');
  });

  test.skipIf(!isRoot)(
    isRoot
      ? 'keeps the owner, and drops set-id bits'
      : 'keeps the owner (skipped: only root can make a file of someone else)',
    async () => {
      const { worker, at } = startWorker();
      writeFileSync(at('f'), 'old');
      chownSync(at('f'), 1234, 5678);
      chmodSync(at('f'), 0o6755);
      await worker.run(write(at('f'), 'new', { replace: 'atomic' }));
      expect(lstatSync(at('f'))).toMatchObject({ uid: 1234, gid: 5678, mode: 0o100755 });
    },
  );

  test('replaces the target of a symlink, not the link', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d'));
    writeFileSync(at('d', 'target'), 'old');
    symlinkSync('d/target', at('link'));
    symlinkSync('nowhere', at('dangling'));
    expect(await worker.run(write(at('link'), 'new', { replace: 'atomic' }))).toEqual({ kind: 'done' });
    expect([readlinkSync(at('link')), readFileSync(at('d', 'target'), 'utf8')]).toEqual(['d/target', 'new']);
    expect(await worker.run(write(at('dangling'), 'new', { replace: 'atomic' }))).toMatchObject({
      errno: constants.errno.ENOENT,
      syscall: 'open',
    });
    expect(
      await worker.run(write(at('link'), 'x', { replace: 'atomic', flags: O_TRUNC | flags.O_NOFOLLOW })),
    ).toMatchObject({ errno: constants.errno.ELOOP });
  });

  test('a device is written to', async () => {
    const { worker } = startWorker();
    expect(await worker.run(write('/dev/null', 'x', { replace: 'atomic' }))).toEqual({ kind: 'done' });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('is refused for a file that could not be written', async () => {
    const { worker, at, directory } = startWorker();
    writeFileSync(at('f'), 'old');
    chmodSync(at('f'), 0o444);
    const result = await worker.run(write(at('f'), 'new', { replace: 'atomic' }));
    expect(result).toMatchObject(isRoot ? { kind: 'done' } : { errno: constants.errno.EACCES, syscall: 'open' });
    expect(readdirSync(directory)).toEqual(['f']);
  });

  test('of an open file takes effect when it closes, all at once', async () => {
    const { worker, at, directory } = startWorker();
    writeFileSync(at('f'), 'old content');
    const handle = await open(worker, at('f'), { flags: O_WRONLY | O_CREAT | O_TRUNC, replace: 'atomic' });
    await worker.run({ kind: 'writeAt', handle, offset: 0, data: Buffer.from('new') });
    expect(readFileSync(at('f'), 'utf8')).toBe('old content');
    expect(readdirSync(directory)).toEqual(['f']);
    expect(await worker.run({ kind: 'close', handle, how: 'sync' })).toEqual({ kind: 'done' });
    expect(readFileSync(at('f'), 'utf8')).toBe('new');
    expect(readdirSync(directory)).toEqual(['f']);
  });

  test('is forgotten when it is dropped, and when the worker dies', async () => {
    const { worker, at, directory } = startWorker();
    writeFileSync(at('f'), 'old');
    for (const how of ['drop', 'die'] as const) {
      const handle = await open(worker, at('f'), { flags: O_WRONLY | O_TRUNC, replace: 'atomic' });
      await worker.run({ kind: 'writeAt', handle, offset: 0, data: Buffer.from('new') });
      if (how === 'drop') await worker.run({ kind: 'close', handle, how });
    }
    worker.process.kill('SIGKILL');
    await worker.ended;
    expect(readFileSync(at('f'), 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['f']);
  });

  test('dropped for a new file leaves nothing; an exclusive one never replaces a newer file', async () => {
    const { worker, at, directory } = startWorker();
    const handle = await open(worker, at('f'), { replace: 'atomic' });
    await worker.run({ kind: 'close', handle, how: 'drop' });
    expect(readdirSync(directory)).toEqual([]);
    const exclusive = await open(worker, at('f'), { flags: O_WRONLY | O_CREAT | O_EXCL, replace: 'atomic' });
    const other = await open(worker, at('f'), { flags: O_WRONLY | O_CREAT, replace: 'atomic' });
    await worker.run({ kind: 'writeAt', handle: other, offset: 0, data: Buffer.from('other') });
    writeFileSync(at('f'), 'first');
    expect(await worker.run({ kind: 'close', handle: exclusive, how: 'keep' })).toMatchObject({
      kind: 'failed',
      errno: constants.errno.EEXIST,
    });
    expect(readFileSync(at('f'), 'utf8')).toBe('first');
    expect(await worker.run({ kind: 'close', handle: other, how: 'keep' })).toEqual({ kind: 'done' });
    expect(readFileSync(at('f'), 'utf8')).toBe('other');
    expect(readdirSync(directory)).toEqual(['f']);
  });

  test('works without room for a name of 255 bytes', async () => {
    const { worker, at, directory } = startWorker();
    const name = 'n'.repeat(255);
    for (const content of ['first', 'second']) {
      expect(await worker.run(write(at(name), content, { replace: 'atomic' }))).toEqual({ kind: 'done' });
      expect(readFileSync(at(name), 'utf8')).toBe(content);
    }
    expect(readdirSync(directory)).toEqual([name]);
  });
});

describe('open files', () => {
  test('are read and written anywhere, and at their end', async () => {
    const { worker, at } = startWorker();
    const handle = await open(worker, at('f'));
    for (const [offset, data] of [
      [0, 'abc'],
      [5, 'x'],
      [-1, 'end'],
      [1, 'B'],
    ] as const)
      expect(await worker.run({ kind: 'writeAt', handle, offset, data: Buffer.from(data) })).toEqual({
        kind: 'written',
        length: data.length,
      });
    expect(readFileSync(at('f'), 'utf8')).toBe('aBc\0\0xend');
    expect(await text(worker, { kind: 'readAt', handle, offset: 5, length: 2 })).toBe('xe/9');
    expect(await worker.run({ kind: 'close', handle, how: 'keep' })).toEqual({ kind: 'done' });
  });

  test('cannot be written when they were opened to be read', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'x');
    const handle = await open(worker, at('f'), { flags: O_RDONLY });
    expect(await worker.run({ kind: 'writeAt', handle, offset: 0, data: Buffer.from('y') })).toMatchObject({
      errno: constants.errno.EBADF,
      syscall: 'write',
    });
    expect(await text(worker, { kind: 'readAt', handle, offset: 0, length: 9 })).toBe('x/1');
  });

  test('a full disk is reported, and no half answer is sent', async () => {
    const { worker } = startWorker();
    expect(await worker.run(write('/dev/full', 'x'))).toMatchObject({
      kind: 'failed',
      errno: constants.errno.ENOSPC,
      syscall: 'write',
    });
  });

  test('truncate makes shorter and longer', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '0123');
    await worker.run({ kind: 'truncate', path: at('f'), length: 2 });
    expect(readFileSync(at('f'), 'utf8')).toBe('01');
    await worker.run({ kind: 'truncate', path: at('f'), length: 4 });
    expect(readFileSync(at('f'), 'utf8')).toBe('01\0\0');
  });
});
