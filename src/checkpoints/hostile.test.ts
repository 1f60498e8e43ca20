import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { snapshot } from '../kernel/testing/snapshot.ts';
import { scene, type Scene } from './testing/scene.ts';
import { kill, start } from './testing/start.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function plantFiles(workspace: string, text: string): void {
  for (let number = 0; number < 40; number += 1) {
    const directory = join(workspace, `d${number % 8}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `f${number}-${text.slice(0, number % 3)}`), `${text} ${number}`);
  }
}

describe('kill -9 at any moment of a restore', () => {
  test('is finished by running it again, and everything there was is in a checkpoint', {
    timeout: 600_000,
  }, async () => {
    const { workspace, directory, checkpoints } = scene();
    plantFiles(workspace, 'one');
    const one = { id: checkpoints.create().summary.id, tree: snapshot(workspace) };
    rmSync(join(workspace, 'd3'), { recursive: true });
    plantFiles(workspace, 'two');
    const two = { id: checkpoints.create().summary.id, tree: snapshot(workspace) };
    let unfinished = 0;
    for (let kills = 0; kills < 40 && (kills < 8 || unfinished < 2); kills += 1) {
      const child = await start('checkpoints/testing/work.ts', 'restore', directory, workspace, one.id, two.id);
      // Kills at a random moment, or in the middle, in turn.
      if (kills % 2 === 0) await pause(Math.random() * 80);
      else await appearance(directory, 'restoring.json');
      await kill(child);
      unfinished += checkpoints.pending() === undefined ? 0 : 1;
      const [again, tree] = kills % 4 < 2 ? [one.id, one.tree] : [two.id, two.tree];
      expect(checkpoints.restore(again).skipped).toEqual([]);
      expect(snapshot(workspace)).toEqual(tree);
      expect(checkpoints.pending()).toBeUndefined();
    }
    expect(unfinished).toBeGreaterThan(0);
  });
});

describe('kill -9 at any moment of creating and removing', () => {
  test('leaves no half checkpoint, and no content that nothing refers to', { timeout: 600_000 }, async () => {
    const { workspace, directory, checkpoints } = scene();
    plantFiles(workspace, 'kept');
    const { id } = checkpoints.create().summary;
    const tree = snapshot(workspace);
    plantFiles(workspace, 'more');
    for (let kills = 0; kills < rounds(12); kills += 1) {
      const child = await start('checkpoints/testing/work.ts', 'create', directory, workspace);
      if (kills % 2 === 0) await pause(Math.random() * 60);
      else await appearance(directory, 'unfinished');
      await kill(child);
      for (const summary of checkpoints.list()) expect(() => checkpoints.diff(summary.id)).not.toThrow();
    }
    for (const summary of checkpoints.list()) if (summary.id !== id) checkpoints.remove(summary.id);
    checkpoints.remove(checkpoints.create().summary.id);
    expect(contentsIn(directory)).toBe(40);
    checkpoints.restore(id);
    expect(snapshot(workspace)).toEqual(tree);
  });
});

/**
 * Waits until a file of the store appears. It exists only while a repeated action runs, so one appearance may be
 * missed.
 */
async function appearance(directory: string, name: string): Promise<void> {
  const [store = ''] = readdirSync(directory);
  for (let looks = 0; looks < 100_000 && !existsSync(join(directory, store, name)); looks += 1)
    await new Promise((resolve) => setImmediate(resolve));
  await pause(Math.random() * 15);
}

function contentsIn(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => /objects\/..\/./u.test(name))
    .length;
}

describe('a box that swaps directories for symlinks while a tree is kept and restored', () => {
  async function attack({ workspace, checkpoints }: Scene): Promise<{ readonly outside: string; readonly id: string }> {
    const outside = join(workspace, '../outside');
    for (const directory of [outside, join(workspace, 'way')]) mkdirSync(directory);
    writeFileSync(join(outside, 'precious'), 'precious');
    for (let number = 0; number < 20; number += 1) writeFileSync(join(workspace, `way/file${number}`), 'ours');
    symlinkSync(outside, join(workspace, 'link'));
    const { id } = checkpoints.create().summary;
    await start('trash/testing/swap.ts', join(workspace, 'way'), join(workspace, 'link'));
    return { outside, id };
  }

  test('neither reads nor writes nor removes anything outside', { timeout: 600_000 }, async () => {
    const arena = scene();
    const { outside, id } = await attack(arena);
    let hits = 0;
    for (let tries = 0; tries < 1000; tries += 1) {
      if (tries >= 25 && hits > 0) break;
      attempt(() => expect(arena.checkpoints.create().entries.map(({ path }) => path)).not.toContain('way/precious'));
      attempt(() => {
        const { written, skipped } = arena.checkpoints.restore(id);
        hits += written + skipped.length;
      });
      expect(readdirSync(outside)).toEqual(['precious']);
    }
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious');
    expect(
      arena.checkpoints
        .list()
        .flatMap((summary) => arena.checkpoints.diff(id, summary.id).differences.map(({ path }) => path)),
    ).not.toContain('way/precious');
    // The tree was swapped all the time.
    expect(hits).toBeGreaterThan(0);
  });
});

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
  }
}
