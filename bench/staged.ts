import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ratio } from './lib/compare.ts';
import { type Contestant, selfTimed } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { holdfast } from './lib/peers.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeRepository, repositoryFiles } from './lib/repository.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { openShell, type TimingShell } from './lib/shell.ts';

const outside = 'outside';
const overlay = 'overlayfs alone';
const staged = 'holdfast --staged';

/** The maximum factor over the same overlay without a box: its own cost belongs to the kernel. */
const limit = 1.1;

interface Work {
  readonly name: string;
  /** A line of shell. `fresh` is an unused name. */
  readonly line: (fresh: string) => string;
  readonly rounds: number;
}

const works: readonly Work[] = [
  { name: 'git status', line: () => 'git -C tree status --porcelain', rounds: 41 },
  { name: 'rg', line: () => 'rg --no-config -c needle tree', rounds: 41 },
  // Deletes nothing in between, because for a minute ext4 steps around newly freed inodes, one by one, at each
  // creation.
  { name: 'tar x, 20,000 files', line: (fresh) => `mkdir ${fresh} && tar -xf tree.tar -C ${fresh}`, rounds: 7 },
];

/** The cost of the same work in an open box with staged writes, beside the kernel's overlay without any box. */
export async function stagedInside(): Promise<Report> {
  const scratch = makeScratch();
  await makeRepository(scratch.workspace);
  const shells = open(scratch);
  const found: [Work, readonly Result[]][] = [];
  for (const work of works)
    found.push([
      work,
      await measure(
        shells.map((shell) => contestant(work, shell)),
        { rounds: work.rounds, warmups: 1 },
      ),
    ]);
  await Promise.all(shells.map(({ shell }) => shell.close()));
  return {
    title: `staged: work in a repository of ${repositoryFiles} files, over which an overlay lies`,
    parts: found.map(([work, results]) => `${work.name}\n${timeTable(results, outside)}`),
    budgets: found.map(([{ name }, results]) => ({
      claim: `${name}: staged, compared with ${overlay}`,
      measured: ratio(results, staged, overlay),
      limit,
      unit: '×',
      direction: 'at-most',
    })),
  };
}

interface OpenShell {
  readonly name: string;
  readonly shell: TimingShell;
}

function open(scratch: Scratch): readonly OpenShell[] {
  const peer = holdfast();
  const prefix = peer.kind === 'present' ? peer.prefix : [];
  const live = prefix.slice(0, -1);
  return [
    { name: outside, shell: openShell([], scratch) },
    { name: overlay, shell: openShell(bareOverlay(scratch), scratch) },
    { name: 'holdfast', shell: openShell(prefix, scratch) },
    { name: staged, shell: openShell([...live, '--staged', '--'], scratch) },
  ];
}

/** The same mount, made by hand, without confinement. */
function bareOverlay({ beside, workspace }: Scratch): readonly string[] {
  for (const name of ['upper', 'work']) mkdirSync(join(beside, name));
  const options = `lowerdir=${workspace},upperdir=${join(beside, 'upper')},workdir=${join(beside, 'work')},userxattr`;
  return [
    'unshare',
    '-Urm',
    'sh',
    '-c',
    `mount -t overlay -o ${options} overlay ${workspace} && cd ${workspace} && exec "$@"`,
    'sh',
  ];
}

function contestant({ line }: Work, { name, shell }: OpenShell): Contestant {
  return selfTimed(name, () => shell.run(line(randomUUID())));
}
