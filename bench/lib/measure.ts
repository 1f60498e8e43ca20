import type { Contestant, Runner } from './contestant.ts';
import { type Summary, summarise } from './stats.ts';

/** Milliseconds, or why there are none. */
export type Result =
  | { readonly kind: 'measured'; readonly name: string; readonly time: Summary }
  | { readonly kind: 'absent'; readonly name: string; readonly reason: string };

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
  for (let round = -options.warmups; round < options.rounds; round += 1) {
    for (const runner of rotated(runners, round + options.warmups)) {
      const time = await timed(runner);
      if (round >= 0) samples.get(runner)?.push(time);
    }
  }
  return contestants.map((contestant) =>
    contestant.kind === 'absent'
      ? contestant
      : { kind: 'measured', name: contestant.name, time: summarise(samples.get(contestant) ?? []) },
  );
}

async function timed(runner: Runner): Promise<number> {
  const begin = performance.now();
  await runner.run();
  return performance.now() - begin;
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
