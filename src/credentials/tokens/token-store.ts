import type { PhantomRegistry, SecretStore } from '../types.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createCapturedTokens } from './captured-tokens.ts';
import type { TokenClient, TokenEvent, TokenStore } from './types.ts';

export interface TokenStoreOptions {
  readonly client: TokenClient;
  readonly secrets: SecretStore;
  readonly registry: PhantomRegistry;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** For the journal. Must not throw. */
  onEvent?(event: TokenEvent): void;
}

/** The tokens of one session. */
export function createTokenStore({ onEvent = () => undefined, ...options }: TokenStoreOptions): TokenStore {
  const fetched = createAccessTokens({ ...options, onEvent });
  const captured = createCapturedTokens({ ...options, onEvent });
  return {
    access: fetched.access,
    forget: fetched.forget,
    capture: captured.capture,
    captured: captured.captured,
    close() {
      fetched.close();
      captured.close();
    },
  };
}
