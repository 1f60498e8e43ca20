import { type Credential, describeSource } from '../../policy/index.ts';
import type { SessionCredentials } from './session-credentials.ts';

/** A credential without its secret. */
export interface ShownCredential {
  readonly name: string;
  /** Where the secret is read, in words. */
  readonly source: string;
  /** Kind of injection. */
  readonly inject: string;
  readonly hosts: readonly string[];
  /** Absent: every one. */
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  readonly use: Credential['use'];
}

export interface ShownCredentials {
  readonly credentials: readonly ShownCredential[];
  /** One line for each whose secret is missing. */
  readonly notices: readonly string[];
  /** What the box gets: phantoms. */
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/** What a box of a session would see of its credentials. */
export function shownCredentials({ credentials: session }: { readonly credentials: SessionCredentials | undefined }): ShownCredentials {
  if (session === undefined) return { credentials: [], notices: [], environment: {}, files: [] };
  const { delivered, notices } = session;
  return { credentials: session.credentials.map(shown), notices, environment: delivered.environment, files: delivered.files.map(({ target, content }) => ({ path: target, content })) };
}

function shown({ name, source, injection, binding: { hosts, methods, paths }, use }: Credential): ShownCredential {
  return { name, source: describeSource(source), inject: injection.kind, hosts: hosts.map((host) => host.source), use, ...(methods === undefined ? {} : { methods }), ...(paths === undefined ? {} : { paths }) };
}
