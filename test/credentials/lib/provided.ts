import type { TestContext, TestContextOptions } from '../../../src/credentials/inject/testing/context.ts';
import { deliverSecrets } from '../../../src/credentials/session/deliver.ts';
import type { SecretRead } from '../../../src/credentials/types.ts';
import { credentialsOf } from '../../../src/policy/credentials/credentials-of.ts';
import { groupOf } from '../../../src/policy/credentials/types.ts';
import { policyFrom } from '../../../src/policy/testing/policies.ts';

/** Credentials of a policy that names only providers, with invented secrets by provider. */
export function provided(
  secrets: Readonly<Record<string, string>>,
): Required<Pick<TestContextOptions, 'credentials' | 'secrets'>> {
  const tables = Object.keys(secrets).map(
    (provider) => `[[credentials]]\nname = "${provider}"\nprovider = "${provider}"\nsource = { env = "REAL" }`,
  );
  const policy = policyFrom({ user: tables.join('\n') });
  const reads = Object.entries(secrets).map(([provider, value]): readonly [string, SecretRead] => [
    provider,
    { kind: 'secret', secret: { value, fields: {} } },
  ]);
  return { credentials: credentialsOf(policy), secrets: Object.fromEntries(reads) };
}

/** The box's variables for these credentials. */
export function deliveredBy(context: TestContext): Readonly<Record<string, string>> {
  const deliverables = context.credentials.map((credential) => ({
    credential,
    phantom: () => context.phantom(groupOf(credential)),
  }));
  return deliverSecrets(deliverables, { readFile: () => undefined, gitSettings: 0 }).environment;
}
