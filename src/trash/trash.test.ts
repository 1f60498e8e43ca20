import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { atFdcwd, kernelCall, setAttribute } from '../kernel/index.ts';
import { snapshot } from '../kernel/testing/snapshot.ts';
import { scene } from './testing/scene.ts';

const root = process.getuid?.() === 0;
/** A different file system than /var/tmp, so that moving means copying. */
const elsewhere = '/dev/shm';

function plantTree(top: string): void {
  mkdirSync(join(top, 'a/empty'), { recursive: true });
  writeFileSync(join(top, 'a/file'), 'text');
  linkSync(join(top, 'a/file'), join(top, 'b'));
  symlinkSync('/etc/passwd', join(top, 'link'));
  symlinkSync('missing', join(top, 'a/broken'));
  kernelCall('mknodat', atFdcwd, join(top, 'pipe'), 0o010600, 0);
  writeFileSync(Buffer.from(`${top}/\xff\n`, 'latin1'), 'odd');
  setAttribute(join(top, 'a/file'), 'user.note', Buffer.from('x'));
  chmodSync(join(top, 'b'), 0o4755);
  lutimesSync(join(top, 'b'), 5, 1_234_567.891);
  lutimesSync(join(top, 'link'), 5, 77);
  chmodSync(join(top, 'a/empty'), 0o555);
  lutimesSync(join(top, 'a'), 5, 1_000_000);
  chmodSync(top, 0o750);
  lutimesSync(top, 5, 2_000_000);
}

describe.each([
  ['by moving, on one file system', '/var/tmp'],
  ['by copying, between file systems', elsewhere],
])('taking and restoring %s', (_, place) => {
  test('a whole tree comes back as it was', () => {
    const { workspace, trash, request } = scene(place);
    plantTree(join(workspace, 'tree'));
    const before = snapshot(join(workspace, 'tree'));
    const entry = trash.keep(request('tree'));
    expect(existsSync(join(workspace, 'tree'))).toBe(false);
    expect(trash.list()).toEqual([entry]);
    expect(entry).toMatchObject({ path: join(workspace, 'tree'), workspace, session: 's1', cause: 'deleted' });
    expect(trash.restore({ id: entry.id }).toString()).toBe(join(workspace, 'tree'));
    expect(snapshot(join(workspace, 'tree'))).toEqual(before);
    expect(trash.list()).toEqual([]);
  });

  test('a symlink is taken itself, and what it leads to stays', () => {
    const { workspace, trash, request } = scene(place);
    writeFileSync(join(workspace, 'target'), '');
    symlinkSync('target', join(workspace, 'link'));
    const entry = trash.keep(request('link'));
    expect(readdirSync(workspace)).toEqual(['target']);
    trash.restore({ id: entry.id });
    expect(readdirSync(workspace)).toEqual(['link', 'target']);
  });

  test('a read-only directory is taken and comes back read-only', () => {
    const { workspace, trash, request } = scene(place);
    mkdirSync(join(workspace, 'closed'));
    writeFileSync(join(workspace, 'closed/file'), '');
    chmodSync(join(workspace, 'closed'), 0o555);
    const before = snapshot(join(workspace, 'closed'));
    const { id } = trash.keep(request('closed'));
    trash.restore({ id });
    expect(snapshot(join(workspace, 'closed'))).toEqual(before);
  });

  test('a copy leaves it where it is, and overwriting it does not change the copy', () => {
    const { workspace, trash, request } = scene(place);
    writeFileSync(join(workspace, 'file'), 'first');
    const { id, cause } = trash.keep(request('file', 'copy'));
    expect(cause).toBe('overwritten');
    writeFileSync(join(workspace, 'file'), 'second');
    trash.restore({ id, to: Buffer.from(join(workspace, 'before')) });
    expect(readFileSync(join(workspace, 'before'), 'utf8')).toBe('first');
    expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('second');
  });

  test('a name that is no UTF-8, and one with a line break', () => {
    const { workspace, trash, request } = scene(place);
    const name = Buffer.from('\xc3(\n', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), name]), 'odd');
    const entry = trash.keep(request(name));
    expect(entry.path).toBe(`${workspace}/%C3(\n`);
    expect(trash.restore({ id: entry.id })).toEqual(Buffer.concat([Buffer.from(`${workspace}/`), name]));
    expect(readdirSync(workspace, { encoding: 'buffer' })).toEqual([name]);
  });
});

test.runIf(root)('an owner comes back (needs root)', () => {
  const { workspace, trash, request } = scene(elsewhere);
  writeFileSync(join(workspace, 'file'), '');
  chownSync(join(workspace, 'file'), 1234, 4321);
  trash.restore({ id: trash.keep(request('file')).id });
  expect(statSync(join(workspace, 'file'))).toMatchObject({ uid: 1234, gid: 4321 });
});

describe('what is refused leaves the item where it is', () => {
  test('a missing path', () => {
    const { trash, request } = scene();
    expect(() => trash.keep(request('missing'))).toThrow(
      expect.objectContaining({ code: 'HF_TRASH_FAILED', details: expect.objectContaining({ errno: 'ENOENT' }) }),
    );
    expect(trash.list()).toEqual([]);
  });

  test('an item larger than the quota', () => {
    const { workspace, open, request, directory } = scene();
    writeFileSync(join(workspace, 'large'), Buffer.alloc(20_000, 'x'));
    expect(() => open({ bytes: 10_000 }).keep(request('large'))).toThrow(
      expect.objectContaining({ code: 'HF_QUOTA_EXCEEDED', message: expect.stringContaining('was not deleted') }),
    );
    expect(readFileSync(join(workspace, 'large')).length).toBe(20_000);
    expect(readdirSync(directory)).toEqual([]);
  });

  test.runIf(root)('a full disk (needs root, to mount one)', async () => {
    const { execFileSync } = await import('node:child_process');
    const small = mkdtempSync('/var/tmp/holdfast-small-');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', small]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', small]);
      rmSync(small, { recursive: true });
    });
    const { workspace, open, request } = scene();
    mkdirSync(join(workspace, 'tree'));
    for (const name of ['a', 'b', 'c']) writeFileSync(join(workspace, 'tree', name), Buffer.alloc(100_000, name));
    const before = snapshot(join(workspace, 'tree'));
    const trash = open({ directory: join(small, 'trash') });
    expect(() => trash.keep(request('tree'))).toThrow(
      expect.objectContaining({ code: 'HF_DISK_FULL', message: expect.stringContaining('left unchanged') }),
    );
    expect(snapshot(join(workspace, 'tree'))).toEqual(before);
    expect(trash.list()).toEqual([]);
    expect(readdirSync(join(small, 'trash'))).toEqual([]);
  });

  test('a socket that was copied is still one', () => {
    const { workspace, trash, request } = scene(elsewhere);
    kernelCall('mknodat', atFdcwd, join(workspace, 'socket'), 0o140600, 0);
    trash.restore({ id: trash.keep(request('socket')).id });
    expect(statSync(join(workspace, 'socket')).isSocket()).toBe(true);
  });
});

describe('restoring', () => {
  test('never overwrites', () => {
    const { workspace, trash, request } = scene();
    writeFileSync(join(workspace, 'file'), 'first');
    const { id } = trash.keep(request('file'));
    writeFileSync(join(workspace, 'file'), 'second');
    expect(() => trash.restore({ id })).toThrow(
      expect.objectContaining({ code: 'HF_TRASH_FAILED', remedy: expect.stringContaining('--to') }),
    );
    expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('second');
    expect(trash.list()).toHaveLength(1);
    trash.restore({ id, to: Buffer.from(join(workspace, 'other')) });
    expect(readFileSync(join(workspace, 'other'), 'utf8')).toBe('first');
  });

  test('makes the directories that are gone, and follows no link to them', () => {
    const { workspace, trash, request } = scene();
    mkdirSync(join(workspace, 'a/b'), { recursive: true });
    writeFileSync(join(workspace, 'a/b/file'), 'text');
    const { id } = trash.keep(request('a/b/file'));
    rmSync(join(workspace, 'a'), { recursive: true });
    symlinkSync('/etc', join(workspace, 'a'));
    expect(() => trash.restore({ id })).toThrow(
      expect.objectContaining({ code: 'HF_TRASH_FAILED', details: expect.objectContaining({ errno: 'ELOOP' }) }),
    );
    rmSync(join(workspace, 'a'));
    trash.restore({ id });
    expect(readFileSync(join(workspace, 'a/b/file'), 'utf8')).toBe('text');
  });

  test('an entry that is not there', () => {
    const { trash } = scene();
    for (const id of ['', '..', '../workspace', '20261103-101112-345678-aaaaaa-2s'])
      expect(() => trash.restore({ id })).toThrow(expect.objectContaining({ code: 'HF_TRASH_FAILED' }));
  });

  test('an entry whose description a power failure took needs a place', () => {
    const { workspace, trash, request, directory } = scene();
    writeFileSync(join(workspace, 'file'), 'text');
    const { id } = trash.keep(request('file'));
    writeFileSync(join(directory, id, 'entry.json'), '');
    expect(trash.list()).toMatchObject([{ id, path: '' }]);
    expect(() => trash.restore({ id })).toThrow(/no longer known/u);
    trash.restore({ id, to: Buffer.from(join(workspace, 'found')) });
    expect(readFileSync(join(workspace, 'found'), 'utf8')).toBe('text');
  });
});

describe('quotas', () => {
  test('the oldest go first', () => {
    const { workspace, open, request } = scene();
    const trash = open({ bytes: 30_000 });
    const ids = ['a', 'b', 'c', 'd'].map((name) => {
      writeFileSync(join(workspace, name), Buffer.alloc(10_000, name));
      return trash.keep(request(name)).id;
    });
    expect(trash.list().map(({ id }) => id)).toEqual(ids.slice(1));
  });

  test('the newest stays, however large it is', () => {
    const { workspace, open, request } = scene();
    const trash = open({ bytes: 30_000 });
    for (const [name, size] of [
      ['a', 10_000],
      ['b', 10_000],
      ['c', 29_000],
    ] as const) {
      writeFileSync(join(workspace, name), Buffer.alloc(size));
      trash.keep(request(name));
    }
    expect(trash.list().map(({ path }) => path)).toEqual([join(workspace, 'c')]);
  });

  test('what is too old goes when something new comes', async () => {
    const { workspace, open, request } = scene();
    for (const name of ['old', 'new']) writeFileSync(join(workspace, name), name);
    open().keep(request('old'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    open({ age: 10 }).keep(request('new'));
    expect(
      open()
        .list()
        .map(({ path }) => path),
    ).toEqual([join(workspace, 'new')]);
  });

  test('what another process keeps counts', () => {
    const { workspace, open, request } = scene();
    const [one, other] = [open({ bytes: 30_000 }), open({ bytes: 30_000 })];
    for (let number = 0; number < 300; number += 1) {
      writeFileSync(join(workspace, `f${number}`), Buffer.alloc(1000));
      (number % 2 === 0 ? one : other).keep(request(`f${number}`));
    }
    expect(one.list().length).toBeLessThanOrEqual(60);
    expect(one.list().at(-1)?.path).toBe(join(workspace, 'f299'));
  });

  test('holes count for nothing', () => {
    const { workspace, open, request } = scene();
    const file = openSync(join(workspace, 'sparse'), 'w');
    ftruncateSync(file, 1e10);
    closeSync(file);
    expect(open({ bytes: 10_000 }).keep(request('sparse')).size).toBeLessThan(10_000);
  });
});

describe('purge', () => {
  test('removes what is older, read-only trees too, and nothing that a link leads to', () => {
    const { workspace, trash, request, directory } = scene();
    plantTree(join(workspace, 'tree'));
    symlinkSync(workspace, join(workspace, 'tree/workspace'));
    writeFileSync(join(workspace, 'kept'), '');
    const { id, at } = trash.keep(request('tree'));
    expect(trash.purge(at)).toEqual([]);
    expect(trash.purge(at + 1).map((entry) => entry.id)).toEqual([id]);
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(workspace)).toEqual(['kept']);
  });

  test('of a trash that is not there', () => {
    const { trash } = scene();
    expect(trash.purge()).toEqual([]);
    expect(trash.list()).toEqual([]);
  });
});

describe('a file with another name', () => {
  test('is copied, so that the other name cannot change what was kept', () => {
    const { workspace, trash, request } = scene();
    writeFileSync(join(workspace, 'a'), 'first');
    linkSync(join(workspace, 'a'), join(workspace, 'b'));
    const { id } = trash.keep(request('a'));
    writeFileSync(join(workspace, 'b'), 'changed');
    trash.restore({ id });
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('first');
  });
});
