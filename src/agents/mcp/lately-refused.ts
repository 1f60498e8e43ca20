import type { RefusalFacts } from './tools/refusal-facts.ts';

export interface TimedRefusal extends RefusalFacts {
  /** ISO 8601. */
  readonly time: string;
}

const most = 100;

/** What commands of this session were refused as far as their output tells, newest first: the journal has only what was enforced by a rule. */
export class LatelyRefused {
  readonly #refusals: TimedRefusal[] = [];

  add(refusals: readonly RefusalFacts[]): void {
    const time = new Date().toISOString();
    this.#refusals.unshift(...refusals.map((refusal) => ({ time, ...refusal })));
    this.#refusals.splice(most);
  }

  /** Those and what the journal has, each once. */
  with(journal: readonly TimedRefusal[]): readonly TimedRefusal[] {
    const all = [...this.#refusals, ...journal].toSorted((a, b) => (a.time < b.time ? 1 : -1));
    const seen = new Set<string>();
    return all.filter(({ request }) => !seen.has(request) && seen.add(request));
  }
}
