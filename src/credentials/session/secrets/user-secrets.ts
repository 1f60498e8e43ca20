import { HoldfastError } from '../../../errors/index.ts';
import type { Place } from '../../../place/place.ts';
import { planPlace, policyOfPlace } from '../../../place/planner.ts';
import { writablePlaces } from '../../../place/writable-places.ts';
import { credentialsOf } from '../../../policy/credentials/credentials-of.ts';
import { groupOf } from '../../../policy/credentials/group-of.ts';
import type { CredentialTable } from '../../../policy/credentials/schema.ts';
import type { Credential } from '../../../policy/credentials/types.ts';
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

/** What can be said of a secret without showing it. */
export type SecretTest =
  | { readonly kind: 'readable'; readonly expires?: number; readonly notices: readonly string[] }
  | Unavailable;

/** The credentials of the policy that holds here, one for each table. */
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

/** Under this service, and the name of the credential as the account, the keyring has what `addSecret` put there. */
export const keyringService = 'holdfast';

/**
 * Adds a credential to the user's policy. Where `ask` is given, the secret that it gives goes into the keyring of the
 * system first: it is asked when nothing else stands in the way, and what cannot be added leaves nothing there.
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

/** Puts a secret where `{ keyring = "holdfast/NAME" }` finds it. Throws `HF_KEYRING_FAILED`. */
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
   * `addSecret` put it into the keyring, and it may still be there: programs of keyrings fail alike for want of an
   * entry and for want of a keyring.
   */
  | { readonly kind: 'left'; readonly why: string; readonly remedy: string };

/** Takes a credential out of the user's policy, and what `addSecret` put into the keyring with it. */
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
