import { type Credential, credentialsOf } from '../../../src/policy/index.ts';
import { policyFrom } from '../../../src/policy/testing/policies.ts';

/** The credentials of `[[credentials]]` tables. */
export function tables(...texts: readonly string[]): readonly Credential[] {
  return credentialsOf(policyFrom({ user: texts.map((text) => `[[credentials]]\n${text}`).join('\n') }));
}
