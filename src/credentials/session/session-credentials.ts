import { type AlarmEvent, appendEvents, type CredentialEvent } from '../../audit/index.ts';
import type { Destination } from '../../egress/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { credentialsOf } from '../../policy/credentials/credentials-of.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { modelServerOf } from '../../policy/llm/looked-into.ts';
import type { Policy } from '../../policy/policy.ts';
import { extractSecret } from '../delivery/is-for.ts';
import { createMasker } from '../masking/masker.ts';
import { createPhantomRegistry } from '../phantoms/registry.ts';
import { keepOutOfCoreDumps } from '../sources/keep-out-of-core-dumps.ts';
import { readHostFile } from '../sources/read-host-file.ts';
import { createSecretStore } from '../sources/secret-store.ts';
import { withoutClaims } from '../tokens/inject/capture-answer.ts';
import type { Alarm, CredentialContext, PhantomRegistry, SecretStore, TokenStore } from '../types.ts';
import { deliverSecrets, type Deliverable, type Delivered } from './deliver.ts';
import { watchRevocations } from './revocations.ts';

export interface SessionCredentialOptions {
  readonly id: string;
  readonly place: Place;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Real paths that boxes can write. No program is started from there, and no secret is read from there. */
  readonly writableRoots: readonly string[];
  /** Number of git settings in the box's environment. */
  readonly gitSettings: number;
  /** Names of the credentials that boxes get. Default: all. */
  readonly only?: readonly string[];
  /** Default: uses the kernel's own setting. */
  readonly keepOutOfCoreDumps?: typeof keepOutOfCoreDumps;
}

/** The credentials of one session. They have their own bundle, which only sessions with credentials load. */
export interface SessionCredentials {
  readonly delivered: Delivered;
  /** One line for each credential without a phantom, and for each protection of secrets that this system lacks. */
  readonly notices: readonly string[];
  /** Credentials with a phantom, as of the beginning of the session. */
  readonly credentials: readonly Credential[];
  readonly journal: CredentialJournal;
  readonly parts: Pick<CredentialContext, 'registry' | 'secrets' | 'now'>;
  /** Returns the context for the parts that search traffic. `current` returns the current policy. */
  context(
    current: () => Policy | undefined,
    tokens: TokenStore,
    approve?: CredentialContext['approve'],
  ): CredentialContext;
  /** Revokes one credential. Without a name, revokes all. */
  revoke(credential?: string): void;
  /** Revokes and forgets everything. */
  close(): void;
}

/**
 * Mints the phantoms of a session. Reads sources that need no program at once. Reads the others when a request first
 * needs them.
 */
export async function openSessionCredentials(options: SessionCredentialOptions): Promise<SessionCredentials> {
  const { place, environment, writableRoots, gitSettings, only } = options;
  const dumps = (options.keepOutOfCoreDumps ?? keepOutOfCoreDumps)();
  const journal = credentialJournal(options);
  // Opened before minting, so that no revocation in the meantime is missed.
  const revocations = watchRevocations(place.paths, { session: options.id, since: Date.now() });
  const credentials = credentialsOf(policyOfPlace(place)).filter(
    ({ name }) => only === undefined || only.includes(name),
  );
  const registry = createPhantomRegistry();
  const secrets = createSecretStore({
    environment,
    extract: extractSecret,
    writableRoots,
    onEvent: ({ credential, action, message }) => journal.note(credential, action, message),
  });
  const { minted, notices } = await mintAll(credentials, { registry, secrets });
  const delivered = withoutSecrets(
    deliverSecrets(minted, { readFile: (path) => readCredentialFile(path, writableRoots), gitSettings }),
    secrets,
  );
  const present = minted.map(({ credential }) => credential);
  const parts = { registry, secrets, now: Date.now };
  const revoke = (names: readonly (string | undefined)[]): void => {
    // Revokes even if the journal cannot be written.
    for (const name of names) registry.revoke(groupCalled(name, credentials));
    for (const name of names) journal.note(name ?? '', 'revoked');
  };
  return {
    delivered,
    notices: [...notices, ...(credentials.length > 0 && dumps === 'unavailable' ? [dumpable] : [])],
    journal,
    credentials: present,
    revoke: (credential) => revoke([credential]),
    parts,
    context: (current, tokens, approve) => ({
      ...(approve === undefined ? {} : { approve }),
      get credentials() {
        revoke(revocations.look().map(({ credential }) => credential));
        return stillThere(present, current());
      },
      ...parts,
      tokens,
      isModelServer: (destination) => {
        const policy = current();
        return policy !== undefined && modelServerOf(policy, destination) !== undefined;
      },
      alarm: journal.alarm,
      used: journal.used,
    }),
    close() {
      registry.revoke();
      secrets.close();
    },
  };
}

const dumpable =
  'this system cannot keep secrets out of core dumps of holdfast: turn core dumps off (`ulimit -c 0`) before you start it';

/**
 * Returns the group of a credential. The credentials of a group share a phantom, and `holdfast credentials show` lists
 * each of them.
 */
function groupCalled(name: string | undefined, credentials: readonly Credential[]): string | undefined {
  const found = credentials.find((credential) => credential.name === name);
  return found === undefined ? name : groupOf(found);
}

/** Leaves out credentials that the policy has since removed or changed. They are bound to nothing. */
function stillThere(present: readonly Credential[], policy: Policy | undefined): readonly Credential[] {
  if (policy === undefined) return [];
  const now = credentialsOf(policy);
  return present.filter(({ name, binding, injection }) =>
    now.some(
      (each) =>
        each.name === name && JSON.stringify([each.binding, each.injection]) === JSON.stringify([binding, injection]),
    ),
  );
}

/** Attack: a copy of a credential file has the secret under a name that no reader of its format knows. */
function withoutSecrets(delivered: Delivered, secrets: Pick<SecretStore, 'known'>): Delivered {
  const masker = createMasker({ known: () => secrets.known() });
  return {
    ...delivered,
    files: delivered.files.map((file) => {
      const octets = Buffer.from(file.content).toString('latin1');
      const masked = masker.maskText(octets, () => undefined);
      return masked === octets ? file : { ...file, content: Buffer.from(masked, 'latin1').toString() };
    }),
  };
}

/** Bytes. */
const longestFile = 1024 * 1024;

function readCredentialFile(path: string, writableRoots: readonly string[]): string | undefined {
  const read = readHostFile(path, { longest: longestFile, writableRoots });
  switch (read.kind) {
    case 'text':
      return read.text;
    case 'missing':
      return undefined;
    case 'unavailable':
      throw new HoldfastError('HF_CREDENTIAL_FILE', `the box cannot be given ${path}: ${read.why}`, {
        remedy: `${read.remedy}, or take it out of \`files\` of the credential`,
      });
  }
}

/** Events of the credentials of one session, for its journal. */
interface CredentialJournal {
  alarm(alarm: Alarm): void;
  used(credential: string, destination: Destination): void;
  note(credential: string, action: CredentialEvent['action'], message?: string): void;
}

/** Most equal alarms in the journal. A box in a loop could raise the same alarm without end. */
const mostAlike = 20;

/** Records the first use of a credential at a host, every change of its state, and all alarms. */
function credentialJournal({ id, place }: { readonly id: string; readonly place: Place }): CredentialJournal {
  const session = { session: id, workspace: place.workspace.root };
  const seen = new Map<string, number>();
  const times = (event: CredentialEvent | AlarmEvent): number => {
    const key = JSON.stringify(event);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count;
  };
  const write = (event: CredentialEvent | AlarmEvent, most: number): void => {
    if (times(event) <= most) appendEvents(place.paths.journal, [event]);
  };
  return {
    alarm: ({ kind, credential, destination, place: where }) =>
      write({ type: 'alarm', ...session, alarm: kind, credential, ...destination, place: where }, mostAlike),
    used: (credential, destination) =>
      write({ type: 'credential', ...session, credential, action: 'used', ...destination }, 1),
    note: (credential, action, message) =>
      write(
        { type: 'credential', ...session, credential, action, ...(message === undefined ? {} : { message }) },
        mostAlike,
      ),
  };
}

interface MintContext {
  readonly registry: PhantomRegistry;
  readonly secrets: SecretStore;
}

interface MintedAll {
  readonly minted: readonly Deliverable[];
  /** One line for each credential without a secret. */
  readonly notices: readonly string[];
}

/** Mints a phantom for each credential whose secret exists or may exist. Sources that need a program are read later. */
async function mintAll(credentials: readonly Credential[], context: MintContext): Promise<MintedAll> {
  const minted: Deliverable[] = [];
  const notices = new Map<string, string>();
  for (const credential of credentials) {
    const outcome = await mintOne(credential, context);
    if (outcome.kind === 'minted') minted.push(outcome.deliverable);
    else
      notices.set(
        groupOf(credential),
        `there is no credential ${groupOf(credential)} in the box: ${outcome.message}; ${outcome.remedy}`,
      );
  }
  return { minted, notices: [...notices.values()] };
}

type Minted =
  | { readonly kind: 'minted'; readonly deliverable: Deliverable }
  | { readonly kind: 'missing'; readonly message: string; readonly remedy: string };

async function mintOne(credential: Credential, { registry, secrets }: MintContext): Promise<Minted> {
  const read = isAtHand(credential) ? await secrets.read(credential) : undefined;
  if (read?.kind === 'unavailable') return { kind: 'missing', message: read.message, remedy: read.remedy };
  const fields = read?.secret.fields ?? {};
  const secret = registry.mint(credential, likeness(credential, read?.secret.value));
  const phantom = (role: string): string =>
    role === 'secret' ? secret : registry.mintFor(credential, role, fields[role] ?? exampleOf(credential, role));
  return { kind: 'minted', deliverable: { credential, phantom } };
}

/** Returns true if reading starts no program. Such reading asks nobody. */
function isAtHand({ source, injection }: Credential): boolean {
  return injection.kind !== 'oauth2-login' && (source.kind === 'env' || source.kind === 'file');
}

/**
 * Returns the example for a phantom. Undefined for keys that are never sent, and for tokens that are not fetched yet.
 */
function likeness({ injection, delivery }: Credential, secret: string | undefined): string | undefined {
  switch (injection.kind) {
    case 'github-app':
    case 'service-account':
    case 'oauth2-client':
    case 'oauth2-refresh':
    case 'oauth2-login':
      return undefined;
    default:
      return secret !== undefined && delivery.files.some(({ claims }) => claims === 'masked')
        ? (withoutClaims(secret) ?? secret)
        : secret;
  }
}

/** Source of the form: AWS IAM user guide, "IAM identifiers". */
const exampleAccessKey = 'AKIAIOSFODNN7EXAMPLE';

function exampleOf({ injection }: Credential, role: string): string {
  if (role !== 'accessKeyId') return 'x'.repeat(40);
  return injection.kind === 'sigv4' && injection.accessKeyId !== undefined ? injection.accessKeyId : exampleAccessKey;
}
