/**
 * What becomes of characters that show nothing, or something else than they are.
 *
 * `reveal`: each run is replaced by a visible `⟦U+200B×3⟧` (default for models). `strip`: taken out. `reject`: the text
 * is
 * refused (what is stored, approved, run as a command, or read as a policy). `report`: left as it is, and told.
 */
export type TextMode = 'reveal' | 'strip' | 'reject' | 'report';

/**
 * What kind of text it is. `prose`: what people write, with emoji, right-to-left paragraphs and joiners as they are
 * used.
 * `code`: the same without direction marks and isolates. `name`: a path, branch or tool name on one line: line breaks
 * and
 * blanks other than U+0020 count too. `command`: a shell text, which may have lines and tabs; other blanks, joiners and
 * selectors count wherever they are, and so does a CR.
 */
export type TextForm = 'prose' | 'code' | 'name' | 'command';

export type FindingKind =
  | 'invisible' // default-ignorable, and none of the kinds below
  | 'bidi' // Bidi_Control that no balanced right-to-left paragraph explains
  | 'tag' // U+E0000–E007F
  | 'variation-selector'
  | 'filler' // Hangul fillers, Khmer inherent vowels, Braille blank, null notehead, object replacement
  | 'annotation' // interlinear annotation, Egyptian format controls
  | 'separator' // U+2028, U+2029; in names every blank but U+0020
  | 'control' // C0 and C1 without tab and line break
  | 'noncharacter'
  | 'surrogate' // a lone one
  | 'escape-sequence'
  | 'outbound' // an image, a link or another construct that would reach a host that is not allowed
  | 'mixed-script' // a word of Latin and Cyrillic letters; never rewritten
  | 'confusable'; // a word that looks like another one; never rewritten

export interface TextFinding {
  readonly kind: FindingKind;
  /** Offsets of UTF-16 code units in what was filtered. */
  readonly start: number;
  readonly end: number;
  /** `U+200B×3`, or the name of an escape sequence. Printable ASCII. */
  readonly what: string;
  /**
   * The payload that the run carries, where it is one: text of tag characters, of selectors' bytes, of zero-width bits.
   * Printable.
   */
  readonly decoded?: string;
}

export interface FilteredText {
  /** The input itself, the same string, where nothing was found. */
  readonly text: string;
  readonly findings: readonly TextFinding[];
  /** How many more were found; only the first 1000 are told. */
  readonly omitted?: number;
}

export interface FilterOptions {
  /** Default `reveal`. */
  readonly mode?: TextMode;
  /** Default `prose`. */
  readonly form?: TextForm;
}
