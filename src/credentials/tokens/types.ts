import type { Unavailable } from '../types.ts';

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

/** What happened to tokens, for the journal. Without anything of them. */
export interface TokenEvent {
  readonly kind: 'refreshed' | 'captured' | 'unavailable';
  /** The name of the credential's group. */
  readonly credential: string;
  /** Why there is none, or what is to be done about one that was refreshed. */
  readonly message?: string;
}
