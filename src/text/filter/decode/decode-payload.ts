import type { HiddenKind } from '../../unicode/classes.ts';
import { printable } from '../../unicode/printable.ts';
import { decodeBits } from './bits.ts';
import { decodeSelectors } from './selectors.ts';
import { decodeTags } from './tags.ts';

/** What is read of a run: enough for the text that is told. */
const mostRead = 4096;
const mostTold = 200;

/**
 * The text that a run carries in one of the encodings that are known to be used against models, or undefined: tag
 * characters (ASCII + U+E0000), variation selectors (one byte each) and two invisible characters as bits.
 */
export function decodePayload(run: string, kind: HiddenKind): string | undefined {
  const read = run.slice(0, mostRead);
  const payload = kind === 'tag' ? decodeTags(read) : kind === 'variation-selector' ? decodeSelectors(read) : kind === 'invisible' ? decodeBits(read) : undefined;
  return payload === undefined || payload === '' ? undefined : printable(payload, mostTold);
}
