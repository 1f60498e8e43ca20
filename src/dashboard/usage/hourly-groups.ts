import { type CallGroups, type CallRecord, groupCalls } from '../../llm/index.ts';
import { dimensionsOf } from './usage-lines.ts';
import type { Grouping } from './types.ts';

/** Sums of hours, kept as long as nothing comes to them: of a month with 100,000 calls only the last hour is counted again. */
export class HourlyGroups {
  readonly #kept = new WeakMap<readonly CallRecord[], Map<Grouping, { readonly count: number; readonly groups: CallGroups }>>();

  of(calls: readonly CallRecord[], by: Grouping): CallGroups {
    const kept = this.#kept.get(calls) ?? new Map();
    const known = kept.get(by);
    if (known?.count === calls.length) return known.groups;
    const groups = groupCalls(calls, dimensionsOf[by]);
    // Programs choose the names of agents and models: sums of each call would be no less than the calls.
    if (groups.size <= mostKept) this.#kept.set(calls, kept.set(by, { count: calls.length, groups }));
    return groups;
  }
}

const mostKept = 100;
