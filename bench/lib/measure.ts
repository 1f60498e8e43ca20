import type { Contestant, Runner } from './contestant.ts';

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
export async function measure(contestants: readonly Contestant[], options: MeasureOptions): Promise<readonly Result[]> {
  const runners = contestants.filter((contestant) => contestant.kind === 'runner');
  const samples = new Map<Runner, number[]>(runners.map((runner) => [runner, []]));
  for (let round = 0; round < options.warmups + options.rounds; round += 1) {
    for (const runner of rotated(runners, round)) {
      const time = await runner.run();
      if (round >= options.warmups) samples.get(runner)?.push(time);
    }
  }
  return contestants.map((contestant) =>
    contestant.kind === 'absent'
      ? contestant
      : { kind: 'measured', name: contestant.name, samples: samples.get(contestant) ?? [] },
  );
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
