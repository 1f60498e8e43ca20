import { constants, mkdirSync, mkdtempSync, promises as fs, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../src/files/index.ts';
import { type FileOperation, Sandbox } from '../src/sandbox/index.ts';
import { medianOf, ratio } from './lib/compare.ts';
import { type Batch, measure, measureBatches, type Result } from './lib/measure.ts';
import { runner } from './lib/contestant.ts';
import { type Report, timeTable, titles } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { quantile } from './lib/stats.ts';
import { table } from './lib/table.ts';

const ours = 'sandbox.files';
const node = 'fs.promises';
/** The minimum of a batch: the same kernel calls in one thread, without a process between. */
const loop = 'fs.writeFileSync';
const oneShot = 'one-shot node in a box';
const kilobyte = Buffer.alloc(1024, 'holdfast');
/** Operations of one round. Neighbours in a round share the state of the machine. */
const perRound = 100;
const rounds = 30;
const batchSize = 2000;
const parallel = [0, 1, 2, 3, 4, 5];
const gigabyte = 1 << 30;
const megabyte = 1 << 20;

/** Directories for Holdfast's and the peer's files. */
interface Place {
  readonly name: string;
  readonly inside: string;
  readonly outside: string;
}

/**
 * The cost of one call of `sandbox.files`, beside Node's own functions without any box, and beside a program started
 * for it.
 */
export async function files(): Promise<Report> {
  const scratch = makeScratch();
  await using sandbox = await Sandbox.create({ workspace: scratch.workspace, environment: scratch.environment });
  const disk: Place = { name: 'on the disk', inside: scratch.workspace, outside: scratch.beside };
  const memory: Place = { name: 'in memory', inside: '/tmp/bench', outside: memoryDirectory() };
  const found = [await inPlace(sandbox.files, memory), await inPlace(sandbox.files, disk)] as const;
  const programs = await measure(
    [
      runner(ours, () => writeOnce(sandbox.files, disk.inside)),
      runner(oneShot, () => writeByProgram(sandbox, scratch)),
    ],
    { rounds: 20, warmups: 2 },
  );
  // The collector's garbage comes with the first megabytes. Growth with the size would come later.
  const short = await streamed(sandbox.files, join(scratch.workspace, 'short'), gigabyte / 8);
  const long = await streamed(sandbox.files, join(scratch.workspace, 'long'), gigabyte);
  return {
    title: 'files: mkdir -p and a write of 1 KB, and others',
    parts: [
      ...found.flatMap(({ parts }) => parts),
      `one write, and the same by a program\n${timeTable(programs, ours)}`,
      `1 GB written and read through: ${long.seconds.toFixed(2)} s`,
    ],
    budgets: [
      ...budgets(found[0], found[1]),
      {
        claim: `${oneShot} ÷ ${ours}`,
        measured: ratio(programs, oneShot, ours),
        limit: 300,
        unit: '×',
        direction: 'at-least',
      },
      {
        claim: '1 GB streamed: more RSS than with 128 MB',
        measured: (long.most - short.most) / megabyte,
        limit: 64,
        unit: 'MB',
        direction: 'at-most',
      },
    ],
  };
}

/** Every figure in memory shows the calls, and not the disk below them. */
function memoryDirectory(): string {
  const path = mkdtempSync('/dev/shm/holdfast-bench-');
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Measurements {
  readonly place: Place;
  readonly writes: readonly Result[];
  readonly sixes: readonly Result[];
  readonly batches: readonly Result[];
  readonly parts: readonly string[];
}

async function inPlace(confined: Files, place: Place): Promise<Measurements> {
  const options = { rounds, warmups: 3 };
  const writes = await measureBatches(
    [each(ours, place.inside, (path) => writeIn(confined, path)), each(node, place.outside, writeInNode)],
    options,
  );
  const sixes = await measureBatches(
    [each(ours, place.inside, (path) => sixIn(confined, path)), each(node, place.outside, sixInNode)],
    { ...options, rounds: 10 },
  );
  const batches = await measure(
    [
      runner(ours, () => batchIn(confined, fresh(place.inside))),
      runner(loop, () => loopInNode(fresh(place.outside))),
      runner(node, () => eachInNode(fresh(place.outside))),
    ],
    { rounds: 10, warmups: 1 },
  );
  const parts = [
    `mkdir -p and a write of 1 KB, ${place.name}\n${latencies(writes)}`,
    `six writes at once, ${place.name}\n${latencies(sixes)}`,
    `a batch of ${batchSize} writes of 1 KB, and as many one after the other, ${place.name}\n${timeTable(batches, ours)}\n${perSecond(batches)?.toFixed(0) ?? '–'} operations/s`,
  ];
  return { place, writes, sixes, batches, parts };
}

let count = 0;

/** An unused name, because written files stay. For a minute, ext4 steps around inodes that have just become free. */
function fresh(parent: string): string {
  count += 1;
  return join(parent, `d${count}`);
}

function each(name: string, parent: string, operation: (path: string) => Promise<unknown>): Batch {
  return {
    kind: 'batch',
    name,
    run: async () => {
      const samples: number[] = [];
      const directory = fresh(parent);
      for (let index = 0; index < perRound; index += 1) {
        const path = join(directory, `s${index}`);
        const begin = performance.now();
        await operation(path);
        samples.push(performance.now() - begin);
      }
      return samples;
    },
  };
}

function writeIn(confined: Files, directory: string): Promise<void> {
  return confined.write(join(directory, 'file'), kilobyte);
}

async function writeInNode(directory: string): Promise<void> {
  await fs.mkdir(directory, { recursive: true });
  await fs.writeFile(join(directory, 'file'), kilobyte);
}

function sixIn(confined: Files, prefix: string): Promise<unknown> {
  return Promise.all(parallel.map((index) => confined.write(`${prefix}-${index}`, kilobyte)));
}

async function sixInNode(prefix: string): Promise<void> {
  mkdirSync(join(prefix, '..'), { recursive: true });
  await Promise.all(parallel.map((index) => fs.writeFile(`${prefix}-${index}`, kilobyte)));
}

async function batchIn(confined: Files, directory: string): Promise<void> {
  const operations = Array.from(
    { length: batchSize },
    (_, index): FileOperation => ({
      kind: 'write',
      path: join(directory, `f${index}`),
      data: kilobyte,
      flags: constants.O_CREAT | constants.O_TRUNC,
      mode: 0o644,
      parents: 'make',
      replace: 'in-place',
    }),
  );
  const outcomes = await confined.batch(operations);
  if (outcomes.at(-1)?.kind !== 'done') throw new Error('a batch did not come to its end');
}

function loopInNode(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (let index = 0; index < batchSize; index += 1) writeFileSync(join(directory, `f${index}`), kilobyte);
  return Promise.resolve();
}

async function eachInNode(directory: string): Promise<void> {
  await fs.mkdir(directory, { recursive: true });
  for (let index = 0; index < batchSize; index += 1) await fs.writeFile(join(directory, `f${index}`), kilobyte);
}

function writeOnce(confined: Files, parent: string): Promise<void> {
  return writeIn(confined, fresh(parent));
}

/** As a caller without a worker would do it: a confined Node for each write. */
async function writeByProgram(sandbox: Sandbox, { workspace }: Scratch): Promise<void> {
  const script =
    "const fs = require('node:fs'); fs.mkdirSync(process.argv[1], { recursive: true }); fs.writeFileSync(process.argv[1] + '/file', Buffer.alloc(1024, 'holdfast'));";
  const { exitCode, stderr } = await sandbox.commands.run([process.execPath, '-e', script, fresh(workspace)]);
  if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
}

interface Streamed {
  readonly seconds: number;
  /** Maximum RSS in bytes. */
  readonly most: number;
}

/** Written piece by piece and read back. */
async function streamed(confined: Files, path: string, size: number): Promise<Streamed> {
  const piece = Buffer.alloc(megabyte, 'holdfast');
  const source = async function* (): AsyncGenerator<Buffer> {
    for (let sent = 0; sent < size; sent += megabyte) yield piece;
  };
  const begin = performance.now();
  let most = process.memoryUsage.rss();
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await confined.write(path, source());
  let received = 0;
  for await (const chunk of confined.readStream(path)) received += (chunk as Buffer).length;
  clearInterval(look);
  if (received !== size) throw new Error(`${received} bytes came back`);
  return { seconds: (performance.now() - begin) / 1000, most };
}

function latencies(results: readonly Result[]): string {
  const rows = results.map((result) =>
    result.kind === 'absent'
      ? [result.name, 'absent']
      : [result.name, ...[0.5, 0.9, 0.99].map((share) => at(result, share).toFixed(3))],
  );
  return table(titles('', ['p50 ms', 'p90', 'p99']), rows);
}

function at({ samples }: { readonly samples: readonly number[] }, share: number): number {
  return quantile(
    samples.toSorted((a, b) => a - b),
    share,
  );
}

function percentile(results: readonly Result[], name: string, share: number): number | undefined {
  const result = results.find((candidate) => candidate.name === name);
  return result?.kind === 'measured' ? at(result, share) : undefined;
}

function perSecond(batches: readonly Result[]): number | undefined {
  const median = medianOf(batches, ours);
  return median === undefined ? undefined : (batchSize / median) * 1000;
}

/**
 * In memory, times are those of the calls, so the budgets hold there. On the disk, which others use too, the baseline
 * is Node.
 */
function budgets(memory: Measurements, disk: Measurements): Report['budgets'] {
  const common = { limit: 1, unit: '×', direction: 'at-most' } as const;
  return [
    {
      claim: 'mkdir -p and write, p50',
      measured: percentile(memory.writes, ours, 0.5),
      limit: 0.15,
      unit: 'ms',
      direction: 'at-most',
    },
    {
      claim: 'mkdir -p and write, p99',
      measured: percentile(memory.writes, ours, 0.99),
      limit: 1,
      unit: 'ms',
      direction: 'at-most',
    },
    { claim: `${ours} ÷ ${node}, in memory`, measured: ratio(memory.writes, ours, node), ...common },
    { claim: `${ours} ÷ ${node}, on the disk`, measured: ratio(disk.writes, ours, node), ...common },
    {
      claim: 'six writes at once, p50',
      measured: percentile(memory.sixes, ours, 0.5),
      limit: 0.5,
      unit: 'ms',
      direction: 'at-most',
    },
    {
      claim: 'batches',
      measured: perSecond(memory.batches),
      limit: 20_000,
      unit: 'operations/s',
      direction: 'at-least',
    },
    {
      claim: `a batch ÷ ${loop} in a loop, in memory`,
      measured: ratio(memory.batches, ours, loop),
      limit: 3,
      unit: '×',
      direction: 'at-most',
    },
    {
      claim: `a batch ÷ ${node} one after the other, in memory`,
      measured: ratio(memory.batches, ours, node),
      ...common,
    },
  ];
}
