import type { Credential, CredentialFormat, SecretSource, SourceKind } from '../../policy/credentials/types.ts';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';
import type { Runner } from './run-program.ts';

export type SourceOf<Kind extends SourceKind> = Extract<SecretSource, { readonly kind: Kind }>;

/** The parts of the machine that a source's program may use. */
export interface ProgramContext {
  /** Environment of the supervisor. Readers pick single variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Real paths that a box can write. No program and no secret is taken from there. */
  readonly writableRoots: readonly string[];
  readonly runner: Runner;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

export interface SourceContext extends ProgramContext {
  readonly extract: ExtractSecret;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Finds the secret for `hosts` in a credential file, and for `user` if the file names users. Undefined if it holds
 * none.
 */
export type ExtractSecret = (
  format: CredentialFormat,
  text: string,
  wanted: { readonly hosts: readonly HostPattern[]; readonly user?: string },
) => Pick<SourceAnswer, 'value' | 'fields'> | undefined;

/** Answer of a source, before any check. */
export interface SourceAnswer {
  readonly kind: 'answer';
  readonly value: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly expires?: number;
  /** A notice for the owner, in one line. */
  readonly notice?: string;
}

/** `missing`: the source is reachable, but has no such secret. Neither text contains any output of a source. */
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

/** A reportable event, without any part of a secret. */
export interface SourceEvent {
  /** The name of its group: `groupOf`. */
  readonly credential: string;
  /** `refreshed`: read once more. `exposed`: readable, but also by everybody else on this machine. */
  readonly action: 'refreshed' | 'missing' | 'unavailable' | 'exposed';
  /** In one line. */
  readonly message?: string;
}
