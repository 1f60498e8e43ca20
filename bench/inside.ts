import { randomUUID } from 'node:crypto';
import { pairedPercent, ratio } from './lib/compare.ts';
import { absent, type Contestant, selfTimed } from './lib/contestant.ts';
import { onlyContinue } from './lib/continue.ts';
import { measure, type Result } from './lib/measure.ts';
import { install, makeProject, packagedFiles, withoutNpm } from './lib/packages.ts';
import { bubblewrap, codexNative, holdfast, type Peer, sandboxRuntime } from './lib/peers.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeRepository, repositoryFiles } from './lib/repository.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { openShell, type TimingShell } from './lib/shell.ts';

const outside = 'outside';
const ours = 'holdfast';
const floor = 'only “continue”';

interface Work {
  readonly name: string;
  /** A line of shell. `fresh` is an unused name. */
  readonly line: (fresh: string) => string;
  readonly rounds: number;
  /** Percent more than outside. */
  readonly limit: number;
  /** The maximum factor over a listener that only answers “continue”. */
  readonly overFloor?: number;
  readonly unable?: string | undefined;
}

const works: readonly Work[] = [
  { name: 'git status', line: () => 'git -C tree status --porcelain', rounds: 41, limit: 3 },
  { name: 'rg', line: () => 'rg --no-config -c needle tree', rounds: 41, limit: 3 },
  // Deletes nothing in between, because for a minute ext4 steps around newly freed inodes, one by one, at each
  // creation.
  {
    name: 'tar x, 20,000 files',
    line: (fresh) => `mkdir ${fresh} && tar -xf tree.tar -C ${fresh}`,
    rounds: 7,
    limit: 15,
    overFloor: 1.15,
  },
  {
    name: `npm ci, ${packagedFiles.toLocaleString('en')} files`,
    line: install,
    rounds: 5,
    limit: 3,
    unable: withoutNpm(),
  },
];

/** The cost of the same work in an open box, live in the same directory. */
export async function inside(): Promise<Report> {
  const scratch = makeScratch();
  await makeRepository(scratch.workspace);
  if (withoutNpm() === undefined) await makeProject(scratch.workspace);
  const boxes = await open(scratch);
  const found: [Work, readonly Result[]][] = [];
  for (const work of works) {
    found.push([work, await measure(contestants(work, boxes), { rounds: work.rounds, warmups: 1 })]);
  }
  await Promise.all(boxes.map(({ shell }) => shell?.close()));
  return {
    title: `inside: work in a repository of ${repositoryFiles} files, in a box that is open`,
    parts: found.map(([work, results]) => `${work.name}\n${timeTable(results, outside)}`),
    budgets: found.flatMap(([work, results]) => budgets(work, results)),
  };
}

interface OpenBox {
  readonly name: string;
  readonly shell?: TimingShell;
  readonly reason: string;
}

async function open(scratch: Scratch): Promise<readonly OpenBox[]> {
  const bare: Peer = { kind: 'present', prefix: [] };
  const peers: readonly [string, Peer][] = [
    [outside, bare],
    [ours, holdfast()],
    [floor, await onlyContinue(scratch)],
    ['bwrap', bubblewrap(scratch.workspace)],
    ['codex sandbox', codexNative()],
    ['srt', sandboxRuntime(scratch)],
  ];
  return peers.map(([name, peer]) =>
    peer.kind === 'absent'
      ? { name, reason: peer.reason }
      : { name, reason: '', shell: openShell(peer.prefix, scratch) },
  );
}

function contestants({ line, unable }: Work, boxes: readonly OpenBox[]): readonly Contestant[] {
  return boxes.map(({ name, shell, reason }) => {
    if (shell === undefined || unable !== undefined) return absent(name, unable ?? reason);
    return selfTimed(name, () => shell.run(line(randomUUID())));
  });
}

function budgets({ name, limit, overFloor }: Work, results: readonly Result[]): Report['budgets'] {
  const overOutside = {
    claim: `${name}: more than outside, round by round`,
    measured: pairedPercent(results, ours, outside),
    limit,
    unit: '%',
    direction: 'at-most',
  } as const;
  if (overFloor === undefined) return [overOutside];
  const claim = `${name}: compared with a listener that only says “continue”`;
  return [
    overOutside,
    { claim, measured: ratio(results, ours, floor), limit: overFloor, unit: '×', direction: 'at-most' },
  ];
}
