import type { Masker } from '../masking/index.ts';
import type { RequestPart } from './request-parts.ts';

export interface SeenSecret {
  readonly credential: string;
  /** Where, for people. */
  readonly words: string;
}

/** The first real secret in the parts of a request, in whatever spelling. */
export function findSecret(parts: readonly RequestPart[], masker: Masker): SeenSecret | undefined {
  for (const { words, texts } of parts) {
    for (const text of texts) {
      let credential: string | undefined;
      masker.maskText(text, (found) => (credential ??= found));
      if (credential !== undefined) return { credential, words };
    }
  }
  return undefined;
}
