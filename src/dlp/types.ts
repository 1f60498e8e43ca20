/**
 * The room for data loss prevention: finds keys, secrets and personal data in text, and changes JSON in place so that
 * every other byte stays. What stands for a value is made here too, and brought back.
 *
 * Pure, and total: any bytes go in. Rules are data, in folders with samples that must and must not be found. Who is
 * asked, what a policy says and where text goes may not enter.
 */

/** Something that must not leave as it is. Offsets are UTF-16 code units of the text that was looked at. */
export interface Finding {
  /** The rule's name, or `session-secret`. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Looks at whole texts: decoded string leaves, or a text body. Findings come in order and do not overlap; that of the
 * higher rank holds, and of one rank the earlier and longer one.
 */
export interface Scanner {
  find(text: string): readonly Finding[];
}

/** What stands for real values in one session. The same value has the same fake for as long as the session lives. */
export interface FakeMap {
  /**
   * A text that looks like `value`: of the same length (e-mail addresses may get longer), the same alphabet at each
   * place, and the same prefix. Never `value` itself, and never the fake of another one. A fake is given back as it is.
   * Undefined where there is no fake that could be told from ordinary text, or where the session has too many: then the
   * value has to be redacted.
   */
  fakeFor(rule: string, value: string): string | undefined;
  /** The real value behind a fake; undefined for any other text. */
  realOf(fake: string): string | undefined;
  /** All fakes that were given so far, in that order. Later ones are added behind. */
  fakes(): readonly string[];
  /** Finds the fakes that were given so far. Another object when one was added. */
  automaton(): FakeAutomaton;
}

/**
 * Reads a text one UTF-16 code unit after the other. States are numbers, 0 the first one. They mean the same in later
 * objects of the map.
 */
export interface FakeAutomaton {
  next(state: number, unit: number): number;
  /** Of how many of the last units a fake may be made that is not all there. */
  depth(state: number): number;
  /** The fake that ends here, the longest one of several. */
  matched(state: number): string | undefined;
  /**
   * 1 for each unit of ASCII with which a fake begins, and for each pair (128 times the first and the second); else 0.
   */
  readonly begins: { readonly first: Uint8Array; readonly pairs: Uint8Array };
}

export interface RestorerOptions {
  /**
   * Whether a fake stays. Given what stands before it in its string, or in its text: the first 256 code units of that
   * at most.
   */
  readonly keeps?: (before: string) => boolean;
}

/**
 * Brings real values back in one stream of text. What may be the beginning of a fake is held back until it is known.
 */
export interface Restorer {
  push(text: string): string;
  /** What is held back, at the end of the text. */
  end(): string;
}

/** Keys and indexes from the top of a document to a leaf. */
export type JsonPath = readonly (string | number)[];

/**
 * A place of a document: keys and indexes, `*` for any one of them, `**` for any number, none too.
 * `messages.*.content.*.text`, `messages.*.content.*.input.**`.
 */
export type FieldPattern = string;

/**
 * Gives the new text of a string leaf, or undefined to leave it as it is, byte for byte. A path of more than 64 keys is
 * cut there. `of`: what names the place.
 */
export type EditLeaf = (text: string, path: JsonPath, of: 'field' | 'other') => string | undefined;

export type EditedJson =
  /** `bytes` is the very buffer that was given where nothing was changed. */
  | { readonly kind: 'json'; readonly bytes: Buffer; readonly edits: number }
  /**
   * No byte of it was touched. `too-deep`: over 100,000 containers in one another; `too-long`: a text of over 256 MiB.
   */
  | { readonly kind: 'unreadable'; readonly why: 'not-utf8' | 'not-json' | 'too-deep' | 'too-long' };
