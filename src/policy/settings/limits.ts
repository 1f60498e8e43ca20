import { limitNames } from '../layers/limit-names.ts';
import type { Amount } from '../layers/quantities.ts';
import type { LimitSettings } from '../layers/settings.ts';
import type { Policy } from '../policy.ts';

/** Bytes, milliseconds, cores or a count. An absent limit is unlimited. */
export type Limits = { readonly [Name in keyof LimitSettings]?: number };

export interface LimitFacts {
  /** Bytes of main memory; `"75%"` is a share of it. */
  readonly memory: number;
}

/** Returns the lowest limit that any layer sets, for each resource. */
export function limitsOf(policy: Policy, facts: LimitFacts): Limits {
  const all = policy.layers.map(({ settings }) => settings.limits);
  const lowest = limitNames.flatMap((name) => {
    const values = all.flatMap((limits) => numberOf(limits[name]?.value, facts) ?? []);
    return values.length === 0 ? [] : [[name, Math.min(...values)] as const];
  });
  return Object.fromEntries(lowest) as Limits;
}

function numberOf(value: Amount | number | undefined, facts: LimitFacts): number | undefined {
  if (typeof value !== 'object') return value;
  return value.kind === 'bytes' ? value.bytes : Math.floor(value.share * facts.memory);
}
