import type { Credential } from '../../policy/index.ts';
import type { SecretRead, Unavailable } from '../types.ts';

/**
 * One request of the supervisor's own, to an `https` URL only, decided, resolved, vetted and verified like those of a
 * box. Follows no redirect and never rejects.
 */
export interface TokenClient {
  fetch(url: string, request: TokenRequest): Promise<TokenAnswer | Unavailable>;
}

export interface TokenRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TokenAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly body: string;
}

/** Tokens of one session, in memory only: those that the supervisor fetches, and those that a box was given. */
export interface TokenStore {
  /**
   * The access token that the credential stands for, fetched when there is none that is good. Two that wait for the same
   * token wait for one request. Never rejects.
   */
  access(credential: Credential): Promise<SecretRead>;
  /** A server did not take the access token: the next reading fetches another, unless this one is brand-new. */
  forget(credential: string): void;
  /**
   * Keeps a token outside that an answer held, and gives what stands for it in the box. The same for the same token.
   * Undefined: this credential has had as many as one session may keep.
   */
  capture(credential: Credential, token: CapturedToken): string | undefined;
  /** The token behind a phantom of that role; undefined once it has been forgotten. */
  captured(credential: string, role: string): CapturedToken | undefined;
  /** Forgets everything. */
  close(): void;
}

/** The words of RFC 6749 §5.1 and OpenID Connect Core §3.1.3.3; `token` is that of the Docker registry's specification. */
export type TokenName = 'access_token' | 'refresh_token' | 'id_token' | 'token';

export interface CapturedToken {
  readonly name: TokenName;
  readonly text: string;
  /** What its phantom has to look like. Default: the token. */
  readonly like?: string;
}

/** What happened to tokens, for the journal. Without anything of them. */
export interface TokenEvent {
  readonly kind: 'refreshed' | 'captured' | 'unavailable';
  /** The name of the credential's group. */
  readonly credential: string;
  /** Why there is none, or what is to be done about one that was refreshed. */
  readonly message?: string;
}
