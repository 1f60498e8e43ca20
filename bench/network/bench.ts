import type { Absent } from '../lib/contestant.ts';
import { type Batch, measureBatches, type MeasureOptions, type Result } from '../lib/measure.ts';
import type { Scratch } from '../lib/scratch.ts';
import { type Client, openClient } from './client.ts';
import type { Programs } from './programs.ts';
import type { BenchServer } from './server.ts';
import type { Sizes } from './sizes.ts';
import type { Way } from './ways.ts';

/** Requirements of every measurement. */
export interface NetworkBench {
  readonly scratch: Scratch;
  readonly programs: Programs;
  readonly server: BenchServer;
  readonly ways: readonly Way[];
  readonly sizes: Sizes;
}

/** A row: a way, and its client's work in one round. */
export interface Row {
  readonly way: Way;
  /** Default: the way's. */
  readonly name?: string;
  readonly run: (client: Client, way: Way) => Promise<readonly number[]>;
}

/** Opens the way of every row, runs all in turn, and closes them. */
export async function measureRows(
  bench: NetworkBench,
  rows: readonly Row[],
  options: MeasureOptions,
): Promise<readonly Result[]> {
  const clients: Client[] = [];
  const batches = rows.map(({ way, name = way.name, run }): Batch | Absent => {
    if (way.peer.kind === 'absent') return { kind: 'absent', name, reason: way.peer.reason };
    const client = clientOn(bench, way);
    clients.push(client);
    return { kind: 'batch', name, run: () => run(client, way) };
  });
  const results = await measureBatches(batches, options);
  await Promise.all(clients.map((client) => client.close()));
  return results;
}

/** Starts a client at the inner end of an open way. */
export function clientOn({ programs }: NetworkBench, { peer, workspace, environment }: Way): Client {
  const prefix = peer.kind === 'present' ? peer.prefix : [];
  return openClient({ prefix, program: programs.client, cwd: workspace, environment });
}

export function waysNamed({ ways }: NetworkBench, wanted: readonly string[]): readonly Way[] {
  return ways.filter(({ name }) => wanted.includes(name));
}
