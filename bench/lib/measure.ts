import type { Absent, Contestant } from './contestant.ts';

export type Result = Measured | { readonly kind: 'absent'; readonly name: string; readonly reason: string };

export interface Measured {
  readonly kind: 'measured';
  readonly name: string;
  /** Milliseconds, one a round: those of two contestants with the same index were taken right after each other. */
  readonly samples: readonly number[];
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Rounds that are run first and not counted. */
  readonly warmups: number;
}

/**
 * Runs every contestant once a round, each round beginning with another one: what else the machine does, and what a
 * neighbour leaves in the caches, falls on all alike.
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

/** As `measure`; a row's samples are those of all its rounds. */
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
