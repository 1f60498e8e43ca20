import { difference, pairedPercent } from '../lib/compare.ts';
import { measureBatches, type MeasureOptions, type Result } from '../lib/measure.ts';
import { timeTable } from '../lib/report.ts';
import type { Part } from '../network/part.ts';
import type { GatewayBench } from './bench.ts';
import { type Answered, type Asked, type Client, isComplete } from './client.ts';
import { promptOf } from './prompts.ts';
import { names } from './ways.ts';

const share = `${names.gateway} − ${names.plain}`;

/** Small requests in turn on an open connection. */
export async function firstBytes(bench: GatewayBench): Promise<Part> {
  const { count, ...options } = bench.sizes.firstBytes;
  const body = promptOf({ source: bench.source, messages: 9, large: 0, small: 1000, secret: bench.secrets[0] ?? '' });
  const results = await measureClients(bench, options, async (client) => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1)
      times.push((await asked(client, { body, events: 10, every: 0 })).first);
    return times;
  });
  return {
    title: `from a request of ${(body.length / 1000).toFixed(0)} KB to the first byte of its streamed answer, ${count * options.rounds} of each`,
    text: compared(results),
    budgets: [
      {
        claim: `first byte: ${share}`,
        measured: difference(results, names.gateway, names.plain),
        limit: 1.5,
        unit: 'ms',
        direction: 'at-most',
      },
    ],
  };
}

/** A long conversation whose secrets are replaced. */
export async function largePrompts(bench: GatewayBench): Promise<Part> {
  const body = promptOf({
    source: bench.source,
    messages: 300,
    large: 100_000,
    small: 1600,
    secret: bench.secrets[0] ?? '',
  });
  const results = await measureClients(bench, bench.sizes.large, async (client) => [
    (await asked(client, { body, events: 10, every: 0 })).first,
  ]);
  return {
    title: `the same for a prompt of ${(body.length / 1e6).toFixed(2)} MB in 300 messages, with 10 secrets to look for and one of them in it, ${bench.sizes.large.rounds} of each`,
    text: compared(results),
    budgets: [
      {
        claim: `first byte for a prompt of 1 MB: ${share}`,
        measured: difference(results, names.gateway, names.plain),
        limit: 20,
        unit: 'ms',
        direction: 'at-most',
      },
    ],
  };
}

/**
 * Ten events every ten milliseconds are more than models write. All events at once are the maximum load for the
 * gateway.
 */
export async function streams(bench: GatewayBench): Promise<Part> {
  const { events, ...options } = bench.sizes.streams;
  const body = promptOf({ source: bench.source, messages: 3, large: 0, small: 500, secret: '' });
  const timesOf = (every: number): Promise<readonly Result[]> =>
    measureClients(bench, options, async (client) => [(await asked(client, { body, events, every })).whole]);
  const paced = await timesOf(10);
  const atOnce = await timesOf(0);
  return {
    title: `whole time of a streamed answer of ${events} events`,
    text: `1000 events a second\n${compared(paced)}\n\nall at once, which no model does\n${compared(atOnce)}`,
    budgets: [
      {
        claim: `streamed answer, 1000 events a second: ${names.gateway} ÷ ${names.plain} − 1`,
        measured: pairedPercent(paced, names.gateway, names.plain),
        limit: 5,
        unit: '%',
        direction: 'at-most',
      },
    ],
  };
}

async function asked(client: Client, of: Asked): Promise<Answered> {
  const answered = await client.ask(of);
  if (!isComplete(answered, of.events)) throw new Error(`of ${of.events} events ${answered.events ?? 'not all'} came`);
  return answered;
}

/** Each way once a round, on a connection that it keeps. */
async function measureClients(
  { ways }: GatewayBench,
  options: MeasureOptions,
  run: (client: Client) => Promise<readonly number[]>,
): Promise<readonly Result[]> {
  const clients = ways.map((way) => ({ name: way.name, client: way.connect() }));
  const results = await measureBatches(
    clients.map(({ name, client }) => ({ kind: 'batch', name, run: () => run(client) })),
    options,
  );
  for (const { client } of clients) client.close();
  return results;
}

function compared(results: readonly Result[]): string {
  const more = [names.plain, names.direct].map(
    (other) => `${names.gateway} − ${other}: ${difference(results, names.gateway, other)?.toFixed(2) ?? '–'} ms`,
  );
  return [timeTable(results, names.plain), ...more].join('\n');
}
