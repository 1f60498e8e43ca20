import { medianOf, ratio } from '../lib/compare.ts';
import { measureRows, type NetworkBench, type Row, waysNamed } from './bench.ts';
import { milliseconds } from './client.ts';
import type { Part } from './part.ts';
import { rateTable } from './tables.ts';
import { names, type Way } from './ways.ts';

const megabytes = ({ sizes }: NetworkBench): string => `${sizes.octets / 1e6} MB`;

/** One download in the clear. */
export async function downloads(bench: NetworkBench): Promise<Part> {
  const ways = waysNamed(bench, [names.bare, names.proxy, names.srt, names.pasta, names.ours]);
  const results = await measureRows(
    bench,
    ways.map((way) => downloading(bench, way, 'plain')),
    bench.sizes.downloads,
  );
  const proxy = medianOf(results, names.proxy);
  return {
    title: `download of ${megabytes(bench)}, in the clear`,
    text: rateTable(results, { unit: 'GB/s', baseline: names.proxy, digits: 2 }),
    budgets: [
      {
        claim: `download: ${names.ours}, 1 GB/s or 0.9 × ${names.proxy}`,
        measured: medianOf(results, names.ours),
        limit: Math.round(100 * Math.min(1, 0.9 * (proxy ?? Infinity))) / 100,
        unit: 'GB/s',
        direction: 'at-least',
      },
      {
        claim: `download: ${names.ours} ÷ ${names.srt}`,
        measured: ratio(results, names.ours, names.srt),
        limit: 3,
        unit: '×',
        direction: 'at-least',
      },
    ],
  };
}

/** The same over TLS. */
export async function secureDownloads(bench: NetworkBench): Promise<Part> {
  const results = await measureRows(
    bench,
    bench.ways.map((way) => downloading(bench, way, 'tls')),
    bench.sizes.downloads,
  );
  return {
    title: `download of ${megabytes(bench)} over TLS`,
    text: rateTable(results, { unit: 'GB/s', baseline: names.proxy, digits: 2 }),
    budgets: [
      {
        claim: `download: ${names.ended} ÷ ${names.pipes}`,
        measured: ratio(results, names.ended, names.pipes),
        limit: 0.75,
        unit: '×',
        direction: 'at-least',
      },
    ],
  };
}

/** Bytes in a millisecond are megabytes in 1,000 seconds. */
function downloading({ server, sizes }: NetworkBench, way: Way, verb: 'plain' | 'tls'): Row {
  const port = verb === 'plain' ? server.plain : server.secure;
  return {
    way,
    run: async (client, { host }) =>
      milliseconds(await client.ask({ verb, host, port, count: sizes.octets })).map(
        (time) => sizes.octets / time / 1e6,
      ),
  };
}
