import { HoldfastError } from '../../errors/index.ts';

/** A literal of the language. Rules consist only of these. */
export type Literal = string | number | boolean | null | readonly Literal[];

export interface StarlarkCall {
  readonly name: string;
  readonly line: number;
  readonly named: ReadonlyMap<string, Literal>;
  readonly positional: readonly Literal[];
}

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly line: number;
}

/**
 * Returns the calls of a file in the part of Starlark that rules use: top-level calls with literals. Everything else
 * (assignments, loops, `load`) is an error, because code that is not run could have made a rule. Source:
 * https://github.com/bazelbuild/starlark/blob/master/spec.md, lexical elements.
 */
export function starlarkCalls(text: string): readonly StarlarkCall[] {
  const reader = new Reader(tokensOf(text));
  const calls: StarlarkCall[] = [];
  while (reader.peek().kind !== 'end') calls.push(reader.call());
  return calls;
}

const tokenPattern =
  /(?<space>[ \t\r\n;]+|\\\r?\n|#[^\n]*)|(?<raw>r?)(?:"""(?<long>(?:\\[^]|[^\\])*?)"""|'''(?<longSingle>(?:\\[^]|[^\\])*?)'''|"(?<double>(?:\\[^]|[^"\\\n])*)"|'(?<single>(?:\\[^]|[^'\\\n])*)')|(?<number>-?\d{1,15}(?![\w.]))|(?<name>[A-Za-z_]\w*)|(?<sign>[()[\],=])/uy;

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) throw unreadable(line, 'only calls with texts and lists can be read');
    const { space, raw, name, number, sign } = match.groups ?? {};
    const body =
      match.groups?.['long'] ?? match.groups?.['longSingle'] ?? match.groups?.['double'] ?? match.groups?.['single'];
    if (body !== undefined) tokens.push({ kind: 'text', text: raw === 'r' ? body : unescaped(body, line), line });
    else if (space === undefined)
      tokens.push({
        kind: name === undefined ? (number === undefined ? 'sign' : 'number') : 'name',
        text: name ?? number ?? sign ?? '',
        line,
      });
    line += match[0].split('\n').length - 1;
  }
  return [...tokens, { kind: 'end', text: 'the end of the file', line }];
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '\n': '',
};

function unescaped(body: string, line: number): string {
  return body.replaceAll(/\\([^])/gu, (_, character: string) => {
    const meant = Object.hasOwn(escapes, character) ? escapes[character] : undefined;
    if (meant === undefined) throw unreadable(line, `the escape \\${character} is not read`);
    return meant;
  });
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? this.#tokens.at(-1)!;
  }

  call(): StarlarkCall {
    const { text: name, line } = this.#take('name');
    this.#sign('(');
    const named = new Map<string, Literal>();
    const positional: Literal[] = [];
    this.#until(')', () => {
      const key = this.peek();
      if (key.kind !== 'name' || constants.has(key.text)) return void positional.push(this.#literal(0));
      this.#take('name');
      this.#sign('=');
      if (named.has(key.text)) throw unreadable(key.line, `${key.text} is given twice`);
      named.set(key.text, this.#literal(0));
    });
    return { name, line, named, positional };
  }

  #literal(depth: number): Literal {
    const token = this.#next();
    if (token.kind === 'text') return token.text + (this.peek().kind === 'text' ? this.#reject(this.peek()) : '');
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'name' && constants.has(token.text)) return constants.get(token.text) ?? null;
    if (token.text !== '[' || token.kind !== 'sign' || depth >= deepest) return this.#reject(token);
    const list: Literal[] = [];
    this.#until(']', () => void list.push(this.#literal(depth + 1)));
    return list;
  }

  #until(close: string, item: () => void): void {
    for (let first = true; !this.#isSign(close); first = false) {
      if (!first) this.#sign(',');
      if (this.#isSign(close)) break;
      item();
    }
    this.#sign(close);
  }

  #isSign(text: string): boolean {
    const token = this.peek();
    return token.kind === 'sign' && token.text === text;
  }

  #sign(text: string): void {
    if (!this.#isSign(text)) this.#reject(this.peek());
    this.#at += 1;
  }

  #take(kind: Token['kind']): Token {
    const token = this.#next();
    return token.kind === kind ? token : this.#reject(token);
  }

  #next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  #reject({ text, line }: Token): never {
    throw unreadable(
      line,
      `${JSON.stringify(text.slice(0, 40))} is not expected here: only calls with texts and lists can be read`,
    );
  }
}

const deepest = 20;
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function unreadable(line: number, message: string): HoldfastError {
  return new HoldfastError('HF_POLICY_INVALID', `line ${line}: ${message}`, {
    remedy: 'write the rules out: none of the file was imported',
  });
}
