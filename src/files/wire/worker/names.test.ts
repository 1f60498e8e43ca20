/** Names, facts about files, and directories. */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { FileEntry, FileStat, ListOperation } from '../../types.ts';
import { startWorker, type TestWorker } from '../testing/worker.ts';

const isRoot = process.getuid?.() === 0;

async function statOf(worker: TestWorker, path: string, symlink: 'follow' | 'itself' = 'itself'): Promise<FileStat> {
  const result = await worker.run({ kind: 'stat', path, symlink });
  if (result.kind !== 'stat') throw new Error(JSON.stringify(result));
  return result.stat;
}

function nodeStat(stat: BigIntStats): Omit<FileStat, 'type' | 'born'> {
  return {
    mode: Number(stat.mode),
    size: stat.size,
    inode: stat.ino,
    device: stat.dev,
    links: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    blocks: stat.blocks,
    blockSize: Number(stat.blksize),
    specialDevice: stat.rdev,
    accessed: stat.atimeNs,
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
  };
}

describe('stat', () => {
  test.each(['/', '/dev/null', '/proc/self/stat', '/etc/passwd', '/usr/bin/env'])(
    'of %s equals the one of Node',
    async (path) => {
      const { worker } = startWorker();
      const { type, born, ...stat } = await statOf(worker, path, 'follow');
      const expected = nodeStat(statSync(path, { bigint: true }));
      if (path === '/proc/self/stat') expect(stat.mode).toBe(expected.mode);
      else expect(stat).toEqual({ ...expected, accessed: stat.accessed });
      expect(type).toBe(path === '/' ? 'directory' : path === '/dev/null' ? 'character-device' : 'file');
      expect(born >= 0n).toBe(true);
    },
  );

  test('of a symlink is its own or its target’s', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'four');
    symlinkSync('f', at('l'));
    expect(await statOf(worker, at('l'))).toMatchObject({ type: 'symlink', size: 1n });
    expect(await statOf(worker, at('l'), 'follow')).toMatchObject({
      type: 'file',
      size: 4n,
      born: statSync(at('f'), { bigint: true }).birthtimeNs,
    });
  });
});

describe('times', () => {
  test.each<bigint>([0n, -1n, 1_700_000_000_123_456_789n, -86_400_000_000_001n, 4_000_000_000_000_000_001n])(
    '%i nanoseconds survive',
    async (time) => {
      const { worker, at } = startWorker();
      writeFileSync(at('f'), '');
      symlinkSync('f', at('l'));
      expect(
        await worker.run({ kind: 'times', path: at('f'), accessed: time, modified: time + 1n, symlink: 'follow' }),
      ).toEqual({ kind: 'done' });
      expect(
        await worker.run({ kind: 'times', path: at('l'), accessed: time + 2n, modified: time + 3n, symlink: 'itself' }),
      ).toEqual({ kind: 'done' });
      const [file, link] = [lstatSync(at('f'), { bigint: true }), lstatSync(at('l'), { bigint: true })];
      expect([file.mtimeNs, link.mtimeNs]).toEqual([time + 1n, time + 3n]);
      expect(await statOf(worker, at('l'))).toMatchObject({ accessed: time + 2n, modified: time + 3n });
    },
  );

  test('one is left while the other becomes now', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '');
    await worker.run({ kind: 'times', path: at('f'), accessed: 5n, modified: 6n, symlink: 'follow' });
    await worker.run({ kind: 'times', path: at('f'), accessed: 'leave', modified: 'now', symlink: 'follow' });
    const stat = await statOf(worker, at('f'));
    expect(stat.accessed).toBe(5n);
    expect(Math.abs(Number(stat.modified / 1_000_000n) - Date.now())).toBeLessThan(60_000);
  });
});

describe('modes, owners, access', () => {
  test('chmod follows links', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '');
    symlinkSync('f', at('l'));
    await worker.run({ kind: 'mode', path: at('l'), mode: 0o1640 });
    expect(lstatSync(at('f')).mode & 0o7777).toBe(0o1640);
  });

  test.skipIf(!isRoot)(
    isRoot
      ? 'chown of a file, of a link itself, and of the group alone'
      : 'chown (skipped: only root can give files away)',
    async () => {
      const { worker, at } = startWorker();
      writeFileSync(at('f'), '');
      symlinkSync('f', at('l'));
      await worker.run({ kind: 'owner', path: at('l'), uid: 7, gid: 8, symlink: 'follow' });
      await worker.run({ kind: 'owner', path: at('l'), uid: 9, gid: 10, symlink: 'itself' });
      await worker.run({ kind: 'owner', path: at('f'), uid: -1, gid: 11, symlink: 'follow' });
      expect([lstatSync(at('f')), lstatSync(at('l'))].map(({ uid, gid }) => [uid, gid])).toEqual([
        [7, 11],
        [9, 10],
      ]);
    },
  );

  test('access checks the requested rights', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), '');
    chmodSync(at('f'), 0o755);
    for (const mode of [0, 1, 4, 5])
      expect(await worker.run({ kind: 'access', path: at('f'), mode })).toEqual({ kind: 'done' });
    expect(await worker.run({ kind: 'access', path: at('f'), mode: 8 })).toMatchObject({
      errno: constants.errno.EINVAL,
    });
  });
});

describe('rename, link, symlink', () => {
  test('rename replaces, refuses or exchanges', async () => {
    const { worker, at } = startWorker();
    for (const name of ['a', 'b', 'c']) writeFileSync(at(name), name);
    expect(await worker.run({ kind: 'rename', from: at('a'), to: at('b'), existing: 'refuse' })).toMatchObject({
      errno: constants.errno.EEXIST,
      syscall: 'rename',
    });
    await worker.run({ kind: 'rename', from: at('a'), to: at('b'), existing: 'exchange' });
    expect([readFileSync(at('a'), 'utf8'), readFileSync(at('b'), 'utf8')]).toEqual(['b', 'a']);
    await worker.run({ kind: 'rename', from: at('a'), to: at('c'), existing: 'replace' });
    expect(readFileSync(at('c'), 'utf8')).toBe('b');
    await worker.run({ kind: 'rename', from: at('c'), to: at('d'), existing: 'refuse' });
    expect(readFileSync(at('d'), 'utf8')).toBe('b');
  });

  test('link gives a symlink a second name, not where it leads', async () => {
    const { worker, at } = startWorker();
    symlinkSync('nowhere', at('l'));
    expect(await worker.run({ kind: 'link', from: at('l'), to: at('m') })).toEqual({ kind: 'done' });
    expect(readlinkSync(at('m'))).toBe('nowhere');
  });

  test.each(['../x', '/absolute', 'no such\nplace', 'x'.repeat(4095)])(
    'symlink and readlink keep the text (%#)',
    async (link) => {
      const { worker, at } = startWorker();
      expect(await worker.run({ kind: 'symlink', text: link, path: at('l') })).toEqual({ kind: 'done' });
      expect(await worker.run({ kind: 'readlink', path: at('l') })).toEqual({ kind: 'path', path: Buffer.from(link) });
    },
  );

  test('realpath follows everything', async () => {
    const { worker, at, directory } = startWorker();
    mkdirSync(at('d'));
    symlinkSync('d', at('l'));
    writeFileSync(at('d', 'f'), '');
    const result = await worker.run({ kind: 'realpath', path: `${directory}/l/../l/./f` });
    expect(result).toEqual({ kind: 'path', path: Buffer.from(realpathSync(at('l', 'f'))) });
  });
});

describe('make directories', () => {
  test('all that are missing, and it is fine when none is', async () => {
    const { worker, at } = startWorker();
    for (const path of ['a/b/c', 'a/b/c', 'a', 'x//y/', 'a/../q/r', '.', 'x/y/z/.'])
      expect(
        await worker.run({ kind: 'makeDirectory', path: `${at()}/${path}`, mode: 0o777, parents: 'make' }),
      ).toEqual({ kind: 'done' });
    expect(['a/b/c', 'x/y/z', 'q/r'].map((path) => statSync(at(path)).isDirectory())).toEqual([true, true, true]);
    expect(await worker.run({ kind: 'makeDirectory', path: '/', mode: 0o777, parents: 'make' })).toEqual({
      kind: 'done',
    });
  });

  test('with the mode, under the umask', async () => {
    const { worker, at } = startWorker();
    await worker.run({ kind: 'makeDirectory', path: at('a', 'b'), mode: 0o1770, parents: 'make' });
    expect([lstatSync(at('a')).mode, lstatSync(at('a', 'b')).mode].map((mode) => mode & 0o7777)).toEqual([
      0o1770 & ~process.umask(),
      0o1770 & ~process.umask(),
    ]);
  });

  test('deeper than a path is long, one after the other', async () => {
    const { worker } = startWorker();
    const relative = `${'d'.repeat(200)}/`.repeat(19);
    expect(await worker.run({ kind: 'makeDirectory', path: relative, mode: 0o777, parents: 'make' })).toEqual({
      kind: 'done',
    });
    expect(
      await worker.run({ kind: 'makeDirectory', path: relative + relative, mode: 0o777, parents: 'make' }),
    ).toMatchObject({ errno: constants.errno.ENAMETOOLONG, syscall: 'mkdir' });
  });
});

describe('temporary files and directories', () => {
  test.each(['file', 'directory'] as const)('a private %s has its own name', async (type) => {
    const { worker, directory } = startWorker();
    const paths = await worker.request(
      Array.from({ length: 20 }, () => ({ kind: 'temporary', type, directory, prefix: 'pre-', suffix: '.txt' })),
    );
    expect(
      new Set(paths.map((result) => (result.kind === 'path' ? Buffer.from(result.path).toString() : ''))).size,
    ).toBe(20);
    for (const result of paths) {
      const path = result.kind === 'path' ? Buffer.from(result.path).toString() : '';
      expect(path).toMatch(/\/pre-[A-Za-z0-9]{12}\.txt$/u);
      expect(path.startsWith(`${directory}/`)).toBe(true);
      expect(lstatSync(path).mode & 0o777).toBe(type === 'file' ? 0o600 : 0o700);
      expect(lstatSync(path).isDirectory()).toBe(type === 'directory');
    }
  });

  test('appear only in the named directory', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d'));
    for (const [prefix, suffix] of [
      ['../', ''],
      ['', '/../x'],
      ['a/b', ''],
    ] as const)
      expect(await worker.run({ kind: 'temporary', type: 'file', directory: at('d'), prefix, suffix })).toMatchObject({
        errno: constants.errno.EINVAL,
      });
    expect(readdirSync(at())).toEqual(['d']);
  });
});

describe('list', () => {
  async function listAll(
    worker: TestWorker,
    path: string,
    detail: ListOperation['detail'],
  ): Promise<readonly FileEntry[]> {
    const entries: FileEntry[] = [];
    for (let from = 0; ; ) {
      const result = await worker.run({ kind: 'list', path, from, detail });
      if (result.kind !== 'entries') throw new Error(JSON.stringify(result));
      entries.push(...result.entries);
      if (result.more === 0) return entries;
      from = result.more;
    }
  }

  test('an empty directory, names with any byte, and every type', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('empty'));
    expect(await listAll(worker, at('empty'), 'stat')).toEqual([]);
    const odd = Buffer.from('ff0a22', 'hex');
    writeFileSync(Buffer.concat([Buffer.from(`${at()}/`), odd]), 'x');
    symlinkSync('nowhere', at('link'));
    const found = await listAll(worker, at(), 'names');
    expect(found.map(({ name, type }) => [Buffer.from(name).toString('latin1'), type]).toSorted()).toEqual([
      ['empty', 'directory'],
      ['link', 'symlink'],
      [odd.toString('latin1'), 'file'],
    ]);
    expect(found.every((entry) => !('stat' in entry))).toBe(true);
  });

  test('with stat it says of each what lstat says', async () => {
    const { worker, at } = startWorker();
    symlinkSync('nowhere', at('link'));
    writeFileSync(at('f'), 'x');
    linkSync(at('f'), at('g'));
    for (const { name, type, stat } of await listAll(worker, at(), 'stat')) {
      const { type: same, born, ...rest } = stat ?? (await statOf(worker, ''));
      expect(same).toBe(type);
      expect(born).toBeTypeOf('bigint');
      expect(rest).toEqual(nodeStat(lstatSync(at(Buffer.from(name).toString()), { bigint: true })));
    }
  });

  test.each(['names', 'stat'] as const)(
    '20,000 names, each once (%s)',
    async (detail) => {
      const { worker, at } = startWorker();
      const expected = Array.from({ length: 20_000 }, (_, i) => `${'long-name-'.repeat(6)}${i}`);
      for (const name of expected) writeFileSync(at(name), '');
      const found = await listAll(worker, at(), detail);
      expect(found.map(({ name }) => Buffer.from(name).toString()).toSorted()).toEqual(expected.toSorted());
    },
    120_000,
  );

  test('two at a time do not disturb each other; a dropped one is reported', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d'));
    for (let i = 0; i < 6000; i++) writeFileSync(at('d', `${'long-name-'.repeat(6)}${i}`), '');
    const first = await worker.run({ kind: 'list', path: at('d'), from: 0, detail: 'names' });
    const from = first.kind === 'entries' ? first.more : 0;
    expect(from).toBeGreaterThan(0);
    expect(await listAll(worker, at('d'), 'names')).toHaveLength(6000);
    const rest = await worker.run({ kind: 'list', path: at('d'), from, detail: 'names' });
    expect(
      (first.kind === 'entries' ? first.entries.length : 0) + (rest.kind === 'entries' ? rest.entries.length : 0),
    ).toBe(6000);
    const abandoned = await worker.run({ kind: 'list', path: at('d'), from: 0, detail: 'names' });
    for (let i = 0; i < 64; i++) await worker.run({ kind: 'list', path: at('d'), from: 0, detail: 'names' });
    expect(
      await worker.run({
        kind: 'list',
        path: at('d'),
        from: abandoned.kind === 'entries' ? abandoned.more : 0,
        detail: 'names',
      }),
    ).toMatchObject({ errno: constants.errno.ESTALE, syscall: 'scandir' });
  }, 60_000);
});
