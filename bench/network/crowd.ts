import { titles } from '../lib/report.ts';
import { processTree } from '../lib/processes.ts';
import { table } from '../lib/table.ts';
import { clientOn, type NetworkBench, waysNamed } from './bench.ts';
import type { Part } from './part.ts';
import { names, type Way } from './ways.ts';

const megabyte = 1024 * 1024;
/** Processes at the ends, and bystanders: neither carries connections. */
const uncounted = ['client', 'holdfast-launch'];

interface Crowd {
  readonly name: string;
  readonly answered: number;
  /** Until the last answer. */
  readonly seconds: number;
  /** Bytes of all carrying processes, before and with the connections. */
  readonly before: number;
  readonly during: number;
}

/** Many connections at once. All stay open during the reading of memory. */
export async function crowd(bench: NetworkBench): Promise<Part> {
  const { crowd: size } = bench.sizes;
  const crowds: Crowd[] = [];
  // Two processes for every connection, some 10,000 of srt's, would say more about the machine than about srt.
  const ways = waysNamed(bench, [names.bare, names.proxy, names.pasta, names.ours]).filter(
    ({ peer }) => peer.kind === 'present',
  );
  for (const way of ways) crowds.push(await gather(bench, way));
  const ours = crowds.find(({ name }) => name === names.ours);
  const rows = crowds.map(({ name, answered, seconds, before, during }) => [
    name,
    String(answered),
    seconds.toFixed(2),
    ...[before, during].map((bytes) => (bytes === 0 ? '–' : (bytes / megabyte).toFixed(1))),
  ]);
  return {
    title: `${size} connections at once, each with a small request, in the clear`,
    text: table(titles('', ['answered', 'seconds', 'RSS MB before', 'RSS MB with all']), rows),
    budgets: [
      {
        claim: `at once: not answered by ${names.ours}`,
        measured: ours === undefined ? undefined : size - ours.answered,
        limit: 0,
        unit: 'connections',
        direction: 'at-most',
      },
      {
        claim: `at once: RSS of the supervisor`,
        measured: ours === undefined ? undefined : ours.during / megabyte,
        limit: 300,
        unit: 'MB',
        direction: 'at-most',
      },
    ],
  };
}

async function gather(bench: NetworkBench, way: Way): Promise<Crowd> {
  const client = clientOn(bench, way);
  const command = { host: way.host, port: bench.server.plain } as const;
  await client.ask({ ...command, verb: 'connect', count: 1 });
  const before = memoryOf(way.carrier ?? client.pid);
  const [answered, nanoseconds] = (await client.ask({ ...command, verb: 'hold', count: bench.sizes.crowd }))
    .split(' ')
    .map(Number) as [number, number];
  const during = memoryOf(way.carrier ?? client.pid);
  await client.close();
  return { name: way.name, answered, seconds: nanoseconds / 1e9, before, during };
}

function memoryOf(root: number): number {
  return processTree(root)
    .filter(({ program }) => !uncounted.includes(program))
    .reduce((sum, { rss }) => sum + rss, 0);
}
