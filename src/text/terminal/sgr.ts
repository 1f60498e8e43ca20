/** Most characters of parameters. Longer parameters do not set a colour. */
const longest = 64;

/** Weight, underline, inverse, and the colours with their defaults. Blinking, concealed text and fonts are not kept. */
const kept = new Set<number>([
  0,
  1,
  2,
  3,
  4,
  7,
  9,
  22,
  23,
  24,
  27,
  28,
  29,
  39,
  49,
  ...range(30, 37),
  ...range(40, 47),
  ...range(90, 97),
  ...range(100, 107),
]);

/** Count of the numbers that a colour takes, including its own and that of its kind. */
const extended: Readonly<Record<string, number>> = { 5: 3, 2: 5 };

/** Programs use only a few sequences, and repeat them thousands of times. */
const remembered = 256;

/** Effect of one attribute. A colour is a number, so that 31 and 41 use the same one, or its components. */
type Paint =
  | { readonly kind: 'none' | 'reset' }
  | { readonly kind: 'foreground' | 'background'; readonly colour: string | undefined };

interface Brush {
  /** The whole sequence. Empty if no part of it is kept. */
  readonly text: string;
  readonly paints: readonly Paint[];
}

/**
 * Reduces colour sequences to weights and colours. Removes conceal, and a background in the colour of the text. Both
 * hide text, so a person would wrongly believe to have seen everything.
 */
export class Palette {
  readonly #brushes = new Map<string, Brush>();
  #foreground: string | undefined;
  #background: string | undefined;

  /** Returns the sequence to write for `CSI parameters m`. */
  take(parameters: string): string {
    const { text, paints } = this.#brushOf(parameters);
    for (const paint of paints) this.#apply(paint);
    if (this.#foreground === undefined || this.#foreground !== this.#background) return text;
    this.#background = undefined;
    return text === '' ? '' : `${text.slice(0, -1)};49m`;
  }

  reset(): void {
    this.#foreground = undefined;
    this.#background = undefined;
  }

  #apply(paint: Paint): void {
    if (paint.kind === 'reset') this.reset();
    if (paint.kind === 'foreground') this.#foreground = paint.colour;
    if (paint.kind === 'background') this.#background = paint.colour;
  }

  #brushOf(parameters: string): Brush {
    const known = this.#brushes.get(parameters);
    if (known !== undefined) return known;
    const brush = brushOf(parameters);
    if (this.#brushes.size < remembered) this.#brushes.set(parameters, brush);
    return brush;
  }
}

function brushOf(parameters: string): Brush {
  if (parameters.length > longest || /[^\d;:]/u.test(parameters)) return { text: '', paints: [] };
  const words = parameters.split(';');
  const attributes: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { size, text } = attributeAt(words, at);
    at += size;
    if (text !== undefined) attributes.push(text);
  }
  const paints = attributes.map(paintOf).filter(({ kind }) => kind !== 'none');
  return { text: attributes.length === 0 ? '' : `\x1b[${attributes.join(';')}m`, paints };
}

/** Returns one attribute: a number, or a colour together with its further numbers. */
function attributeAt(
  words: readonly string[],
  at: number,
): { readonly size: number; readonly text: string | undefined } {
  const word = words[at] ?? '';
  if (/^[34]8$/u.test(word)) {
    const size = extended[words[at + 1] ?? ''];
    // The kind of colour is unknown, so its numbers cannot be distinguished from the attributes after it. All are
    // dropped.
    if (size === undefined) return { size: words.length, text: undefined };
    const taken = words.slice(at, at + size);
    return {
      size,
      text: taken.length === size && taken.every((part) => /^\d{1,3}$/u.test(part)) ? taken.join(';') : undefined,
    };
  }
  if (word.includes(':'))
    return { size: 1, text: /^(?:[34]8(?::\d{0,3}){2,6}|4:[0-5])$/u.test(word) ? word : undefined };
  return { size: 1, text: /^\d{0,3}$/u.test(word) && kept.has(Number(word)) ? word : undefined };
}

function paintOf(attribute: string): Paint {
  const [first = '', ...rest] = attribute.split(/[;:]/u);
  const code = Number(first);
  if (code === 0) return { kind: 'reset' };
  if (code < 30) return { kind: 'none' };
  const kind = code < 40 || (code >= 90 && code < 100) ? 'foreground' : 'background';
  return { kind, colour: colourOf(code, rest) };
}

function colourOf(code: number, rest: readonly string[]): string | undefined {
  if (code >= 90) return `${(code % 10) + 8}`;
  if (code % 10 === 9) return undefined;
  if (code % 10 < 8) return `${code % 10}`;
  // `5;N` with N below 16 is colour N of the basic sixteen.
  return rest.length === 2 && rest[0] === '5'
    ? `${Number(rest[1])}`
    : rest
        .filter((part) => part !== '')
        .map(Number)
        .join(';');
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}
