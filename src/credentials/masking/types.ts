import type { KnownSecret, PhantomOwner, PhantomRegistry } from '../types.ts';
import { secretMatcher } from './matcher.ts';
import { createWindow, type StreamPart } from './window.ts';

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

/**
 * `stop`: a phantom is a hit. `cover`: its bytes become as many `X`, and the stream goes on. Secrets are a hit in both.
 */
export type PhantomMode = 'stop' | 'cover';

/** Finds phantoms and known secrets in what a box sends. */
export interface Detector {
  /** For one stream. Default: `stop`. */
  open(phantoms?: PhantomMode): Detecting;
  /** In bytes that are there as a whole. */
  find(bytes: Buffer): Hit | undefined;
}

interface DetectorOptions {
  readonly registry: PhantomRegistry;
  /** Asked at every chunk. */
  readonly known: () => readonly KnownSecret[];
}

/**
 * Finds the first phantom of the session, or real secret in every spelling of `encodingsOf`, across chunks. Bytes that
 * may be the beginning of one wait for the next chunk, so that nothing of it has left when it is found, or at most
 * three characters where it came in pieces (`shortestBeginning`).
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
          // What is covered is written to, and the chunk may be someone else's too.
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

/** Letters are part of a string in every encoding that a phantom is found in, and in JSON. */
function cover(bytes: Buffer, registry: Pick<PhantomRegistry, 'findIn'>): void {
  for (const { start, end } of registry.findIn(bytes)) bytes.fill('X', start, end);
}

function clear({ bytes }: StreamPart): Detected {
  return { kind: 'clear', bytes };
}
