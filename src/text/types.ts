/**
 * Treatment of characters that show nothing, or something other than they are.
 *
 * `reveal`: each run becomes a visible `⟦U+200B×3⟧` (default for models). `strip`: they are taken out. `reject`: the
 * text is refused (if it is stored, approved, run as a command, or read as a policy). `report`: they stay, and are
 * reported.
 */
export type TextMode = 'reveal' | 'strip' | 'reject' | 'report';

/**
 * Kind of a text. `prose`: writing by people, with emoji, right-to-left paragraphs and their joiners. `code`: the same
 * without direction marks and isolates. `name`: a path, branch or tool name on one line; line breaks and blanks other
 * than U+0020 are findings too. `command`: a shell text, which may have lines and tabs; other blanks, joiners and
 * selectors are findings anywhere, and so is a CR.
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
  /** Offsets in the input, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** `U+200B×3`, or the name of an escape sequence. Printable ASCII. */
  readonly what: string;
  /**
   * Payload of the run, if it encodes one: as tag characters, as bytes of variation selectors, or as zero-width bits.
   * Printable.
   */
  readonly decoded?: string;
}

export interface FilteredText {
  /** The same string as the input if there are no findings. */
  readonly text: string;
  readonly findings: readonly TextFinding[];
  /** Number of further findings. Only the first 1000 are listed. */
  readonly omitted?: number;
}

export interface FilterOptions {
  /** Default: `reveal`. */
  readonly mode?: TextMode;
  /** Default: `prose`. */
  readonly form?: TextForm;
}
