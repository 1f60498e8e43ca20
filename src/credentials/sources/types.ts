import type { Credential, CredentialFormat, SecretSource, SourceKind } from '../../policy/credentials/types.ts';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';
import type { Runner } from './run-program.ts';

export type SourceOf<Kind extends SourceKind> = Extract<SecretSource, { readonly kind: Kind }>;

/** What a program of a source may use of the machine. */
export interface ProgramContext {
  /** Of the supervisor. Readers take single variables out of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Real paths of what a box can write to: neither programs nor secrets are taken from there. */
  readonly writableRoots: readonly string[];
  readonly runner: Runner;
  /** Ends what is being read. */
  readonly signal: AbortSignal;
}

export interface SourceContext extends ProgramContext {
  readonly extract: ExtractSecret;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Finds the secret of `hosts`, and of `user` where the file names users, in a credential file; undefined where it holds
 * none.
 */
export type ExtractSecret = (
  format: CredentialFormat,
  text: string,
  wanted: { readonly hosts: readonly HostPattern[]; readonly user?: string },
) => Pick<SourceAnswer, 'value' | 'fields'> | undefined;

/** What a source said, before it is known whether it can be used. */
export interface SourceAnswer {
  readonly kind: 'answer';
  readonly value: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly expires?: number;
  /** Something that its owner should know, in one line. */
  readonly notice?: string;
}

/** `missing`: the source is there and has no such secret. Neither text holds anything that a source said. */
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

/** What is worth telling, without anything of a secret. */
export interface SourceEvent {
  /** The name of its group: `groupOf`. */
  readonly credential: string;
  /** `refreshed`: it was read once more. `exposed`: it could be read, by everybody else on this machine too. */
  readonly action: 'refreshed' | 'missing' | 'unavailable' | 'exposed';
  /** In one line. */
  readonly message?: string;
}
