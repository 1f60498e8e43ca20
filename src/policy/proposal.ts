import type { Proposal } from './document/types.ts';

/**
 * The one text of a proposal, whatever the order and spelling of its TOML: equal grants give equal texts, and any other
 * grant another one. A user's acceptance is bound to the SHA-256 of it.
 */
export function canonicalProposal(proposal: Proposal): string {
  return JSON.stringify(canonical(proposal));
}

/** Lists of grants are sets, so their order says nothing; keys are sorted, since their order says nothing either. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(String))].sort();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => [key, canonical(entry)]);
}
