import type { Absent, Contestant } from './contestant.ts';

export type Result = Measured | { readonly kind: 'absent'; readonly name: string; readonly reason: string };

export interface Measured {
  readonly kind: 'measured';
  readonly name: string;
  /** Milliseconds, one a round. Those of two contestants with the same index were taken right after each other. */
  readonly samples: readonly number[];
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Warm-up rounds, which do not count. */
  readonly warmups: number;
}

/**
 * Runs every contestant once a round, each round starting with another one. So other load on the machine, and the
 * caches that a neighbour leaves, affect all equally.
 */
export function measure(contestants: readonly Contestant[], options: MeasureOptions): Promise<readonly Result[]> {
  const batches = contestants.map((contestant) =>
    contestant.kind === 'absent'
      ? contestant
      : { ...contestant, kind: 'batch' as const, run: async () => [await contestant.run()] },
  );
  return measureBatches(batches, options);
}

/** A row whose every round gives many samples. */
export interface Batch {
  readonly kind: 'batch';
  readonly name: string;
  readonly run: () => Promise<readonly number[]>;
}

/** As `measure`. A row's samples are those of all its rounds. */
export async function measureBatches(
  batches: readonly (Batch | Absent)[],
  options: MeasureOptions,
): Promise<readonly Result[]> {
  const running = batches.filter((batch) => batch.kind === 'batch');
  const samples = new Map<string, number[]>(running.map(({ name }) => [name, []]));
  for (let round = 0; round < options.warmups + options.rounds; round += 1) {
    for (const { name, run } of rotated(running, round)) {
      const found = await run();
      if (round >= options.warmups) samples.get(name)?.push(...found);
    }
  }
  return batches.map((batch) =>
    batch.kind === 'absent' ? batch : { kind: 'measured', name: batch.name, samples: samples.get(batch.name) ?? [] },
  );
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
