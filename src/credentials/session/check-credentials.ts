import process from 'node:process';
import type { Place } from '../../place/place.ts';
import { planPlace, policyOfPlace } from '../../place/planner.ts';
import { writablePlaces } from '../../place/writable-places.ts';
import { credentialsOf } from '../../policy/credentials/credentials-of.ts';
import { describeSource } from '../../policy/credentials/describe-credential.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { extractSecret } from '../delivery/is-for.ts';
import { createSecretStore } from '../sources/secret-store.ts';
import { sourceState } from '../sources/source-state.ts';

/** A credential of the policy, as `holdfast doctor` reports it. */
export interface CredentialCheck {
  readonly name: string;
  /** Source of the secret, in words. */
  readonly source: string;
  readonly state:
    | { readonly kind: 'readable' }
    /** Only a program can return the secret. It runs when a request first needs the secret. */
    | { readonly kind: 'asks'; readonly program: string }
    /** A login in a box supplies the secret. */
    | { readonly kind: 'captured' }
    | { readonly kind: 'missing'; readonly reason: string; readonly remedy: string };
}

/**
 * Checks every credential in force at a place. Reads the secrets that need no program, and forgets them again. Starts
 * no program.
 */
export async function checkCredentials(
  place: Place,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly CredentialCheck[]> {
  const writableRoots = writablePlaces(planPlace(place, environment));
  const store = createSecretStore({ environment, extract: extractSecret, writableRoots });
  try {
    const credentials = credentialsOf(policyOfPlace(place)).filter(
      (credential) => groupOf(credential) === credential.name,
    );
    return await Promise.all(
      credentials.map(async (credential) => ({
        name: credential.name,
        source: describeSource(credential.source),
        state: await stateOf(credential),
      })),
    );
  } finally {
    store.close();
  }

  async function stateOf(credential: Credential): Promise<CredentialCheck['state']> {
    const state = sourceState(credential.source, { environment, platform: process.platform, writableRoots });
    switch (state.kind) {
      case 'asks':
      case 'captured':
        return state;
      case 'missing':
      case 'unavailable':
        return { kind: 'missing', reason: state.why, remedy: state.remedy };
      case 'at-hand': {
        const read = await store.read(credential);
        return read.kind === 'secret'
          ? { kind: 'readable' }
          : { kind: 'missing', reason: read.message, remedy: read.remedy };
      }
    }
  }
}
