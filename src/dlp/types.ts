/**
 * The room for data loss prevention: finds keys, secrets and personal data in text, and changes JSON in place so that
 * every other byte stays. It also creates fakes for values, and restores the values.
 *
 * Pure and total: it takes any bytes. Rules are data, in folders with samples that must and must not be found.
 * Approvals, policies and destinations of text may not enter.
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
 * the higher rank counts, and of one rank the earlier and longer one.
 */
export interface Scanner {
  find(text: string): readonly Finding[];
}

/** Fakes for real values in one session. A value keeps its fake for as long as the session lives. */
export interface FakeMap {
  /**
   * Returns a text that looks like `value`: the same length (e-mail addresses may become longer), the same alphabet at
   * each place, and the same prefix. It is never `value` itself, and never the fake of another one. A fake is returned
   * unchanged. Undefined if a fake would resemble ordinary text, or if the session has too many. The value then has to
   * be redacted.
   */
  fakeFor(rule: string, value: string): string | undefined;
  /** Returns the real value behind a fake. Undefined for any other text. */
  realOf(fake: string): string | undefined;
  /** Returns all fakes so far, in order. Later ones are appended. */
  fakes(): readonly string[];
  /** Returns an automaton for the fakes so far. Another object after an addition. */
  automaton(): FakeAutomaton;
}

/**
 * Reads a text by single UTF-16 code units. States are numbers, 0 the first one. They mean the same in later objects of
 * the map.
 */
export interface FakeAutomaton {
  next(state: number, unit: number): number;
  /** Returns how many of the last units may belong to an incomplete fake. */
  depth(state: number): number;
  /** Returns the fake that ends here, the longest of several. */
  matched(state: number): string | undefined;
  /** 1 for each ASCII unit that begins a fake, and for each pair (128 times the first plus the second), else 0. */
  readonly begins: { readonly first: Uint8Array; readonly pairs: Uint8Array };
}

export interface RestorerOptions {
  /**
   * Returns true if a fake stays. Receives the text before it in its string, or in its text: at most the first 256 code
   * units of that.
   */
  readonly keeps?: (before: string) => boolean;
}

/** Restores real values in one stream of text. A possible beginning of a fake is held back until it is certain. */
export interface Restorer {
  push(text: string): string;
  /** Returns held text, at the end of the text. */
  end(): string;
}

/** Keys and indexes from the top of a document to a leaf. */
export type JsonPath = readonly (string | number)[];

/**
 * A place of a document: keys and indexes, `*` for any one of them, `**` for any number, including none.
 * `messages.*.content.*.text`, `messages.*.content.*.input.**`.
 */
export type FieldPattern = string;

/**
 * Returns the new text of a string leaf, or undefined to leave it unchanged, byte for byte. A path of more than 64 keys
 * is cut there. `of` tells which pattern names the place.
 */
export type EditLeaf = (text: string, path: JsonPath, of: 'field' | 'other') => string | undefined;

export type EditedJson =
  /** `bytes` is the given buffer itself if nothing was changed. */
  | { readonly kind: 'json'; readonly bytes: Buffer; readonly edits: number }
  /** All bytes stay unchanged. `too-deep`: over 100,000 nested containers. `too-long`: a text of over 256 MiB. */
  | { readonly kind: 'unreadable'; readonly why: 'not-utf8' | 'not-json' | 'too-deep' | 'too-long' };
