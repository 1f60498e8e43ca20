import type { KnownSecret } from '../types.ts';
import { isLong, type Match, secretMatcher } from './matcher.ts';
import type { Masker, Masking } from './types.ts';
import { createWindow, type StreamPart } from './window.ts';

export interface MaskerOptions {
  /** Called for every chunk, so that a newly fetched token is masked at once. */
  readonly known: () => readonly KnownSecret[];
  /** One ASCII character that replaces every byte of a secret. Default: `*`. */
  readonly replaceWith?: string;
}

/**
 * Replaces secrets byte by byte across chunks, in every spelling of `encodingsOf`. Bytes that may begin a secret wait
 * for the next chunk. If a secret arrives in pieces, at most three of its bytes pass before it is recognised
 * (`shortestBeginning`). A secret under eight bytes is replaced only if it is a whole header value.
 */
export function createMasker({ known, replaceWith = '*' }: MaskerOptions): Masker {
  const matcher = secretMatcher(known);
  const filler = replaceWith.charCodeAt(0);

  const open = (onMasked: (credential: string) => void): Masking => {
    const window = createWindow();
    let masked: readonly Match<string>[] = [];
    let undecided = 0;
    const give = (part: StreamPart): Buffer => {
      if (masked.length === 0) return part.bytes;
      const end = part.offset + part.bytes.length;
      const bytes = fill(part, masked, filler);
      masked = masked.filter((each) => each.end > end);
      return bytes;
    };
    return {
      push(chunk) {
        const { bytes, offset, added } = window.add(chunk);
        const search = matcher();
        const seen = search.find(bytes);
        if (seen.length > 0) {
          const found = seen
            .map((each) => ({ ...each, start: each.start + offset, end: each.end + offset }))
            .filter(({ end }) => end > added);
          for (const { of } of found) onMasked(of);
          masked = [...masked, ...found];
        }
        undecided = search.undecided(bytes);
        return give(window.take(undecided));
      },
      end: () => give(window.takeAll(undecided)),
    };
  };

  return {
    open,
    holds: (bytes) => matcher().find(bytes).length > 0,
    maskText(text, onMasked) {
      const bytes = Buffer.from(text, 'latin1');
      const short = known().find(
        (secret) => !isLong(secret) && secret.text !== '' && bytes.equals(Buffer.from(secret.text)),
      );
      const found =
        short === undefined ? matcher().find(bytes) : [{ start: 0, end: bytes.length, of: short.credential }];
      for (const { of } of found) onMasked(of);
      return fill({ bytes, offset: 0 }, found, filler).toString('latin1');
    },
  };
}

/** Returns the same buffer if nothing is replaced, and a copy otherwise. */
function fill({ bytes, offset }: StreamPart, matches: readonly Match<string>[], filler: number): Buffer {
  const here = matches.filter(({ start, end }) => end > offset && start < offset + bytes.length);
  if (here.length === 0) return bytes;
  const filled = Buffer.from(bytes);
  for (const { start, end } of here)
    filled.fill(filler, Math.max(0, start - offset), Math.min(filled.length, end - offset));
  return filled;
}
