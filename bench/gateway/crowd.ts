import { setTimeout as wait } from 'node:timers/promises';
import { titles } from '../lib/report.ts';
import { table } from '../lib/table.ts';
import type { Part } from '../network/part.ts';
import type { GatewayBench } from './bench.ts';
import { type Client, isComplete } from './client.ts';
import { promptOf } from './prompts.ts';
import { names, type Way } from './ways.ts';

const megabyte = 1024 * 1024;
/** Milliseconds between two readings of memory, and between every ten events of a stream: a hundred events a second. */
const interval = 100;

interface Crowd {
  readonly name: string;
  /** Bytes. */
  readonly before: number;
  readonly most: number;
  readonly answered: number;
}

/** Many answers that stream at once, and the maximum memory of the process between. */
export async function crowd(bench: GatewayBench): Promise<Part> {
  const { count, seconds } = bench.sizes.crowd;
  const crowds: Crowd[] = [];
  for (const way of bench.ways) {
    if (way.memory !== undefined) crowds.push(await gather(bench, { ...way, memory: way.memory }));
  }
  const ours = crowds.find(({ name }) => name === names.gateway);
  const rows = crowds.map(({ name, before, most, answered }) => [
    name,
    String(answered),
    (before / megabyte).toFixed(1),
    (most / megabyte).toFixed(1),
  ]);
  return {
    title: `${count} streams at once for ${seconds} s, 100 events a second each`,
    text: table(titles('', ['answered', 'RSS MB before', 'RSS MB at most']), rows),
    budgets: [
      {
        claim: `${count} streams at once: RSS of the process with the gateway`,
        measured: ours === undefined ? undefined : ours.most / megabyte,
        limit: 250,
        unit: 'MB',
        direction: 'at-most',
      },
      {
        claim: 'streams that were not answered whole',
        measured: ours === undefined ? undefined : count - ours.answered,
        limit: 0,
        unit: 'connections',
        direction: 'at-most',
      },
    ],
  };
}

async function gather(
  {
    sizes: {
      crowd: { count, seconds },
    },
    source,
  }: GatewayBench,
  way: Way & Required<Pick<Way, 'memory'>>,
): Promise<Crowd> {
  const events = seconds * 100;
  const body = promptOf({ source, messages: 9, large: 0, small: 1000, secret: '' });
  const before = await way.memory();
  const clients: readonly Client[] = Array.from({ length: count }, () => way.connect());
  const all = Promise.all(clients.map((client) => client.ask({ body, events, every: interval })));
  let most = before;
  for (
    let state = 'running';
    state === 'running';
    state = await Promise.race([all.then(() => 'over'), wait(interval, 'running')])
  )
    most = Math.max(most, await way.memory());
  const answered = (await all).filter((each) => isComplete(each, events)).length;
  for (const client of clients) client.close();
  return { name: way.name, before, most, answered };
}
