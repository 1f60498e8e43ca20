import type { KnownSecret, PhantomRegistry } from '../types.ts';
import { secretMatcher } from './secret-matcher.ts';
import type { Detected, Detector, Hit } from './types.ts';
import { createWindow, type StreamPart } from './window.ts';

export interface DetectorOptions {
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
    open() {
      const window = createWindow();
      let undecided = 0;
      return {
        push(chunk) {
          const { bytes } = window.add(chunk);
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

function clear({ bytes }: StreamPart): Detected {
  return { kind: 'clear', bytes };
}
