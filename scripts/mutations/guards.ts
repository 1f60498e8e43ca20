/** A part of the defence that can be removed separately. */
export interface Guard {
  /** `if`: refuses or ends early, as in `if (…) return …;`. `row`: an element of a table, on its own line. */
  readonly kind: 'if' | 'row';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

const shapes = {
  if: /^\s*(?:else )?if \((.+)\) (?:return|throw|continue|fail|_exit)\b.*;(?:\s*\/\*.*\*\/)?$/u,
  row: /^\s+(?:\{.*\}|'[^']*'|\w+\(.*\)),$/u,
} as const;

export function guardsOf(file: string, source: string, kind: Guard['kind'] = 'if'): readonly Guard[] {
  return source
    .split('\n')
    .flatMap((text, index) => (shapes[kind].test(text) ? [{ kind, file, line: index + 1, text: text.trim() }] : []));
}

/** Returns the source without the row, or with a condition that is never true. */
export function withoutGuard(source: string, { kind, line }: Guard): string {
  const lines = source.split('\n');
  if (kind === 'row') return lines.toSpliced(line - 1, 1).join('\n');
  const text = lines[line - 1] ?? '';
  const open = text.indexOf('if (') + 'if '.length;
  lines[line - 1] =
    `${text.slice(0, open)}(0 && ${text.slice(open, closing(text, open) + 1)})${text.slice(closing(text, open) + 1)}`;
  return lines.join('\n');
}

/** The bracket that closes the one at `open`. Skips strings, and expressions with brackets of their own. */
function closing(text: string, open: number): number {
  let depth = 0;
  let quote: string | undefined;
  for (let at = open; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (quote !== undefined) {
      if (letter === '\\') at++;
      else if (letter === quote) quote = undefined;
    } else if (letter === "'" || letter === '"' || letter === '`') quote = letter;
    else if (letter === '(') depth++;
    else if (letter === ')' && --depth === 0) return at;
  }
  return text.length;
}

/** This many of them, spread evenly, the same at every call. */
export function spread(guards: readonly Guard[], most: number): readonly Guard[] {
  if (guards.length <= most) return guards;
  return Array.from({ length: most }, (_, index) => guards[Math.floor((index * guards.length) / most)] as Guard);
}
