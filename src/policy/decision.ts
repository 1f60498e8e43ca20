/**
 * Every decision there is, from loosest to strictest. The order is the lattice: the meet of two decisions is the
 * stricter one.
 */
export const decisions = ['allow', 'audit', 'redirect', 'stage', 'ask', 'deny'] as const;

/**
 * - `allow` — goes ahead.
 * - `audit` — goes ahead and is journalled.
 * - `redirect` — goes ahead against another target, which the rule names.
 * - `stage` — the effect is kept aside until it is reviewed; a deletion is recoverable.
 * - `ask` — held until a person decides; a time-out is a denial.
 * - `deny` — refused.
 */
export type Decision = (typeof decisions)[number];

const strictness: Readonly<Record<Decision, number>> = { allow: 0, audit: 1, redirect: 2, stage: 3, ask: 4, deny: 5 };

/** 0 (loosest) to 5 (strictest). */
export function strictnessOf(decision: Decision): number {
  return strictness[decision];
}

export function stricter(a: Decision, b: Decision): Decision {
  return strictness[a] >= strictness[b] ? a : b;
}

/** Whether something happens without waiting for anyone, be it against another target. */
export function goesAhead(decision: Decision): boolean {
  return strictness[decision] <= strictness.redirect;
}
