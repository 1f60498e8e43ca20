import type { GuaranteeName } from '../guarantees.ts';
import type { Policy } from '../policy.ts';

/** What the backend must be able to enforce: everything that any layer requires, each once. */
export function requirementsOf(policy: Policy): readonly GuaranteeName[] {
  return [...new Set(policy.layers.flatMap(({ settings }) => settings.requirements.map(({ value }) => value)))];
}
