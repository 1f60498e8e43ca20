import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { atFdcwd, below, kernelCall, openDirectory, removeTree } from '../kernel/index.ts';
import { snapshot } from '../kernel/testing/snapshot.ts';
import { scene } from './testing/scene.ts';

const root = process.getuid?.() === 0;

function objectsIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => /objects\/..\/./u.test(name));
}

describe('a git work tree', () => {
  test('comes back with its index, ignored and new files, and git agrees', () => {
    const { workspace, checkpoints } = scene();
    const git = (...words: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
        cwd: workspace,
        encoding: 'utf8',
      });
    git('init', '-q');
    writeFileSync(join(workspace, '.gitignore'), 'built\n');
    writeFileSync(join(workspace, 'built'), 'ignored');
    writeFileSync(join(workspace, 'a'), 'a');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(workspace, 'new'), 'new');
    writeFileSync(join(workspace, 'a'), 'changed');
    git('add', 'a');
    // Must come first, because it writes to the index.
    const [status, head] = [git('status', '--porcelain'), git('rev-parse', 'HEAD')];
    const tree = snapshot(workspace);
    const { id } = checkpoints.create('work').summary;
    git('commit', '-qam', 'second');
    git('gc', '-q', '--prune=now');
    rmSync(join(workspace, 'built'));
    rmSync(join(workspace, 'new'));
    checkpoints.restore(id);
    expect(snapshot(workspace)).toEqual(tree);
    expect([git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual([status, head]);
    expect(git('fsck', '--strict')).toBe('');
  });
});

describe('create', () => {
  test('stores equal contents once, and unchanged ones not again', () => {
    const { workspace, directory, checkpoints } = scene();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(workspace, name), name === 'c' ? 'other' : 'same');
    const { summary } = checkpoints.create('first');
    expect(summary).toMatchObject({ name: 'first', origin: 'user', workspace, entries: 4, bytes: 13 });
    checkpoints.create('second');
    expect(objectsIn(directory)).toHaveLength(2);
    expect(checkpoints.list().map(({ name }) => name)).toEqual(['first', 'second']);
  });

  // The content changes, but size and modification time stay the same. Only the change time, which no program can set,
  // shows that.
  test('sees a change that hides behind the same size and time', async () => {
    const { workspace, checkpoints } = scene();
    writeFileSync(join(workspace, 'file'), 'first');
    utimesSync(join(workspace, 'file'), 1000, 1000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { id } = checkpoints.create().summary;
    writeFileSync(join(workspace, 'file'), 'other');
    utimesSync(join(workspace, 'file'), 1000, 1000);
    expect(checkpoints.diff(id).differences).toMatchObject([{ path: 'file', kind: 'modified' }]);
  });

  // A file that changes twice within one tick of the clock looks unchanged to a program that trusts the clock.
  test('sees a change right after the one before', () => {
    const { workspace, checkpoints } = scene();
    for (let turn = 0; turn < 20; turn += 1) {
      writeFileSync(join(workspace, 'file'), `a${turn % 10}`);
      const { id } = checkpoints.create().summary;
      writeFileSync(join(workspace, 'file'), `b${turn % 10}`);
      expect(checkpoints.diff(id).differences).toHaveLength(1);
    }
  });

  test('leaves out sockets and its own state, keeps FIFOs, and says so', () => {
    const { workspace, open } = scene();
    const checkpoints = open({ directory: join(workspace, 'state/checkpoints') });
    kernelCall('mknodat', atFdcwd, join(workspace, 'socket'), 0o140600, 0);
    kernelCall('mknodat', atFdcwd, join(workspace, 'pipe'), 0o010600, 0);
    checkpoints.list();
    const { summary, entries, leftOut } = checkpoints.create();
    expect(entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['directory ', 'fifo pipe']);
    expect(leftOut).toEqual([
      { path: 'socket', reason: 'socket' },
      { path: 'state', reason: 'state-of-holdfast' },
    ]);
    rmSync(join(workspace, 'pipe'));
    checkpoints.restore(summary.id);
    expect(statSync(join(workspace, 'pipe')).isFIFO()).toBe(true);
    expect(statSync(join(workspace, 'socket')).isSocket()).toBe(true);
    expect(checkpoints.list()).toHaveLength(2);
  });

  test.skipIf(root)('names a file that cannot be read, and leaves nothing behind (root reads everything)', () => {
    const { workspace, directory, checkpoints } = scene();
    writeFileSync(join(workspace, 'a'), 'a');
    writeFileSync(join(workspace, 'secret'), 'secret');
    chmodSync(join(workspace, 'secret'), 0);
    expect(() => checkpoints.create()).toThrow(
      expect.objectContaining({ code: 'HF_CHECKPOINT_FAILED', message: '"secret" cannot be read (EACCES)' }),
    );
    expect(objectsIn(directory)).toEqual([]);
  });

  test('refuses more than the quota, and leaves nothing behind', () => {
    const { workspace, directory, open } = scene();
    const checkpoints = open({ bytes: 100_000 });
    writeFileSync(join(workspace, 'a'), Buffer.alloc(60_000, 'a'));
    checkpoints.create();
    writeFileSync(join(workspace, 'b'), Buffer.alloc(60_000, 'b'));
    expect(() => checkpoints.create()).toThrow(expect.objectContaining({ code: 'HF_QUOTA_EXCEEDED' }));
    expect(objectsIn(directory)).toHaveLength(1);
    writeFileSync(join(workspace, 'b'), Buffer.alloc(2_000_000, 'b'));
    expect(() => checkpoints.create()).toThrow(expect.objectContaining({ code: 'HF_QUOTA_EXCEEDED' }));
    expect(checkpoints.list()).toHaveLength(1);
  });

  test('says that the workspace is missing', () => {
    const { workspace, checkpoints } = scene();
    rmSync(workspace, { recursive: true });
    expect(() => checkpoints.create()).toThrow(expect.objectContaining({ code: 'HF_WORKSPACE_MISSING' }));
    symlinkSync('/etc', workspace);
    expect(() => checkpoints.create()).toThrow(expect.objectContaining({ code: 'HF_WORKSPACE_MISSING' }));
  });

  test.runIf(root)(
    'says that the disk of the state is full, and leaves nothing behind (needs root, to mount one)',
    () => {
      const small = mkdtempSync('/var/tmp/holdfast-small-');
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]);
      onTestFinished(() => {
        execFileSync('umount', ['-l', small]);
        rmSync(small, { recursive: true });
      });
      const { workspace, open } = scene();
      const checkpoints = open({ directory: join(small, 'state/checkpoints') });
      writeFileSync(join(workspace, 'a'), 'a');
      checkpoints.create();
      for (const name of ['b', 'c', 'd']) writeFileSync(join(workspace, name), Buffer.alloc(100_000, name));
      expect(() => checkpoints.create()).toThrow(expect.objectContaining({ code: 'HF_DISK_FULL' }));
      expect(objectsIn(small)).toHaveLength(1);
      expect(checkpoints.list()).toHaveLength(1);
    },
  );

  test.runIf(root)('leaves out mounts, and restoring leaves them alone (needs root, to mount)', () => {
    const { workspace, checkpoints } = scene();
    const { id } = checkpoints.create().summary;
    mkdirSync(join(workspace, 'mounted'));
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(workspace, 'mounted')]);
    onTestFinished(() => void execFileSync('umount', ['-l', join(workspace, 'mounted')]));
    writeFileSync(join(workspace, 'mounted/file'), 'kept');
    writeFileSync(join(workspace, 'file'), 'goes');
    expect(checkpoints.create().leftOut).toEqual([{ path: 'mounted', reason: 'other-file-system' }]);
    checkpoints.restore(id);
    expect(readFileSync(join(workspace, 'mounted/file'), 'utf8')).toBe('kept');
    expect(existsSync(join(workspace, 'file'))).toBe(false);
  });
});

describe('restore', () => {
  test('reports its changes, keeps unchanged files, and can be undone twice', () => {
    const { workspace, checkpoints } = scene();
    for (const name of ['same', 'changed', 'deleted']) writeFileSync(join(workspace, name), name);
    const { id } = checkpoints.create().summary;
    const inode = statSync(join(workspace, 'same')).ino;
    writeFileSync(join(workspace, 'changed'), 'new');
    rmSync(join(workspace, 'deleted'));
    mkdirSync(join(workspace, 'new/inner'), { recursive: true });
    chmodSync(join(workspace, 'same'), 0o600);
    const now = snapshot(workspace);
    const { undo = '', ...done } = checkpoints.restore(id);
    expect(done).toEqual({ written: 2, removed: 2, adjusted: 2, skipped: [], leftOut: [] });
    expect(statSync(join(workspace, 'same')).ino).toBe(inode);
    expect(readdirSync(workspace).sort()).toEqual(['changed', 'deleted', 'same']);
    const redo = checkpoints.restore(undo).undo ?? '';
    expect(snapshot(workspace)).toEqual(now);
    checkpoints.restore(redo);
    expect(readFileSync(join(workspace, 'changed'), 'utf8')).toBe('changed');
  });

  test('of an equal workspace does nothing and makes no checkpoint', () => {
    const { workspace, checkpoints } = scene();
    writeFileSync(join(workspace, 'a'), 'a');
    const { id } = checkpoints.create().summary;
    expect(checkpoints.restore(id)).toEqual({
      undo: undefined,
      written: 0,
      removed: 0,
      adjusted: 0,
      skipped: [],
      leftOut: [],
    });
    expect(checkpoints.list()).toHaveLength(1);
  });

  test('shares and separates hard links as they were', () => {
    const { workspace, checkpoints } = scene();
    writeFileSync(join(workspace, 'a'), 'x');
    linkSync(join(workspace, 'a'), join(workspace, 'b'));
    writeFileSync(join(workspace, 'c'), 'x');
    const then = snapshot(workspace);
    const { id } = checkpoints.create().summary;
    rmSync(join(workspace, 'b'));
    renameSync(join(workspace, 'c'), join(workspace, 'd'));
    linkSync(join(workspace, 'a'), join(workspace, 'c'));
    checkpoints.restore(id);
    expect(snapshot(workspace)).toEqual(then);
  });

  test('keeps no more automatic checkpoints than it should, and their contents go with them', () => {
    const { workspace, directory, open } = scene();
    const checkpoints = open({ automatic: 3 });
    writeFileSync(join(workspace, 'file'), 'first');
    const { id } = checkpoints.create().summary;
    for (let turn = 0; turn < 6; turn += 1) {
      writeFileSync(join(workspace, 'file'), `turn ${turn}`);
      checkpoints.restore(id);
    }
    expect(checkpoints.list().map(({ origin }) => origin)).toEqual(['user', 'automatic', 'automatic', 'automatic']);
    expect(objectsIn(directory)).toHaveLength(4);
  });

  test('notices a damaged content before it changes anything', () => {
    const { workspace, directory, checkpoints } = scene();
    writeFileSync(join(workspace, 'a'), 'first a');
    writeFileSync(join(workspace, 'b'), Buffer.alloc(3_000_000, 'b'));
    const { id } = checkpoints.create().summary;
    for (const name of ['a', 'b']) writeFileSync(join(workspace, name), 'second');
    const now = snapshot(workspace);
    for (const object of objectsIn(directory)) truncateSync(join(directory, object), 3);
    expect(() => checkpoints.restore(id)).toThrow(
      expect.objectContaining({ code: 'HF_CHECKPOINT_FAILED', message: expect.stringContaining('damaged') }),
    );
    expect(snapshot(workspace)).toEqual(now);
    expect(checkpoints.pending()).toBeUndefined();
  });

  test('notices a damaged manifest', () => {
    const { workspace, directory, checkpoints } = scene();
    writeFileSync(join(workspace, 'a'), 'a');
    const { id } = checkpoints.create().summary;
    const manifest = join(directory, readdirSync(directory)[0] ?? '', 'manifests', `${id}.jsonl`);
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"a"', '"../../../escape"'));
    expect(() => checkpoints.restore(id)).toThrow(/is damaged/u);
    checkpoints.create();
    expect(objectsIn(directory)).toHaveLength(1);
  });
});

describe('a tree deeper than a path may be long', () => {
  /** Makes one directory inside another, again and again, and returns the last one, open. */
  function descend(top: string, levels: number): number {
    let directory = openDirectory(top);
    for (let level = 0; level < levels; level += 1) {
      const inner = below(directory, 'a-longer-name');
      if (!existsSync(inner)) mkdirSync(inner);
      const next = openDirectory(inner);
      closeSync(directory);
      directory = next;
    }
    return directory;
  }

  test('is kept and restored', () => {
    const { workspace, checkpoints } = scene();
    const bottom = descend(workspace, 700);
    writeFileSync(below(bottom, 'file'), 'first');
    const { id } = checkpoints.create().summary;
    writeFileSync(below(bottom, 'file'), 'second');
    expect(checkpoints.restore(id)).toMatchObject({ written: 1, skipped: [] });
    expect(readFileSync(below(bottom, 'file'), 'utf8')).toBe('first');
    closeSync(bottom);
    removeTree(join(workspace, 'a-longer-name'));
    expect(checkpoints.restore(id)).toMatchObject({ written: 701, skipped: [] });
    const again = descend(workspace, 700);
    expect(readFileSync(below(again, 'file'), 'utf8')).toBe('first');
    closeSync(again);
  });
});

describe('remove', () => {
  test('takes the contents that no other checkpoint needs', () => {
    const { workspace, directory, checkpoints } = scene();
    writeFileSync(join(workspace, 'a'), 'a');
    const first = checkpoints.create().summary.id;
    writeFileSync(join(workspace, 'b'), 'b');
    const second = checkpoints.create().summary.id;
    checkpoints.remove(second);
    expect(objectsIn(directory)).toHaveLength(1);
    checkpoints.remove(first);
    expect(objectsIn(directory)).toEqual([]);
    expect(checkpoints.list()).toEqual([]);
  });
});

describe('diff', () => {
  test('names what changed since, and between two, with contents', () => {
    const { workspace, checkpoints } = scene();
    for (const name of ['changed', 'deleted', 'mode', 'kind']) writeFileSync(join(workspace, name), name);
    mkdirSync(join(workspace, 'directory'));
    const first = checkpoints.create().summary.id;
    writeFileSync(join(workspace, 'changed'), 'new');
    rmSync(join(workspace, 'deleted'));
    chmodSync(join(workspace, 'mode'), 0o755);
    rmSync(join(workspace, 'kind'));
    symlinkSync('changed', join(workspace, 'kind'));
    writeFileSync(join(workspace, 'directory/added'), 'added');
    const expected = [
      { path: 'changed', kind: 'modified', contents: { before: Buffer.from('changed'), after: Buffer.from('new') } },
      { path: 'deleted', kind: 'deleted', contents: { before: Buffer.from('deleted'), after: undefined } },
      { path: 'directory/added', kind: 'added', contents: { before: undefined, after: Buffer.from('added') } },
      { path: 'kind', kind: 'replaced' },
      { path: 'mode', kind: 'metadata' },
    ];
    expect(checkpoints.diff(first).differences).toMatchObject(expected);
    const second = checkpoints.create().summary.id;
    expect(checkpoints.diff(first, second).differences).toMatchObject(expected);
    expect(checkpoints.diff(second).differences).toEqual([]);
  });
});
