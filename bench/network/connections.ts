import type { Budget } from '../lib/budget.ts';
import { medianOf, ratio } from '../lib/compare.ts';
import type { Result } from '../lib/measure.ts';
import { quantile } from '../lib/stats.ts';
import { measureRows, type NetworkBench, type Row, waysNamed } from './bench.ts';
import { milliseconds } from './client.ts';
import { latencyTable } from './tables.ts';
import { names } from './ways.ts';
import type { Part } from './part.ts';

/** New connections in turn, each with a small request. */
export async function connections(bench: NetworkBench): Promise<Part> {
  const { count, ...options } = bench.sizes.connections;
  const row =
    (verb: 'connect' | 'name', name: (way: string) => string) =>
    (way: NetworkBench['ways'][number]): Row => ({
      way,
      name: name(way.name),
      run: async (client, { host }) => milliseconds(await client.ask({ verb, host, port: bench.server.plain, count })),
    });
  const ways = waysNamed(bench, [names.bare, names.proxy, names.srt, names.pasta, names.ours]);
  const rows = [
    ...ways.map(row('connect', (name) => name)),
    ...waysNamed(bench, [names.ours]).map(row('name', withLookup)),
  ];
  const results = await measureRows(bench, rows, options);
  return {
    title: `new connection and small request, in the clear (${count * options.rounds} of each)`,
    text: latencyTable(results, names.proxy),
    budgets: [
      {
        claim: `connection: ${names.ours} ÷ ${names.proxy}`,
        measured: ratio(results, names.ours, names.proxy),
        limit: 1.2,
        unit: '×',
        direction: 'at-most',
      },
      {
        claim: `connection: ${names.srt} ÷ ${names.ours}`,
        measured: ratio(results, names.srt, names.ours),
        limit: 4,
        unit: '×',
        direction: 'at-least',
      },
    ],
  };
}

const withLookup = (name: string): string => `${name}, with a look-up each`;

/** The same over TLS. */
export async function secureConnections(bench: NetworkBench): Promise<Part> {
  const { count, ...options } = bench.sizes.secureConnections;
  const rows = bench.ways.map(
    (way): Row => ({
      way,
      run: async (client, { host }) =>
        milliseconds(await client.ask({ verb: 'secure', host, port: bench.server.secure, count })),
    }),
  );
  const results = await measureRows(bench, rows, options);
  return {
    title: `new connection and small request over TLS (${count * options.rounds} of each)`,
    text: latencyTable(results, names.proxy),
    budgets: [names.ours, names.ended].map(
      (name): Budget => ({
        claim: `TLS connection: p99 ÷ p50, ${name}`,
        measured: spread(results, name),
        limit: 4,
        unit: '×',
        direction: 'at-most',
      }),
    ),
  };
}

function spread(results: readonly Result[], name: string): number | undefined {
  const result = results.find((candidate) => candidate.name === name);
  const median = medianOf(results, name);
  if (result?.kind !== 'measured' || median === undefined) return undefined;
  return (
    quantile(
      result.samples.toSorted((a, b) => a - b),
      0.99,
    ) / median
  );
}
