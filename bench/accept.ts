import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyLayer } from '../src/staged/apply/accept.ts';
import { createLayer } from '../src/staged/store/create-layer.ts';
import { ratio } from './lib/compare.ts';
import { runner, selfTimed, type Contestant } from './lib/contestant.ts';
import { measure } from './lib/measure.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';

const copy = 'cp -a';
const ours = 'accept';
/** At least half as fast as `cp -a`. */
const limit = 2;

/**
 * Accepts 20,000 new files of mixed sizes, from the search for changes to the last sync, beside copying the same files.
 */
export async function accept(): Promise<Report> {
  const scratch = makeScratch();
  const source = join(scratch.beside, 'source');
  fill(source);
  const results = await measure([copying(source, scratch), accepting(scratch)], { rounds: 5, warmups: 1 });
  return {
    title: 'accept: 20,000 files of 200 bytes to 60 KB',
    parts: [timeTable(results, copy)],
    budgets: [
      {
        claim: 'accept, compared with cp -a',
        measured: ratio(results, ours, copy),
        limit,
        unit: '×',
        direction: 'at-most',
      },
    ],
  };
}

function copying(source: string, { beside, environment }: Scratch): Contestant {
  return runner(copy, () =>
    runCommand(['cp', '-a', source, join(beside, randomUUID())], { cwd: beside, env: environment }),
  );
}

/** After a person's review, the staged files are already on the disk. */
function accepting({ beside, environment }: Scratch): Contestant {
  return selfTimed(ours, async () => {
    const workspace = join(beside, randomUUID());
    const state = join(beside, `state-${randomUUID()}`);
    mkdirSync(workspace);
    const layer = createLayer(state, { workspace, roots: [workspace] });
    fill(join(layer.roots[0]?.upper ?? '', 'tree'));
    await runCommand(['sync'], { cwd: beside, env: environment });
    const begin = performance.now();
    applyLayer(layer, { state });
    return performance.now() - begin;
  });
}

const sizes = [200, 1000, 3000, 8000, 20_000, 60_000] as const;

function fill(top: string): void {
  for (let directory = 0; directory < 200; directory++) {
    const path = join(top, String(directory));
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++)
      writeFileSync(join(path, String(file)), Buffer.alloc(sizes[file % sizes.length] ?? 0, file));
  }
}
