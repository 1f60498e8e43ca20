import type { PolicyDocument } from '../document/types.ts';
import type { Policy } from '../policy.ts';

/** Whether any layer says `strict = true`. */
export function isStrictPolicy(policy: Pick<Policy, 'layers'>): boolean {
  return policy.layers.some(({ settings }) => settings.strict?.value === true);
}

/** The same before the documents are layers. */
export function sayStrict(documents: readonly Pick<PolicyDocument, 'value'>[]): boolean {
  return documents.some(({ value }) => value.strict === true);
}
