import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { credentialsOf } from '../../policy/credentials/credentials-of.ts';
import { describeSource } from '../../policy/credentials/describe-credential.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { type Revocation, revoke } from './revocations.ts';
import type { SessionCredentials } from './session-credentials.ts';

/** A credential without its secret. */
export interface ShownCredential {
  readonly name: string;
  /** Source of the secret, in words. */
  readonly source: string;
  /** Kind of injection. */
  readonly inject: string;
  readonly hosts: readonly string[];
  /** Absent: every method. */
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  readonly use: Credential['use'];
}

export interface ShownCredentials {
  readonly credentials: readonly ShownCredential[];
  /** One line for each credential without a secret. */
  readonly notices: readonly string[];
  /** Environment of the box, which has phantoms. */
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/** Returns everything that a session's box sees of its credentials. */
export function shownCredentials({
  credentials: session,
}: {
  readonly credentials: SessionCredentials | undefined;
}): ShownCredentials {
  if (session === undefined) return { credentials: [], notices: [], environment: {}, files: [] };
  const { delivered, notices } = session;
  return {
    credentials: session.credentials.map(shown),
    notices,
    environment: delivered.environment,
    files: delivered.files.map(({ target, content }) => ({ path: target, content })),
  };
}

function shown({ name, source, injection, binding: { hosts, methods, paths }, use }: Credential): ShownCredential {
  return {
    name,
    source: describeSource(source),
    inject: injection.kind,
    hosts: hosts.map((host) => host.source),
    use,
    ...(methods === undefined ? {} : { methods }),
    ...(paths === undefined ? {} : { paths }),
  };
}

interface RevokeOptions extends Pick<Revocation, 'session' | 'at'> {
  /** Names of tables, or of parts of one. An empty list means every credential. */
  readonly names: readonly string[];
}

/**
 * Revokes in running sessions, and returns the names that the policy of a place does not know. Such a name may be
 * misspelled, or a session may have it from an earlier version of the policy. Errors of the policy are thrown after
 * revoking.
 */
export function revokeByName(place: Place, { names, ...scope }: RevokeOptions): readonly string[] {
  if (names.length === 0) revoke(place.paths, scope);
  for (const credential of names) revoke(place.paths, { ...scope, credential });
  const known = new Set(
    credentialsOf(policyOfPlace(place)).flatMap((credential) => [credential.name, groupOf(credential)]),
  );
  return names.filter((name) => !known.has(name));
}
