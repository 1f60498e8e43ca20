import type { PhantomOwner } from '../types.ts';

/** Looks at one stream of bytes. What it has not given back yet, it gives back later, in order. */
export interface Masking {
  /** The same number of bytes in the end, those of secrets replaced. */
  push(bytes: Buffer): Buffer;
  /**
   * What was kept back, at the end of the stream or of a message in it. What is pushed afterwards is still looked at
   * together with it.
   */
  end(): Buffer;
}

/** Replaces known secrets in what comes from outside. */
export interface Masker {
  /** For one stream. `onMasked` is told the credential of every secret that was replaced, in the moment that it is. */
  open(onMasked: (credential: string) => void): Masking;
  /** Whether bytes that are there as a whole hold something that would be replaced. */
  holds(bytes: Uint8Array): boolean;
  /** A header value, or another short text with one byte for each character, as on the wire. */
  maskText(text: string, onMasked: (credential: string) => void): string;
}

/** What must not leave a box. */
export type Hit =
  | { readonly kind: 'phantom'; readonly owner: PhantomOwner }
  | { readonly kind: 'secret'; readonly credential: string };

/** What may go on: everything so far but the bytes that may be the beginning of something; or why nothing may. */
export type Detected = { readonly kind: 'clear'; readonly bytes: Buffer } | { readonly kind: 'hit'; readonly hit: Hit };

export interface Detecting {
  /** Nothing may be pushed after a hit. */
  push(bytes: Buffer): Detected;
  /**
   * What was kept back, at the end of the stream or of a message in it. What is pushed afterwards is still looked at
   * together with it.
   */
  end(): Detected;
}

/** Finds phantoms and known secrets in what a box sends. */
export interface Detector {
  /** For one stream. */
  open(): Detecting;
  /** In bytes that are there as a whole. */
  find(bytes: Buffer): Hit | undefined;
}
