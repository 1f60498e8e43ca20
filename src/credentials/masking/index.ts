/**
 * Masking: looks for secrets and phantoms in bytes that pass, in every spelling that servers and programs give them, and
 * takes them out or stops there. Streams stay streams. What a request is, and what follows from a find, is decided elsewhere.
 */
export { acceptableCodings, contentCodings, decodeBody } from './content-codings.ts';
export { createDetector } from './detector.ts';
export { maskBody } from './mask-body.ts';
export { createMasker } from './masker.ts';
export { isLong } from './secret-matcher.ts';
export type * from './types.ts';
