import { availableParallelism } from 'node:os';
import { Sandbox, SandboxPool } from '../src/sandbox/index.ts';
import { difference } from './lib/compare.ts';
import { type Contestant, runner, selfTimed } from './lib/contestant.ts';
import { measure } from './lib/measure.ts';
import { bubblewrap, type Peer } from './lib/peers.ts';
import { type Report, timeTable, titles } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';
import { quantile } from './lib/stats.ts';
import { table } from './lib/table.ts';

const many = 1000;
/** All rows in turn. The median of each counts. */
const turns = 3;
const bare = 'spawn';
const ours = 'holdfast';
const pooled = 'holdfast, from a pool';

interface Burst {
  readonly name: string;
  readonly run: (() => Promise<unknown>) | undefined;
}

interface Taken {
  /** Commands a second. */
  readonly rate: number;
  /** Milliseconds of this process's processor time for each, during which it can do nothing else. */
  readonly processor: number;
}

/** A thousand `true` at once in one session, and one from a ready session and a ready pool. */
export async function throughput(): Promise<Report> {
  const scratch = makeScratch();
  const { workspace, environment } = scratch;
  await using sandbox = await Sandbox.create({ workspace, environment });
  await using pool = await SandboxPool.create({ min: 2, max: 4, options: { workspace, environment } });
  const latencies = await measure(contestants(scratch, sandbox, pool), { rounds: 200, warmups: 10 });
  const rows = await bursts(scratch, sandbox);
  const [session, loan] = [difference(latencies, ours, bare), difference(latencies, pooled, bare)];
  return {
    title: `throughput: \`true\` ${many} times at once, and one at a time from what is ready; ${availableParallelism()} processors`,
    parts: [burstTable(rows), timeTable(latencies, bare)],
    budgets: [
      {
        claim: `${many} at once: in one session ÷ ${bare}`,
        measured: over(rateOf(rows, ours), rateOf(rows, bare)),
        limit: 1.3,
        unit: '×',
        direction: 'at-least',
      },
      { claim: `session − ${bare}`, measured: session, limit: 1, unit: 'ms', direction: 'at-most' },
      { claim: `pool − ${bare}`, measured: loan, limit: 1, unit: 'ms', direction: 'at-most' },
    ],
  };
}

function contestants({ workspace, environment }: Scratch, sandbox: Sandbox, pool: SandboxPool): readonly Contestant[] {
  return [
    runner(bare, () => runCommand(['true'], { cwd: workspace, env: environment })),
    runner(ours, () => succeeds(sandbox)),
    selfTimed(pooled, () => fromPool(pool)),
  ];
}

async function succeeds(sandbox: Sandbox): Promise<void> {
  const { exitCode, stderr } = await sandbox.commands.run(['true']);
  if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
}

/** From the request to the end of the command. Nobody waits for the sandbox to close and for its replacement. */
async function fromPool(pool: SandboxPool): Promise<number> {
  const begin = performance.now();
  const loan = await pool.lend();
  await succeeds(loan.sandbox);
  const time = performance.now() - begin;
  await loan.giveBack();
  return time;
}

async function bursts(
  scratch: Scratch,
  sandbox: Sandbox,
): Promise<readonly { readonly name: string; readonly taken: readonly Taken[] | undefined }[]> {
  const { workspace, environment } = scratch;
  const options = { cwd: workspace, env: environment };
  const inPeer = (peer: Peer): Burst['run'] =>
    peer.kind === 'absent' ? undefined : () => runCommand([...peer.prefix, 'true'], options);
  const rows: readonly Burst[] = [
    { name: bare, run: () => runCommand(['true'], options) },
    { name: ours, run: () => succeeds(sandbox) },
    { name: 'bwrap', run: inPeer(bubblewrap(workspace)) },
  ];
  const taken = new Map<string, Taken[]>(rows.map(({ name }) => [name, []]));
  for (let turn = 0; turn < turns; turn += 1)
    for (const { name, run } of rows) if (run !== undefined) taken.get(name)?.push(await burst(run));
  return rows.map(({ name, run }) => ({ name, taken: run === undefined ? undefined : (taken.get(name) ?? []) }));
}

/** A rejection ends the bench, because a lost command is no result. */
async function burst(run: () => Promise<unknown>): Promise<Taken> {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: many }, run));
  const { user, system } = process.cpuUsage(used);
  return { rate: (many * 1000) / (performance.now() - begin), processor: (user + system) / 1000 / many };
}

function rateOf(rows: Awaited<ReturnType<typeof bursts>>, name: string): number | undefined {
  const taken = rows.find((row) => row.name === name)?.taken;
  return taken === undefined ? undefined : quantile(taken.map(({ rate }) => rate).toSorted(ascending), 0.5);
}

function over(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}

function burstTable(rows: Awaited<ReturnType<typeof bursts>>): string {
  const figures = rows.map(({ name, taken }) => {
    if (taken === undefined) return [name, 'absent'];
    const [rates, times] = [
      taken.map(({ rate }) => rate).toSorted(ascending),
      taken.map(({ processor }) => processor).toSorted(ascending),
    ];
    return [name, quantile(rates, 0.5).toFixed(0), quantile(rates, 1).toFixed(0), quantile(times, 0.5).toFixed(2)];
  });
  return table(titles(`${many} at once`, ['commands a second', 'best of 3', 'ms of this process each']), figures);
}

function ascending(a: number, b: number): number {
  return a - b;
}
