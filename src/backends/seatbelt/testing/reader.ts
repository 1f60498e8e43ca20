/** The parts of a parsed profile. */
export type Form =
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Form[] };

const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/**
 * Reads a profile as TinyScheme does: lists, symbols, strings with escapes, `#"…"` without them, comments. Throws for
 * anything else.
 */
export function readProfile(source: string): readonly Form[] {
  const stack: Form[][] = [[]];
  let at = 0;
  const add = (form: Form): void => void stack.at(-1)?.push(form);
  while (at < source.length) {
    const character = source[at] ?? '';
    if (/\s/u.test(character)) at += 1;
    else if (character === ';') at = endOf(source, at, /\n|$/gu);
    else if (character === '(') at += stack.push([]) > 0 ? 1 : 0;
    else if (character === ')') {
      const items = stack.pop();
      if (items === undefined || stack.length === 0) throw new Error(`a parenthesis too many at ${at}`);
      add({ kind: 'list', items });
      at += 1;
    } else if (character === '"') {
      const { text, end } = readString(source, at + 1);
      add({ kind: 'text', text });
      at = end;
    } else {
      const end = endOf(source, at, /[\s()";]|$/gu);
      if (!/^[\w*.-]+$/u.test(source.slice(at, end)))
        throw new Error(`no symbol: ${JSON.stringify(source.slice(at, end))}`);
      add({ kind: 'symbol', name: source.slice(at, end) });
      at = end;
    }
  }
  if (stack.length !== 1) throw new Error('a parenthesis is open at the end');
  return stack[0] ?? [];
}

function readString(source: string, start: number): { readonly text: string; readonly end: number } {
  let text = '';
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (character === '"') return { text, end: at + 1 };
    if (character !== '\\') text += character;
    else if (source[at + 1] === 'x') {
      const digits = source.slice(at + 2, at + 4);
      if (!/^[\da-f]{2}$/iu.test(digits)) throw new Error(`no byte: ${digits}`);
      text += String.fromCharCode(Number.parseInt(digits, 16));
      at += 3;
    } else {
      at += 1;
      text += named[source[at] ?? ''] ?? source[at] ?? '';
    }
  }
  throw new Error('a string is open at the end');
}

function endOf(source: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  return end.exec(source)?.index ?? source.length;
}
