import { credentialsOf } from '../../../src/policy/credentials/credentials-of.ts';
import type { Credential } from '../../../src/policy/credentials/types.ts';
import { policyFrom } from '../../../src/policy/testing/policies.ts';

/** The credentials of `[[credentials]]` tables. */
export function tables(...texts: readonly string[]): readonly Credential[] {
  return credentialsOf(policyFrom({ user: texts.map((text) => `[[credentials]]\n${text}`).join('\n') }));
}
