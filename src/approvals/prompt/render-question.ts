import { escapeHidden } from '../../text/escape-hidden.ts';

/**
 * A question for a person at a terminal. Its texts need no filter: none of their control characters reaches the
 * terminal.
 */
export interface TerminalQuestion {
  /** One line. */
  readonly title: string;
  /** The exact subject, line by line. */
  readonly lines: readonly string[];
  readonly choices: readonly TerminalChoice[];
}

export interface TerminalChoice {
  /** One letter, or a short word that nobody types by accident. The person types it, then Enter. */
  readonly key: string;
  readonly label: string;
}

export type TerminalAnswer =
  | { readonly kind: 'chosen'; readonly key: string }
  /**
   * `absent`: there is no terminal. `background`: another program has it. `interrupted`: Ctrl-C, Ctrl-\ or Ctrl-D.
   * `withdrawn`: the question no longer waits.
   */
  | { readonly kind: 'none'; readonly because: 'absent' | 'background' | 'interrupted' | 'withdrawn' };

/**
 * Renders a question as text for a terminal of this width. A bar comes before every line with quoted text, also after a
 * line break by the terminal. So quoted text never begins a line, and cannot look like a line of ours.
 */
export function renderQuestion({ title, lines, choices }: TerminalQuestion, columns: number): string {
  const quoted = lines
    .flatMap((line) => line.split('\n'))
    .flatMap((line) => wrapped(escapeHidden(line), columns - bar.length));
  const head = wrapped(escapeHidden(title), columns - 2 - opening.length);
  return [
    '',
    ...head.map((line, index) => `${index === 0 ? opening : ' '.repeat(opening.length)}${line}`),
    ...quoted.map((line) => `${bar}${line}`),
    ...shownChoices(choices),
    '',
  ].join('\n');
}

const opening = 'holdfast asks: ';
const bar = '  | ';

function shownChoices(choices: readonly TerminalChoice[]): readonly string[] {
  const width = Math.max(0, ...choices.map(({ key }) => key.length));
  return choices.map(({ key, label }) => `  ${key.padEnd(width)}  ${label}`);
}

/** Characters beyond ASCII may take two columns, so a line holds fewer of them and never overflows. */
function wrapped(text: string, columns: number): readonly string[] {
  const room = Math.max(columns, narrowest);
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const character of text) {
    const wide = character > '\u007e' ? 2 : 1;
    if (width + wide > room) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += character;
    width += wide;
  }
  return [...lines, line];
}

const narrowest = 8;
