import { ratio } from '../lib/compare.ts';
import { measureRows, type NetworkBench, type Row } from './bench.ts';
import { milliseconds } from './client.ts';
import type { Part } from './part.ts';
import { rateTable } from './tables.ts';
import { names } from './ways.ts';

/** Connections with requests at once. */
const clients = 4;

/** Small requests on open connections, over TLS. */
export async function requests(bench: NetworkBench): Promise<Part> {
  const { count: each, ...options } = bench.sizes.requests;
  const rows = bench.ways.map(
    (way): Row => ({
      way,
      run: async (client, { host }) =>
        milliseconds(await client.ask({ verb: 'keep', host, port: bench.server.secure, count: clients, each })).map(
          (time) => (clients * each * 1000) / time,
        ),
    }),
  );
  const results = await measureRows(bench, rows, options);
  return {
    title: `small requests on ${clients} connections that stay open, over TLS`,
    text: rateTable(results, { unit: 'requests/s', baseline: names.proxy, digits: 0 }),
    budgets: [
      {
        claim: `requests: ${names.ended} ÷ ${names.requests}`,
        measured: ratio(results, names.ended, names.requests),
        limit: 1,
        unit: '×',
        direction: 'at-least',
      },
    ],
  };
}
