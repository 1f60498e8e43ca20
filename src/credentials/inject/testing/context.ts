import type { Destination } from '../../../egress/types.ts';
import { type Credential, groupOf } from '../../../policy/credentials/types.ts';
import { type HostPattern, parseHostPattern } from '../../../policy/patterns/host-pattern.ts';
import { createPhantomRegistry } from '../../phantoms/registry.ts';
import type { TokenClient } from '../../tokens/read-token-answer.ts';
import { createTokenStore } from '../../tokens/token-store.ts';
import type { Alarm, CredentialContext, KnownSecret, SecretRead, SecretStore, TokenStore } from '../../types.ts';

export type CredentialParts = Pick<Credential, 'injection'> &
  Partial<Omit<Credential, 'binding'>> & {
    readonly hosts?: readonly string[];
    readonly binding?: Partial<Credential['binding']>;
  };

/** A credential for `api.test:443`, reduced to the relevant settings. */
export function credentialOf({ hosts = ['api.test:443'], binding = {}, ...parts }: CredentialParts): Credential {
  return {
    name: 'main',
    source: { kind: 'env', variable: 'MAIN_EXAMPLE' },
    delivery: { environment: [], files: [], baseUrls: [] },
    use: 'phantom',
    origin: { rule: 'credentials', layer: 'user', file: 'policy.toml', line: 1 },
    binding: { hosts: hosts.map(pattern), transport: 'tls', ...binding },
    ...parts,
  };
}

function pattern(source: string): HostPattern {
  const parsed = parseHostPattern(source);
  if (parsed.kind === 'problem') throw new Error(source);
  return parsed;
}

export interface TestContext extends CredentialContext {
  readonly alarms: Alarm[];
  readonly uses: { readonly credential: string; readonly destination: Destination }[];
  /** Names of the credentials whose sources were read, in order. */
  readonly reads: string[];
  /** The phantom of a credential. */
  phantom(name?: string): string;
}

export interface TestContextOptions {
  readonly credentials: readonly Credential[];
  /** The sources' output. Default: `real-EXAMPLE-secret-of-NAME`. */
  readonly secrets?: Readonly<Record<string, SecretRead>>;
  /** Answers token requests. Default: there are no tokens. */
  readonly client?: TokenClient;
  /** Default: the clock. */
  readonly now?: () => number;
}

export function secretOf(name: string): string {
  return `real-EXAMPLE-secret-of-${name}`;
}

/** A session with a phantom for each of the credentials. */
export function testContext({ credentials, secrets = {}, client, now = Date.now }: TestContextOptions): TestContext {
  const registry = createPhantomRegistry();
  const alarms: Alarm[] = [];
  const uses: TestContext['uses'] = [];
  const reads: string[] = [];
  const store = secretsOf(secrets, reads);
  const phantoms = new Map(
    credentials.map((credential) => [
      groupOf(credential),
      registry.mint(credential, likeOf(secrets[groupOf(credential)])),
    ]),
  );
  return {
    credentials,
    registry,
    secrets: store,
    tokens: client === undefined ? noTokens : createTokenStore({ registry, secrets: store, client, now }),
    alarm: (alarm) => void alarms.push(alarm),
    used: (credential, destination) => void uses.push({ credential, destination }),
    now,
    isModelServer: ({ host }) => host === 'api.openai.com',
    alarms,
    uses,
    reads,
    phantom: (name = 'main') => phantoms.get(name) ?? '',
  };
}

function secretsOf(answers: Readonly<Record<string, SecretRead>>, reads: string[]): SecretStore {
  const known: KnownSecret[] = [];
  const remember = (credential: string, text: string): void => {
    if (!known.some((each) => each.credential === credential && each.text === text)) known.push({ credential, text });
  };
  return {
    async read(credential) {
      const name = groupOf(credential);
      reads.push(name);
      const answer: SecretRead = answers[name] ?? { kind: 'secret', secret: { value: secretOf(name), fields: {} } };
      if (answer.kind === 'secret') remember(name, answer.secret.value);
      return answer;
    },
    forget: () => undefined,
    doubt: (name) => void reads.push(`doubted ${name}`),
    known: () => known,
    remember,
    unremember: (credential, text) =>
      void known.splice(
        0,
        known.length,
        ...known.filter((each) => each.credential !== credential || each.text !== text),
      ),
    close: () => undefined,
  };
}

/** Phantoms have the form of a test's written secrets. */
function likeOf(read: SecretRead | undefined): string | undefined {
  return read?.kind === 'secret' ? read.secret.value : undefined;
}

function untold(): never {
  throw new Error('No credential of this test has tokens.');
}

const noTokens: TokenStore = {
  access: untold,
  forget: () => undefined,
  capture: untold,
  captured: () => undefined,
  close: () => undefined,
};
