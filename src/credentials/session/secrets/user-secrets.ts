import { HoldfastError } from '../../../errors/index.ts';
import type { Place } from '../../../place/place.ts';
import { planPlace, policyOfPlace } from '../../../place/planner.ts';
import { writablePlaces } from '../../../place/writable-places.ts';
import { credentialsOf } from '../../../policy/credentials/credentials-of.ts';
import type { CredentialTable } from '../../../policy/credentials/schema.ts';
import { type Credential, groupOf } from '../../../policy/credentials/types.ts';
import { extractSecret } from '../../delivery/is-for.ts';
import { keepOutOfCoreDumps } from '../../sources/keep-out-of-core-dumps.ts';
import { clearFromKeyring, type KeyringOptions, storeInKeyring } from '../../sources/keyring-programs.ts';
import { createSecretStore } from '../../sources/secret-store.ts';
import type { SourceEvent } from '../../sources/types.ts';
import type { Unavailable } from '../../types.ts';
import { addTable, checkWith, removeTable } from './user-policy.ts';

export interface SecretsPlace {
  readonly place: Place;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Facts about a secret that do not reveal it. */
export type SecretTest =
  | { readonly kind: 'readable'; readonly expires?: number; readonly notices: readonly string[] }
  | Unavailable;

/** Returns the credentials of the policy in force here, one for each table. */
export function listSecrets({ place }: SecretsPlace): readonly Credential[] {
  return credentialsOf(policyOfPlace(place)).filter((credential) => groupOf(credential) === credential.name);
}

/** Reads the secret once, as a session would. */
export async function testSecret(at: SecretsPlace, name: string): Promise<SecretTest> {
  const credential = listSecrets(at).find((each) => each.name === name);
  if (credential === undefined)
    throw new HoldfastError('HF_USAGE', `there is no credential ${JSON.stringify(name)}`, {
      remedy: 'see `holdfast secrets list`',
    });
  keepOutOfCoreDumps();
  const events: SourceEvent[] = [];
  const store = createSecretStore({
    environment: at.environment,
    extract: extractSecret,
    writableRoots: writableRoots(at),
    onEvent: (event) => events.push(event),
  });
  try {
    const read = await store.read(credential);
    if (read.kind === 'unavailable') return read;
    const { expires } = read.secret;
    return {
      kind: 'readable',
      ...(expires === undefined ? {} : { expires }),
      notices: events.flatMap(({ action, message }) =>
        action === 'exposed' && message !== undefined ? [message] : [],
      ),
    };
  } finally {
    store.close();
  }
}

/** Service of the keyring entries of `addSecret`. The account is the name of the credential. */
export const keyringService = 'holdfast';

/**
 * Adds a credential to the user's policy. With `ask`, its secret is first stored in the system's keyring. `ask` is
 * called only if nothing else prevents the addition, and a failed addition leaves no keyring entry.
 */
export async function addSecret(at: SecretsPlace, table: CredentialTable, ask?: () => Promise<string>): Promise<void> {
  if (ask === undefined) return addTable(at.place, table);
  checkWith(at.place, table);
  await storeSecret(at, table.name, await ask());
  try {
    addTable(at.place, table);
  } catch (error) {
    await clearSecret(at, table.name);
    throw error;
  }
}

/** Stores a secret where `{ keyring = "holdfast/NAME" }` finds it. Throws `HF_KEYRING_FAILED`. */
export async function storeSecret(at: SecretsPlace, name: string, secret: string): Promise<void> {
  keepOutOfCoreDumps();
  const stored = await storeInKeyring({ service: keyringService, account: name }, secret, keyringOptions(at));
  if (stored.kind !== 'stored')
    throw new HoldfastError('HF_KEYRING_FAILED', `the secret of "${name}" cannot be stored: ${stored.why}`, {
      remedy: stored.remedy,
    });
}

export async function clearSecret(
  at: SecretsPlace,
  name: string,
): Promise<Exclude<RemovedSecret, { kind: 'removed' }>> {
  const cleared = await clearFromKeyring({ service: keyringService, account: name }, keyringOptions(at));
  return cleared.kind === 'cleared' ? cleared : { ...cleared, kind: 'left' };
}

export type RemovedSecret =
  /** The source still has the secret. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'cleared' }
  /**
   * `addSecret` stored the secret in the keyring, and it may still be there. Keyring programs report a missing entry
   * and a missing keyring as the same failure.
   */
  | { readonly kind: 'left'; readonly why: string; readonly remedy: string };

/** Removes a credential from the user's policy, and the keyring entry that `addSecret` made. */
export async function removeSecret(at: SecretsPlace, name: string): Promise<RemovedSecret> {
  const { source } = removeTable(at.place, name);
  if (JSON.stringify(source) !== JSON.stringify({ keyring: `${keyringService}/${name}` })) return { kind: 'removed' };
  return clearSecret(at, name);
}

function keyringOptions(at: SecretsPlace): KeyringOptions {
  return { environment: at.environment, writableRoots: writableRoots(at) };
}

function writableRoots({ place, environment }: SecretsPlace): readonly string[] {
  return writablePlaces(planPlace(place, environment));
}
