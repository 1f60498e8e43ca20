import type { Credential, CredentialFormat, SecretSource, SourceKind } from '../../policy/credentials/types.ts';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';
import type { Runner } from './run-program.ts';

export type SourceOf<Kind extends SourceKind> = Extract<SecretSource, { readonly kind: Kind }>;

/** The parts of the machine that a source's program may use. */
export interface ProgramContext {
  /** Environment of the supervisor. Readers use single variables of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Real paths that a box can write. No program is started from there, and no secret is read from there. */
  readonly writableRoots: readonly string[];
  readonly runner: Runner;
  /** Aborts the reading. */
  readonly signal: AbortSignal;
}

export interface SourceContext extends ProgramContext {
  readonly extract: ExtractSecret;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Finds the secret for `hosts` in a credential file, and for `user` if the file names users. Undefined if the file has
 * none.
 */
export type ExtractSecret = (
  format: CredentialFormat,
  text: string,
  wanted: { readonly hosts: readonly HostPattern[]; readonly user?: string },
) => Pick<SourceAnswer, 'value' | 'fields'> | undefined;

/** Answer of a source, before it is checked. */
export interface SourceAnswer {
  readonly kind: 'answer';
  readonly value: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly expires?: number;
  /** A notice for the owner, in one line. */
  readonly notice?: string;
}

/** `missing`: the source is reachable, but has no such secret. Neither text contains any output of the source. */
export interface SourceFailure {
  readonly kind: 'missing' | 'unavailable';
  /** Completes `the secret of the credential "github" cannot be read: …`. */
  readonly why: string;
  readonly remedy: string;
}

export type ReadSource<Kind extends SourceKind> = (
  source: SourceOf<Kind>,
  credential: Credential,
  context: SourceContext,
) => Promise<SourceAnswer | SourceFailure>;

/** An event about a source, without any part of a secret. */
export interface SourceEvent {
  /** Name of the credential's group: `groupOf`. */
  readonly credential: string;
  /**
   * `refreshed`: the secret was read again. `exposed`: it is readable, but every other user of the machine can read it
   * too.
   */
  readonly action: 'refreshed' | 'missing' | 'unavailable' | 'exposed';
  /** One line. */
  readonly message?: string;
}
