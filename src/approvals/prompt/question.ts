/** What a person is asked at a terminal. Texts need not be filtered: nothing of them reaches the terminal that it would obey. */
export interface TerminalQuestion {
  /** One line. */
  readonly title: string;
  /** What it is about, exactly, line by line. */
  readonly lines: readonly string[];
  readonly choices: readonly TerminalChoice[];
}

export interface TerminalChoice {
  /** One letter, or a short word that cannot be typed by accident: what is typed, and then Enter. */
  readonly key: string;
  readonly label: string;
}

export type TerminalAnswer =
  | { readonly kind: 'chosen'; readonly key: string }
  /** `absent`: there is no terminal. `background`: another program has it. `interrupted`: Ctrl-C, Ctrl-\ or Ctrl-D. `withdrawn`: the question no longer waits. */
  | { readonly kind: 'none'; readonly because: 'absent' | 'background' | 'interrupted' | 'withdrawn' };
