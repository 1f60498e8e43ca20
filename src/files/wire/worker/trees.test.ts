/** Whole trees: copied and removed. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { attributesOf, setAttribute } from '../../../kernel/index.ts';
import type { CopyOperation, FileResult, RemoveOperation } from '../../types.ts';
import { startWorker } from '../testing/worker.ts';

const isRoot = process.getuid?.() === 0;
const done: FileResult = { kind: 'done' };

function copy(from: string, to: string, more: Partial<CopyOperation> = {}): CopyOperation {
  return { kind: 'copy', from, to, tree: 'whole', existing: 'refuse', preserve: 'all', symlink: 'itself', ...more };
}

function remove(path: string, more: Partial<RemoveOperation> = {}): RemoveOperation {
  return { kind: 'remove', path, tree: 'whole', missing: 'refuse', ...more };
}

/** All comparable facts about a tree, name by name. */
function describeTree(root: string, prefix = ''): readonly string[] {
  return readdirSync(join(root, prefix), { encoding: 'latin1' })
    .toSorted()
    .flatMap((name) => {
      const path = join(prefix, name);
      const stat = lstatSync(Buffer.from(join(root, path), 'latin1'), { bigint: true });
      const content = stat.isFile()
        ? readFileSync(Buffer.from(join(root, path), 'latin1'), 'hex').slice(0, 100)
        : stat.isSymbolicLink()
          ? readlinkSync(Buffer.from(join(root, path), 'latin1'))
          : '';
      return [
        `${path} ${stat.mode.toString(8)} ${stat.mtimeNs} ${stat.isDirectory() ? '' : stat.nlink} ${content}`,
        ...(stat.isDirectory() ? describeTree(root, path) : []),
      ];
    });
}

function plant(root: string): void {
  for (const directory of ['', 'a', 'a/deep', 'empty', 'closed']) mkdirSync(join(root, directory));
  writeFileSync(join(root, 'a/f'), 'content');
  writeFileSync(join(root, 'a/run'), '#!/bin/sh\n');
  chmodSync(join(root, 'a/run'), 0o4711);
  linkSync(join(root, 'a/f'), join(root, 'a/deep/same'));
  symlinkSync('../a/f', join(root, 'empty/link'));
  symlinkSync('/nowhere', join(root, 'dangling'));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from('ff0a', 'hex')]), 'odd');
  execFileSync('mkfifo', [join(root, 'fifo')]);
  writeFileSync(join(root, 'closed/f'), 'x');
  chmodSync(join(root, 'closed'), 0o555);
  for (const path of ['a/f', 'a/deep', 'a', 'closed']) utimesSync(join(root, path), 1000.5, 2000.25);
}

describe('copy of one', () => {
  test('file: content and mode, without or with its times', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'content');
    chmodSync(at('f'), 0o640);
    utimesSync(at('f'), 5, 6);
    expect(await worker.run(copy(at('f'), at('all'), { tree: 'single' }))).toEqual(done);
    expect(await worker.run(copy(at('f'), at('mode'), { tree: 'single', preserve: 'mode' }))).toEqual(done);
    expect([
      readFileSync(at('mode'), 'utf8'),
      statSync(at('mode')).mode & 0o7777,
      statSync(at('mode')).mtimeMs > 6000,
    ]).toEqual(['content', 0o640, true]);
    expect([statSync(at('all')).mtimeMs, statSync(at('all')).atimeMs]).toEqual([6000, 5000]);
  });

  test('file over another: the old one is replaced in place, kept, or refused', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'new');
    writeFileSync(at('old'), 'old and long');
    linkSync(at('old'), at('other'));
    expect(await worker.run(copy(at('f'), at('old'), { tree: 'single' }))).toMatchObject({
      errno: constants.errno.EEXIST,
    });
    expect(await worker.run(copy(at('f'), at('old'), { tree: 'single', existing: 'keep' }))).toEqual(done);
    expect(readFileSync(at('old'), 'utf8')).toBe('old and long');
    expect(await worker.run(copy(at('f'), at('old'), { tree: 'single', existing: 'replace' }))).toEqual(done);
    expect(readFileSync(at('other'), 'utf8')).toBe('new');
  });

  test('file over itself keeps it', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'content');
    linkSync(at('f'), at('g'));
    for (const to of ['f', 'g'])
      expect(await worker.run(copy(at('f'), at(to), { tree: 'single', existing: 'replace' }))).toEqual(done);
    expect(readFileSync(at('f'), 'utf8')).toBe('content');
  });

  test('symlink: itself, or its target', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'content');
    symlinkSync('f', at('l'));
    await worker.run(copy(at('l'), at('itself'), { tree: 'single' }));
    await worker.run(copy(at('l'), at('followed'), { tree: 'single', symlink: 'follow' }));
    expect([readlinkSync(at('itself')), lstatSync(at('followed')).isFile()]).toEqual(['f', true]);
  });

  test('directory is not a file', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d'));
    expect(await worker.run(copy(at('d'), at('e'), { tree: 'single' }))).toMatchObject({
      errno: constants.errno.EISDIR,
      syscall: 'copyfile',
    });
    expect(existsSync(at('e'))).toBe(false);
  });

  test('sparse file stays sparse', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'start');
    truncateSync(at('f'), 200 * 1024 * 1024);
    const handle = await worker.run({
      kind: 'open',
      path: at('f'),
      flags: 2,
      mode: 0,
      parents: 'require',
      replace: 'in-place',
    });
    await worker.run({
      kind: 'writeAt',
      handle: handle.kind === 'opened' ? handle.handle : -1,
      offset: 100 * 1024 * 1024,
      data: Buffer.from('middle'),
    });
    expect(await worker.run(copy(at('f'), at('g'), { tree: 'single' }))).toEqual(done);
    const stat = statSync(at('g'));
    expect(stat.size).toBe(200 * 1024 * 1024);
    expect(stat.blocks * 512).toBeLessThan(1024 * 1024);
    expect(await worker.run({ kind: 'read', path: at('g'), offset: 100 * 1024 * 1024, length: 6 })).toMatchObject({
      data: Buffer.from('middle'),
    });
    expect(await worker.run({ kind: 'read', path: at('g'), offset: 0, length: 6 })).toMatchObject({
      data: Buffer.from('start\0'),
    });
  });

  test('file that is made up when it is read', async () => {
    const { worker, at } = startWorker();
    expect(await worker.run(copy('/proc/self/comm', at('f'), { tree: 'single', preserve: 'mode' }))).toEqual(done);
    expect(readFileSync(at('f'), 'utf8')).toBe('holdfast-files\n');
  });

  test('file with extended attributes', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'x');
    setAttribute(at('f'), 'user.note', Buffer.from('kept'));
    await worker.run(copy(at('f'), at('g'), { tree: 'single' }));
    await worker.run(copy(at('f'), at('h'), { tree: 'single', preserve: 'mode' }));
    expect([...attributesOf(at('g'))].map(([name, value]) => [name, Buffer.from(value).toString()])).toEqual([
      ['user.note', 'kept'],
    ]);
    expect([...attributesOf(at('h'))]).toEqual([]);
  });

  test('file that fails half-way leaves nothing behind', async () => {
    const { worker, at } = startWorker();
    expect(await worker.run(copy('/proc/self/mem', at('f'), { tree: 'single' }))).toMatchObject({
      kind: 'failed',
      errno: constants.errno.EIO,
      syscall: 'copyfile',
    });
    expect(existsSync(at('f'))).toBe(false);
  });
});

describe('copy of a tree', () => {
  test('is the same tree', async () => {
    const { worker, at } = startWorker();
    plant(at('from'));
    expect(await worker.run(copy(at('from'), at('to')))).toEqual(done);
    expect(describeTree(at('to'))).toEqual(describeTree(at('from')));
    expect(lstatSync(at('to', 'a', 'f')).ino).toBe(lstatSync(at('to', 'a', 'deep', 'same')).ino);
  });

  test('into an existing one: merged, with old entries replaced, kept or refused', async () => {
    const { worker, at } = startWorker();
    plant(at('from'));
    mkdirSync(at('to', 'a', 'deep'), { recursive: true });
    writeFileSync(at('to', 'a', 'f'), 'old');
    writeFileSync(at('to', 'mine'), 'mine');
    expect(await worker.run(copy(at('from'), at('to')))).toMatchObject({
      kind: 'failed',
      errno: constants.errno.EEXIST,
      syscall: 'copyfile',
      path: Buffer.from(at('from', 'a', 'f')),
    });
    expect(await worker.run(copy(at('from'), at('to'), { existing: 'keep' }))).toEqual(done);
    expect(readFileSync(at('to', 'a', 'f'), 'utf8')).toBe('old');
    expect(await worker.run(copy(at('from'), at('to'), { existing: 'replace' }))).toEqual(done);
    expect([readFileSync(at('to', 'a', 'f'), 'utf8'), readFileSync(at('to', 'mine'), 'utf8')]).toEqual([
      'content',
      'mine',
    ]);
  });

  test('does not write through a symlink in the target', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('from', 'd'), { recursive: true });
    writeFileSync(at('from', 'f'), 'new');
    mkdirSync(at('to'));
    writeFileSync(at('victim'), 'untouched');
    symlinkSync('../victim', at('to', 'f'));
    expect(await worker.run(copy(at('from'), at('to'), { existing: 'replace' }))).toEqual(done);
    expect([readFileSync(at('victim'), 'utf8'), lstatSync(at('to', 'f')).isFile()]).toEqual(['untouched', true]);
    execFileSync('sh', ['-c', 'rm -r to/d; mkdir elsewhere; ln -s ../elsewhere to/d; echo x >from/d/x'], { cwd: at() });
    expect(await worker.run(copy(at('from'), at('to'), { existing: 'replace' }))).toMatchObject({
      kind: 'failed',
      syscall: 'mkdir',
    });
    expect(readdirSync(at('elsewhere'))).toEqual([]);
  });

  test('with links followed: their targets, and a reported loop', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('from', 'd'), { recursive: true });
    writeFileSync(at('from', 'd', 'f'), 'content');
    symlinkSync('d', at('from', 'e'));
    symlinkSync('d/f', at('from', 'g'));
    expect(await worker.run(copy(at('from'), at('to'), { symlink: 'follow' }))).toEqual(done);
    expect([readFileSync(at('to', 'e', 'f'), 'utf8'), lstatSync(at('to', 'g')).isFile()]).toEqual(['content', true]);
    symlinkSync('..', at('from', 'd', 'loop'));
    expect(await worker.run(copy(at('from'), at('again'), { symlink: 'follow' }))).toMatchObject({
      kind: 'failed',
      errno: constants.errno.ELOOP,
    });
  });

  test.each(['from/inside', 'from/d/inside', 'from', 'alias/inside'])(
    'into itself (%s) is refused before anything is made',
    async (to) => {
      const { worker, at } = startWorker();
      mkdirSync(at('from', 'd'), { recursive: true });
      symlinkSync('from', at('alias'));
      expect(await worker.run(copy(at('from'), at(to), { existing: 'replace' }))).toMatchObject({
        kind: 'failed',
        errno: constants.errno.EINVAL,
      });
      expect(readdirSync(at('from'))).toEqual(['d']);
    },
  );

  test('beside itself, with a name that begins alike, is fine', async () => {
    const { worker, at } = startWorker();
    plant(at('from'));
    expect(await worker.run(copy(at('from'), at('from-2')))).toEqual(done);
  });

  test('of 500 levels, and its removal, with few descriptors', async () => {
    const { worker, at } = startWorker();
    execFileSync('sh', ['-c', 'for i in $(seq 500); do mkdir d; echo $i >d/f$i; cd d; done', at()], { cwd: at() });
    execFileSync('prlimit', ['--nofile=200', '--pid', String(worker.process.pid)]);
    expect(await worker.run(copy(at('d'), at('e')))).toEqual(done);
    const files = execFileSync(
      'sh',
      ['-c', 'find e -type f | wc -l; find e -type f -exec cat {} + | sort -n | tail -n 1'],
      { cwd: at(), encoding: 'utf8' },
    );
    expect(files.split(/\s+/u)).toEqual(['500', '500', '']);
    for (const name of ['d', 'e']) expect(await worker.run(remove(at(name)))).toEqual(done);
    expect(readdirSync(at())).toEqual([]);
  });
});

describe('remove', () => {
  test('a tree with everything in it, without following', async () => {
    const { worker, at } = startWorker();
    plant(at('tree'));
    if (!isRoot) chmodSync(at('tree', 'closed'), 0o755);
    mkdirSync(at('safe'));
    writeFileSync(at('safe', 'f'), 'kept');
    symlinkSync('../safe', at('tree', 'link'));
    symlinkSync('safe', at('top'));
    expect(await worker.run(remove(at('tree')))).toEqual(done);
    expect(await worker.run(remove(at('top')))).toEqual(done);
    expect(readdirSync(at())).toEqual(['safe']);
    expect(readFileSync(at('safe', 'f'), 'utf8')).toBe('kept');
  });

  test('a single file, link or empty directory', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '');
    mkdirSync(at('d'));
    symlinkSync('d', at('l'));
    for (const name of ['f', 'l', 'd']) expect(await worker.run(remove(at(name), { tree: 'single' }))).toEqual(done);
    expect(readdirSync(at())).toEqual([]);
  });

  test('a missing path, if allowed', async () => {
    const { worker, at } = startWorker();
    expect(await worker.run(remove(at('missing'), { missing: 'ignore' }))).toEqual(done);
  });

  test('10,000 files in one directory', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d'));
    for (let i = 0; i < 10_000; i++) writeFileSync(at('d', `file-with-a-name-${i}`), '');
    expect(await worker.run(remove(at('d')))).toEqual(done);
    expect(existsSync(at('d'))).toBe(false);
  });

  test.skipIf(isRoot)(
    isRoot
      ? 'stops at what may not be removed (skipped: nothing is forbidden to root)'
      : 'stops at what may not be removed, and says where',
    async () => {
      const { worker, at } = startWorker();
      mkdirSync(at('tree', 'closed'), { recursive: true });
      writeFileSync(at('tree', 'closed', 'f'), '');
      chmodSync(at('tree', 'closed'), 0o555);
      expect(await worker.run(remove(at('tree')))).toEqual({
        kind: 'failed',
        errno: constants.errno.EACCES,
        syscall: 'unlink',
        path: Buffer.from(at('tree', 'closed', 'f')),
      });
    },
  );

  test('while another process swaps a directory in it for a link to a precious one', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('precious'));
    for (let i = 0; i < 20; i++) writeFileSync(at('precious', `p${i}`), '');
    for (let round = 0; round < 30; round++) {
      mkdirSync(at('tree', 'sub'), { recursive: true });
      symlinkSync(at('precious'), at('tree', 'link'));
      for (let i = 0; i < 50; i++) writeFileSync(at('tree', 'sub', `f${i}`), '');
      const swapped = Array.from(
        { length: 40 },
        () => ({ kind: 'rename', from: at('tree', 'sub'), to: at('tree', 'link'), existing: 'exchange' }) as const,
      );
      const other = startWorker().worker;
      const swapping = other.request(swapped, 'never');
      await worker.request([remove(at('tree')), remove(at('tree'), { missing: 'ignore' })], 'never');
      await swapping;
      await worker.run(remove(at('tree'), { missing: 'ignore' }));
    }
    expect(readdirSync(at('precious'))).toHaveLength(20);
  });
});
