import type { Rule, Span } from '../rules/types.ts';
import type { Finding, Scanner } from '../types.ts';
import { createLeadFinder } from './lead-finder.ts';
import { settle } from './settle.ts';

/** Finds the session's own secrets, in every spelling that they are known in. In any order. */
export interface ExactFinder {
  find(text: string): readonly Span[];
}

export interface ScannerOptions {
  readonly rules: readonly Rule[];
  readonly exact?: ExactFinder;
  /** Of a rule by its name: where finds overlap, that of the higher rank holds. Default: all have the same. */
  readonly rank?: (rule: string) => number;
}

/** Looks for rules and exact secrets. Any text goes in; time grows with its length and no faster. */
export function createScanner({ rules, exact, rank = () => 0 }: ScannerOptions): Scanner {
  const finder = createLeadFinder(rules.flatMap((rule) => rule.leads.map((lead) => ({ of: rule, lead }))));
  return {
    find(text) {
      const found: Finding[] = [];
      finder.each(text, (rule, at) => {
        const span = rule.match(text, at);
        if (span !== undefined) found.push({ rule: rule.name, start: span.start, end: span.end });
      });
      const secrets = exact?.find(text).map(({ start, end }) => ({ rule: 'session-secret', start, end })) ?? [];
      return settle(secrets, found, rank);
    },
  };
}
