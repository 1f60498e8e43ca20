import { credentialsOf, groupOf } from '../../policy/index.ts';
import type { Place } from '../place.ts';
import { policyOfPlace } from '../planner.ts';
import { type Revocation, revoke } from './revocations.ts';

export interface RevokeOptions extends Pick<Revocation, 'session' | 'at'> {
  /** Names of tables, or of parts of one. Empty: every credential. */
  readonly names: readonly string[];
}

/**
 * Revokes in the sessions that run, and gives the names that the policy of a place knows nothing of: a session may have them
 * from before the policy was changed, or the name is misspelt. Throws what is wrong with the policy when that is done.
 */
export function revokeByName(place: Place, { names, ...scope }: RevokeOptions): readonly string[] {
  if (names.length === 0) revoke(place.paths, scope);
  for (const credential of names) revoke(place.paths, { ...scope, credential });
  const known = new Set(credentialsOf(policyOfPlace(place)).flatMap((credential) => [credential.name, groupOf(credential)]));
  return names.filter((name) => !known.has(name));
}
