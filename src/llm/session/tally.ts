import type { Finding } from '../../dlp/types.ts';
import type { DlpRule } from '../../policy/llm/types.ts';

/** Decision of a rule of the policy, and the number of matches by kind. */
export interface RuleCounts {
  readonly rule: DlpRule;
  readonly counts: Readonly<Record<string, number>>;
}

/** Counts the matches in one content. */
export class FindingTally {
  readonly #counts = new Map<DlpRule, Record<string, number>>();

  count(rule: DlpRule, { rule: kind }: Pick<Finding, 'rule'>): void {
    const counts = this.#counts.get(rule) ?? {};
    counts[kind] = (counts[kind] ?? 0) + 1;
    this.#counts.set(rule, counts);
  }

  found(): readonly RuleCounts[] {
    return [...this.#counts].map(([rule, counts]) => ({ rule, counts }));
  }
}
