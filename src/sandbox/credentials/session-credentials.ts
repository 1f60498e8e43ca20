import { createPhantomRegistry, createSecretStore, type CredentialContext, extractSecret, keepOutOfCoreDumps, readHostFile, type TokenStore } from '../../credentials/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { type Credential, credentialsOf, groupOf, type Policy } from '../../policy/index.ts';
import type { Place } from '../place.ts';
import { policyOfPlace } from '../planner.ts';
import { credentialJournal, type CredentialJournal } from './credential-journal.ts';
import { deliver, type Delivered } from './deliver.ts';
import { mintAll } from './mint-all.ts';
import { watchRevocations } from './revocations.ts';

export interface SessionCredentialOptions {
  readonly id: string;
  readonly place: Place;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Real paths of what boxes can write to: neither programs nor secrets are taken from there. */
  readonly writableRoots: readonly string[];
  /** Settings of git in the box's environment. */
  readonly gitSettings: number;
  /** Names of those that boxes get. Default: all. */
  readonly only?: readonly string[];
  /** Default: the kernel's own setting. */
  readonly keepOutOfCoreDumps?: typeof keepOutOfCoreDumps;
}

/** The credentials of one session. In a bundle of its own: only a session that has any loads it. */
export interface SessionCredentials {
  readonly delivered: Delivered;
  /** One line for each that there is no phantom of, and for what this system cannot keep from secrets. */
  readonly notices: readonly string[];
  /** Those that there are phantoms of, as they were when the session began. */
  readonly credentials: readonly Credential[];
  readonly journal: CredentialJournal;
  readonly parts: Pick<CredentialContext, 'registry' | 'secrets' | 'now'>;
  /** For what looks at traffic; `current` says what the policy holds now. */
  context(current: () => Policy | undefined, tokens: TokenStore, approve?: CredentialContext['approve']): CredentialContext;
  /** All of them where no name is given. */
  revoke(credential?: string): void;
  /** Revokes and forgets everything. */
  close(): void;
}

/** Mints what boxes get. Sources that can be read without a program are read; the others when a request first needs them. */
export async function openSessionCredentials(options: SessionCredentialOptions): Promise<SessionCredentials> {
  const { place, environment, writableRoots, gitSettings, only } = options;
  const dumps = (options.keepOutOfCoreDumps ?? keepOutOfCoreDumps)();
  const journal = credentialJournal(options);
  // Before anything is minted: what is revoked meanwhile is revoked.
  const revocations = watchRevocations(place.paths, { session: options.id, since: Date.now() });
  const credentials = credentialsOf(policyOfPlace(place)).filter(({ name }) => only === undefined || only.includes(name));
  const registry = createPhantomRegistry();
  const secrets = createSecretStore({ environment, extract: extractSecret, writableRoots, onEvent: ({ credential, action, message }) => journal.note(credential, action, message) });
  const { minted, notices } = await mintAll(credentials, { registry, secrets });
  const delivered = deliver(minted, { readFile: (path) => readCredentialFile(path, writableRoots), gitSettings });
  const present = minted.map(({ credential }) => credential);
  const parts = { registry, secrets, now: Date.now };
  const revoke = (names: readonly (string | undefined)[]): void => {
    // A journal that cannot be written to keeps nothing from being revoked.
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
      alarm: journal.alarm,
      used: journal.used,
    }),
    close() {
      registry.revoke();
      secrets.close();
    },
  };
}

const dumpable = 'this system cannot keep secrets out of core dumps of holdfast: turn core dumps off (`ulimit -c 0`) before you start it';

/** Those of one group share a phantom, and `holdfast credentials show` names each of them. */
function groupCalled(name: string | undefined, credentials: readonly Credential[]): string | undefined {
  const found = credentials.find((credential) => credential.name === name);
  return found === undefined ? name : groupOf(found);
}

/** What the policy does not hold any more, or holds otherwise, is bound to nothing. */
function stillThere(present: readonly Credential[], policy: Policy | undefined): readonly Credential[] {
  if (policy === undefined) return [];
  const now = credentialsOf(policy);
  return present.filter(({ name, binding, injection }) => now.some((each) => each.name === name && JSON.stringify([each.binding, each.injection]) === JSON.stringify([binding, injection])));
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
      throw new HoldfastError('HF_CREDENTIAL_FILE', `the box cannot be given ${path}: ${read.why}`, { remedy: `${read.remedy}, or take it out of \`files\` of the credential` });
  }
}
