import { ratio } from '../lib/compare.ts';
import type { Result } from '../lib/measure.ts';
import { measureRows, type NetworkBench, type Row } from './bench.ts';
import { milliseconds } from './client.ts';
import type { Part } from './part.ts';
import { latencyTable } from './tables.ts';
import { names } from './ways.ts';

/** Event streams over TLS, in turn on an open connection. */
export async function events(bench: NetworkBench): Promise<Part> {
  const { count, ...options } = bench.sizes.streams;
  const later = new Map<string, number[]>();
  const rows = bench.ways.map(
    (way): Row => ({
      way,
      run: async (client, { name, host }) => {
        const times = milliseconds(await client.ask({ verb: 'events', host, port: bench.server.secure, count }));
        later.set(name, [...(later.get(name) ?? []), ...times.slice(count)]);
        return times.slice(0, count);
      },
    }),
  );
  const first = await measureRows(bench, rows, options);
  const delays = first.map(
    (result): Result => (result.kind === 'absent' ? result : { ...result, samples: later.get(result.name) ?? [] }),
  );
  return {
    title: `event streams over TLS (${count * options.rounds} of each)`,
    text: `from the request to the first event\n${latencyTable(first, names.proxy)}\n\nfrom the sending of a later event to its arrival\n${latencyTable(delays, names.proxy)}`,
    budgets: [
      {
        claim: `first event: ${names.ended} ÷ ${names.requests}`,
        measured: ratio(first, names.ended, names.requests),
        limit: 1.5,
        unit: '×',
        direction: 'at-most',
      },
    ],
  };
}
