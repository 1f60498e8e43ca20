/**
 * The room for data loss prevention: finds keys, secrets and personal data in text, and changes JSON in place so that
 * every other byte stays. It also creates fakes for real values, and restores the real values.
 *
 * Pure and total: it accepts any bytes. Rules are data, in folders with samples that must and must not be found. The
 * room knows no approvals, policies or destinations of text.
 */

/** Content that must not leave unchanged. Offsets are UTF-16 code units of the searched text. */
export interface Finding {
  /** Name of the rule, or `session-secret`. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Searches whole texts: decoded string leaves, or a text body. Findings are in order and do not overlap. The one with
 * the higher rank counts. At equal rank, the earlier and longer one counts.
 */
export interface Scanner {
  find(text: string): readonly Finding[];
}

/** The fakes for real values in one session. A value keeps its fake for the whole session. */
export interface FakeMap {
  /**
   * Returns a text that looks like `value`: the same length (e-mail addresses may become longer), the same alphabet in
   * each position, and the same prefix. It is never `value` itself, and never the fake of another value. A fake is
   * returned unchanged. Undefined if a fake would resemble ordinary text, or if the session has too many. The value
   * then has to be redacted.
   */
  fakeFor(rule: string, value: string): string | undefined;
  /** Returns the real value behind a fake. Undefined for any other text. */
  realOf(fake: string): string | undefined;
  /** Returns all fakes so far, in the order of their creation. */
  fakes(): readonly string[];
  /** Returns an automaton for the fakes so far. After an addition it is a different object. */
  automaton(): FakeAutomaton;
}

/**
 * Reads a text by single UTF-16 code units. States are numbers, and 0 is the first one. They mean the same in later
 * automata of the same map.
 */
export interface FakeAutomaton {
  next(state: number, unit: number): number;
  /** Returns how many of the last units may belong to an incomplete fake. */
  depth(state: number): number;
  /** Returns the longest fake that ends here. */
  matched(state: number): string | undefined;
  /** 1 for each ASCII unit, or pair of units (128 times the first plus the second), that begins a fake. Otherwise 0. */
  readonly begins: { readonly first: Uint8Array; readonly pairs: Uint8Array };
}

export interface RestorerOptions {
  /**
   * Returns true if a fake is not to be replaced. Receives the text before it in its string or text, but at most the
   * first 256 code units.
   */
  readonly keeps?: (before: string) => boolean;
}

/** Restores real values in one stream of text. A possible beginning of a fake is held back until it is certain. */
export interface Restorer {
  push(text: string): string;
  /** Returns the text held back, at the end of the text. */
  end(): string;
}

/** Keys and indexes from the top of a document to a leaf. */
export type JsonPath = readonly (string | number)[];

/**
 * A position in a document: keys and indexes, `*` for any single one, `**` for any number, including none.
 * `messages.*.content.*.text`, `messages.*.content.*.input.**`.
 */
export type FieldPattern = string;

/**
 * Returns the new text of a string leaf, or undefined to leave it unchanged, byte for byte. A path of more than 64 keys
 * is truncated. `of` names the kind of pattern that matched.
 */
export type EditLeaf = (text: string, path: JsonPath, of: 'field' | 'other') => string | undefined;

export type EditedJson =
  /** `bytes` is the input buffer itself if nothing was changed. */
  | { readonly kind: 'json'; readonly bytes: Buffer; readonly edits: number }
  /**
   * All bytes stay unchanged. `too-deep`: more than 100,000 nested containers. `too-long`: a string of more than 256
   * MiB.
   */
  | { readonly kind: 'unreadable'; readonly why: 'not-utf8' | 'not-json' | 'too-deep' | 'too-long' };
