import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { snapshot } from '../kernel/testing/snapshot.ts';
import { scene } from './testing/scene.ts';
import { kill, start } from './testing/start.ts';
import { rounds } from '../../scripts/testing/extent.ts';

describe('a box that swaps a directory for a symlink while something in it is taken', () => {
  /** `way` is a directory of the workspace or a link to a directory of the host, in turn. */
  async function arena() {
    const { workspace, trash, request } = scene();
    const [outside, way] = [join(workspace, '../outside'), join(workspace, 'way')];
    for (const directory of [outside, way]) mkdirSync(directory);
    symlinkSync(outside, join(workspace, 'link'));
    writeFileSync(join(outside, 'precious'), 'precious');
    await start('swap.ts', way, join(workspace, 'link'));
    return { workspace, trash, request, outside, way };
  }

  // The attack is real: a program that uses the path reaches the host's file through it.
  test('reaches the host through a path (control)', async () => {
    const { way, workspace } = await arena();
    for (let tries = 0; tries < 1_000_000 && !existsSync(join(workspace, 'stolen')); tries += 1) {
      if (attempt(() => renameSync(join(way, 'precious'), join(workspace, 'stolen'))) === 'done') break;
    }
    expect(existsSync(join(workspace, 'stolen'))).toBe(true);
  });

  test('never has it taken, copied, or written to', async () => {
    const { trash, request, outside, workspace } = await arena();
    for (let tries = 0; tries < 2000; tries += 1) {
      attempt(() => trash.keep(request('way/precious')));
      attempt(() => trash.keep(request('way/precious', 'copy')));
    }
    expect(trash.list()).toEqual([]);
    expect(readdirSync(outside)).toEqual(['precious']);
    writeFileSync(join(workspace, 'file'), '');
    const { id } = trash.keep(request('file'));
    for (let turn = 0; turn < 2000; turn += 1) {
      attempt(() => {
        trash.restore({ id, to: Buffer.from(join(workspace, 'way/planted')) });
      });
    }
    expect(readdirSync(outside)).toEqual(['precious']);
  });
});

describe.each([
  ['by moving', '/var/tmp'],
  ['by copying', '/dev/shm'],
])('kill -9 at any moment, %s', (_, place) => {
  test('leaves each item where it was or in a whole entry', { timeout: 600_000 }, async () => {
    const { workspace, directory, open } = scene(place);
    const items = Array.from({ length: 4 }, (_, number) => `item${number}`);
    for (const item of items) plantItem(join(workspace, item));
    const before = snapshot(workspace).filter((line) => line.startsWith('/'));
    for (let kills = 0; kills < rounds(12); kills += 1) {
      const child = await start('keep-and-restore.ts', workspace, directory, String(items.length));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      await kill(child);
      putEverythingBack(workspace, open());
      expect(snapshot(workspace).filter((line) => line.startsWith('/'))).toEqual(before);
      // Between creating and locking its directory, a new entry is empty.
      expect(readdirSync(directory).flatMap((id) => readdirSync(join(directory, id)))).toEqual([]);
    }
  });
});

function plantItem(path: string): void {
  mkdirSync(join(path, 'inner'), { recursive: true });
  for (let number = 0; number < 20; number += 1)
    writeFileSync(join(path, 'inner', `file${number}`), `${path} ${number}`);
}

/**
 * A copy into or out of the trash may exist twice, if the original was not removed yet. Then the one in the workspace
 * is complete, or a remainder of what the trash has completely.
 */
function putEverythingBack(workspace: string, trash: ReturnType<ReturnType<typeof scene>['open']>): void {
  trash.purge(0);
  for (const name of readdirSync(workspace))
    if (name.startsWith('.holdfast-restore-')) renameSync(join(workspace, name), join(workspace, `../${name}`));
  for (const { id, path } of trash.list()) {
    if (existsSync(path)) renameSync(path, join(workspace, `../rest-${id}`));
    trash.restore({ id });
  }
}

function attempt(work: () => void): 'done' | 'failed' {
  try {
    work();
    return 'done';
  } catch {
    return 'failed';
  }
}
