/** What the state machine has read besides plain text. Offsets are told beside it. */
export type Sequence =
  /** One character of C0 or C1 that stands by itself, tab and line feed apart. */
  | { readonly kind: 'control'; readonly code: number }
  /** ESC, intermediates, final: `(B`, `c`. C1 characters come as their ESC form. */
  | { readonly kind: 'escape'; readonly what: string }
  | { readonly kind: 'csi'; readonly parameters: string; readonly intermediates: string; readonly final: string }
  | { readonly kind: 'string'; readonly introducer: Introducer; readonly payload: string; readonly length: number; readonly end: StringEnd }
  /** Begun and given up: CAN, SUB, a character that cannot stand there, too long, or the end of the text. */
  | { readonly kind: 'broken'; readonly what: string };

export type Introducer = 'OSC' | 'DCS' | 'APC' | 'PM' | 'SOS';

/** `cut`: nothing terminated it, and nothing of its payload is text. */
export type StringEnd = 'terminated' | 'cut';

/** Where a sequence stood, in UTF-16 code units since the first chunk. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Who takes what the state machine reads, in order. Texts hold neither C0 nor C1, tab and line feed apart. */
export interface Reader {
  readonly text: (text: string) => void;
  readonly sequence: (sequence: Sequence, place: Place) => void;
  /** `CSI … m` with nothing but digits and semicolons, most of what programs write; without this they are skipped. */
  readonly colours: ((parameters: string, place: Place) => void) | undefined;
}
