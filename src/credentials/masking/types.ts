import type { KnownSecret, PhantomOwner, PhantomRegistry } from '../types.ts';
import { secretMatcher } from './matcher.ts';
import { createWindow, type StreamPart } from './window.ts';

/** Masks one stream of bytes. Bytes that it keeps back come out later, in order. */
export interface Masking {
  /** Masks secrets. Over the whole stream it returns as many bytes as it received. */
  push(bytes: Buffer): Buffer;
  /**
   * Returns the bytes kept back, at the end of the stream or of a message in it. Later bytes are still searched
   * together with them.
   */
  end(): Buffer;
}

/** Replaces known secrets in incoming data. */
export interface Masker {
  /** Opens a masking for one stream. `onMasked` is called for every replaced secret, with its credential. */
  open(onMasked: (credential: string) => void): Masking;
  /** Returns true if the bytes, which are complete, hold something that would be replaced. */
  holds(bytes: Uint8Array): boolean;
  /** Masks a header value, or another short text with one character for each byte on the wire. */
  maskText(text: string, onMasked: (credential: string) => void): string;
}

/** Content that must not leave a box. */
export type Hit =
  | { readonly kind: 'phantom'; readonly owner: PhantomOwner }
  | { readonly kind: 'secret'; readonly credential: string };

/** `clear`: the bytes that may go on now, without a possible beginning of a hit. `hit`: the reason to stop. */
export type Detected = { readonly kind: 'clear'; readonly bytes: Buffer } | { readonly kind: 'hit'; readonly hit: Hit };

export interface Detecting {
  /** Searches the next bytes. Must not be called after a hit. */
  push(bytes: Buffer): Detected;
  /**
   * Returns the bytes kept back, at the end of the stream or of a message in it. Later bytes are still searched
   * together with them.
   */
  end(): Detected;
}

/** `stop`: a phantom is a hit. `cover`: its bytes become `X`, and the stream goes on. A secret is always a hit. */
export type PhantomMode = 'stop' | 'cover';

/** Finds phantoms and known secrets in data that a box sends. */
export interface Detector {
  /** Opens a search of one stream. Default: `stop`. */
  open(phantoms?: PhantomMode): Detecting;
  /** Searches bytes that are complete. */
  find(bytes: Buffer): Hit | undefined;
}

interface DetectorOptions {
  readonly registry: PhantomRegistry;
  /** Called for every chunk. */
  readonly known: () => readonly KnownSecret[];
}

/**
 * Finds the first phantom of the session, or real secret in any spelling of `encodingsOf`, across chunks. Bytes that
 * may begin one wait for the next chunk, so none of its bytes have left when it is found. If it arrived in pieces, at
 * most three characters have left (`shortestBeginning`).
 */
export function createDetector({ registry, known }: DetectorOptions): Detector {
  const matcher = secretMatcher(known);
  const find = (bytes: Buffer): Hit | undefined => {
    const [phantom] = registry.findIn(bytes);
    const [secret] = matcher().find(bytes);
    if (secret !== undefined && secret.start < (phantom?.start ?? bytes.length))
      return { kind: 'secret', credential: secret.of };
    return phantom === undefined
      ? undefined
      : { kind: 'phantom', owner: { credential: phantom.credential, role: phantom.role, state: phantom.state } };
  };
  return {
    find,
    open(phantoms = 'stop') {
      const window = createWindow();
      let undecided = 0;
      return {
        push(chunk) {
          // Covering overwrites the bytes, and the caller may still use the chunk.
          const { bytes } = window.add(phantoms === 'cover' ? Buffer.from(chunk) : chunk);
          if (phantoms === 'cover') cover(bytes, registry);
          const hit = find(bytes);
          if (hit !== undefined) return { kind: 'hit', hit };
          undecided = Math.max(registry.undecidedIn(bytes), matcher().undecided(bytes));
          return clear(window.take(undecided));
        },
        end: () => clear(window.takeAll(undecided)),
      };
    },
  };
}

/** Covers with letters, which are valid in JSON strings and in every encoding of a phantom. */
function cover(bytes: Buffer, registry: Pick<PhantomRegistry, 'findIn'>): void {
  for (const { start, end } of registry.findIn(bytes)) bytes.fill('X', start, end);
}

function clear({ bytes }: StreamPart): Detected {
  return { kind: 'clear', bytes };
}
