import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changing, collectGarbage, usedBytes } from '../create.ts';
import { directory, file, symlink } from '../testing/entries.ts';
import { scene } from '../testing/scene.ts';
import type { Checkpoint } from '../types.ts';
import { manifestPath, openStore, readCheckpoint, type Store, summaries, writeCheckpoint } from './manifest.ts';
import { hashing, readObject, storing } from './objects.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function emptyStore(): Store {
  const { directory: checkpoints, workspace } = scene();
  return openStore(checkpoints, workspace);
}

function checkpointOf(entries: Checkpoint['entries'], id = 'id'): Checkpoint {
  return {
    summary: {
      id,
      name: 'name',
      origin: 'user',
      workspace: '/srv/project',
      created: 1,
      entries: entries.length,
      bytes: 0,
    },
    entries,
    leftOut: [{ path: '\xff', reason: 'socket' }],
  };
}

function keep(store: Store, content: Buffer): string {
  const path = join(store.workspace, 'file');
  writeFileSync(path, content);
  const opened = openSync(path, 'r');
  try {
    const kept = storing(store, { bytes: 1e9 }).keep(opened, content.length);
    expect(kept.size).toBe(content.length);
    return kept.object;
  } finally {
    closeSync(opened);
  }
}

describe('a manifest', () => {
  test('is read back as it was, whatever the names', () => {
    const store = emptyStore();
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 20 }).map((name) => Buffer.from(name).toString('latin1'));
    fc.assert(
      fc.property(bytes, bytes, fc.bigInt(-(10n ** 20n), 10n ** 20n), (path, target, modified) => {
        const checkpoint = checkpointOf([
          directory(''),
          file(path, { modified, attributes: { 'user.x': 'AP8=' } }),
          symlink(`${path}/l`, target),
          { ...directory('p'), kind: 'fifo' },
        ]);
        writeCheckpoint(store, checkpoint);
        expect(readCheckpoint(store, 'id')).toEqual(checkpoint);
      }),
      { numRuns: rounds(30) },
    );
    expect(summaries(store)).toEqual([
      checkpointOf([directory(''), file('a'), symlink('b', ''), directory('p')]).summary,
    ]);
  });

  test('that was cut, changed or lengthened anywhere is not believed', () => {
    const store = emptyStore();
    writeCheckpoint(store, checkpointOf([directory(''), file('a')]));
    const whole = readFileSync(manifestPath(store, 'id'), 'utf8');
    for (let at = 0; at < whole.length; at += 7) {
      for (const damaged of [
        whole.slice(0, at),
        `${whole.slice(0, at)}~${whole.slice(at + 1)}`,
        `${whole.slice(0, at)}\n${whole.slice(at)}`,
      ]) {
        writeFileSync(manifestPath(store, 'id'), damaged);
        expect(() => readCheckpoint(store, 'id')).toThrow(expect.objectContaining({ code: 'HF_CHECKPOINT_FAILED' }));
      }
    }
  });

  test('of a newer version is refused with that reason', () => {
    const store = emptyStore();
    writeCheckpoint(store, {
      ...checkpointOf([]),
      summary: { ...checkpointOf([]).summary, version: 2 } as Checkpoint['summary'],
    });
    expect(() => readCheckpoint(store, 'id')).toThrow(/newer version/u);
  });
});

describe('contents', () => {
  test.each([0, 1, 1 << 20, (1 << 20) + 1, 5_000_000])('of %i bytes are stored by their hash', (size) => {
    const store = emptyStore();
    const content = Buffer.alloc(size, 'text');
    const object = keep(store, content);
    expect(readObject(store, object).equals(content)).toBe(true);
    expect(keep(store, content)).toBe(object);
    const opened = openSync(join(store.workspace, 'file'), 'r');
    expect(hashing.keep(opened, size)).toEqual({ object, size });
    closeSync(opened);
  });

  test('without a user are removed, and the rest is counted', () => {
    const store = emptyStore();
    const [needed] = [keep(store, Buffer.from('needed')), keep(store, Buffer.from('not'))];
    writeCheckpoint(store, checkpointOf([file('a', { object: needed ?? '' })]));
    collectGarbage(store);
    expect(readObject(store, needed ?? '').toString()).toBe('needed');
    expect(usedBytes(store)).toBe(6);
  });

  test('of failed or killed work are cleared away', () => {
    const store = emptyStore();
    let object = '';
    const failing = (): never => {
      object = keep(store, Buffer.from('half'));
      throw new Error('failed');
    };
    expect(() => changing(store, failing)).toThrow('failed');
    expect(() => readObject(store, object)).toThrow(/ENOENT/u);
    writeFileSync(store.marker, '');
    object = keep(store, Buffer.from('killed'));
    changing(store, () => {});
    expect(() => readObject(store, object)).toThrow(/ENOENT/u);
  });
});
