import type { ServerError } from '../protocol/types.ts';

export type Screened = { readonly kind: 'passed'; readonly bytes: Buffer } | { readonly kind: 'refused'; readonly error: ServerError };

/** Looks for phantoms and secrets in one connection, after its login. */
export interface Screen {
  /** What the client says. What may be the beginning of something waits; no message ends with such octets, but data that is copied in. */
  outgoing(chunk: Buffer): Screened;
  /** What the server says, in pieces. `isBetween`: the last one ends with a message, so that nothing of it may wait. */
  incoming(pieces: readonly Buffer[], isBetween: boolean): readonly Buffer[];
}
