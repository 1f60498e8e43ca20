import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLayer } from '../src/staged/store/create-layer.ts';
import { medianOf } from './lib/compare.ts';
import { absent, type Contestant, runner } from './lib/contestant.ts';
import { measure } from './lib/measure.ts';
import { holdfast } from './lib/peers.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';

const ours = 'holdfast review --json';
const rows: readonly (readonly [string, readonly string[]])[] = [
  [ours, ['--json']],
  ['holdfast review --name-only', ['--name-only']],
  ['holdfast review --stat', ['--stat']],
  ['holdfast review --patch', ['--patch']],
];
const limit = 2000;

/**
 * A review of 20,000 changes, from the start of the command line to its end: half are modified files, the rest new and
 * deleted ones.
 */
export async function review(): Promise<Report> {
  const scratch = makeScratch();
  stage(scratch);
  const results = await measure(
    rows.map(([name, options]) => contestant(name, options, scratch)),
    { rounds: 7, warmups: 1 },
  );
  return {
    title: 'review: 20,000 changes',
    parts: [timeTable(results, ours)],
    budgets: [{ claim: ours, measured: medianOf(results, ours), limit, unit: 'ms', direction: 'at-most' }],
  };
}

function contestant(name: string, options: readonly string[], { workspace, environment }: Scratch): Contestant {
  const peer = holdfast();
  return peer.kind === 'absent'
    ? absent(name, peer.reason)
    : runner(name, () =>
        runCommand([peer.prefix[0] ?? '', 'review', ...options], { cwd: workspace, env: environment }),
      );
}

const directories = 200;

/** An overlay without a box makes these changes, because the bench does not concern them. */
function stage({ workspace, beside, environment }: Scratch): void {
  for (let directory = 0; directory < directories; directory++) {
    mkdirSync(join(workspace, `d${directory}`));
    for (let file = 0; file < 75; file++)
      writeFileSync(join(workspace, `d${directory}/${file}`), `line one\nline ${file}\nline three\n`.repeat(20));
  }
  const { roots } = createLayer(join(environment['XDG_STATE_HOME'] ?? '', 'holdfast'), {
    workspace,
    roots: [workspace],
  });
  const [{ upper, work } = { upper: '', work: '' }] = roots;
  const changes =
    'for d in d*; do sed -i s/three/3333x/ $d/[1-4]? $d/[1-9]; mv $d/0 $d/0.old; rm $d/[567]?; i=0; while [ $i -lt 25 ]; do echo $d $i > $d/new$i; i=$((i + 1)); done; done';
  const merged = join(beside, 'merged');
  mkdirSync(merged);
  execFileSync('unshare', [
    '-Urm',
    'sh',
    '-ec',
    `mount -t overlay -o lowerdir=${workspace},upperdir=${upper},workdir=${work},userxattr overlay ${merged}; cd ${merged}; ${changes}`,
  ]);
}
