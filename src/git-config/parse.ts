/**
 * The room for git's configuration language. It parses a configuration, and knows which settings make git run a program
 * or obey a file. It also reads the list of an interactive rebase.
 *
 * Pure. It reads nothing from the machine, and never applies a setting.
 */

export interface GitSetting {
  /** `section.name` or `section.Sub Section.name`. Section and name are in lower case. */
  readonly key: string;
  /** Undefined for a name without `=`, which means true. */
  readonly value: string | undefined;
}

export interface ParsedGitConfig {
  readonly settings: readonly GitSetting[];
  /** The line at which git stops with an error, if any. Git then runs nothing at all. */
  readonly malformed: string | undefined;
}

/** Parses a configuration file as git does (git-config(1), "Syntax"; config.c). Takes linear time and never throws. */
export function parseGitConfig(text: string): ParsedGitConfig {
  const scanner = new Scanner(text);
  const settings: GitSetting[] = [];
  let section = '';
  while (scanner.skipToStatement()) {
    if (scanner.peek() === '[') {
      const header = scanner.header();
      if (header === undefined) return { settings, malformed: scanner.line() };
      section = header;
      continue;
    }
    const name = scanner.name();
    const value = name === undefined || section === '' ? malformed : scanner.value();
    if (value === malformed) return { settings, malformed: scanner.line() };
    settings.push({ key: `${section}.${name ?? ''}`, value });
  }
  return { settings, malformed: undefined };
}

const malformed = Symbol('malformed');
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['b', '\b'],
  ['\\', '\\'],
  ['"', '"'],
]);

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n');
  }

  peek(): string {
    return this.#text[this.#at] ?? '';
  }

  /** Skips spaces and comments. Returns false at the end. */
  skipToStatement(): boolean {
    for (;;) {
      const character = this.peek();
      if (character === '') return false;
      if (character === '#' || character === ';') this.#skipLine();
      else if (isSpace(character)) this.#at++;
      else return true;
    }
  }

  /** Reads `[section]`, `[section "Sub"]` or the old `[section.sub]`. Undefined for anything else. */
  header(): string | undefined {
    const plain = /\[([\w.-]*)(\]|[ \t\r]+")/uy;
    plain.lastIndex = this.#at;
    const [all = '', name = '', end = ''] = plain.exec(this.#text) ?? [];
    if (name === '' || name.includes('_')) return undefined;
    const after = this.#at + all.length;
    if (end !== ']') return this.#subsection(name.toLowerCase(), after);
    this.#at = after;
    return name.toLowerCase();
  }

  #subsection(section: string, from: number): string | undefined {
    const quoted = /((?:[^"\\\n]|\\[^\n])*)"\]/uy;
    quoted.lastIndex = from;
    const found = quoted.exec(this.#text);
    if (found === null) return undefined;
    this.#at = quoted.lastIndex;
    return `${section}.${(found[1] ?? '').replaceAll(/\\(.)/gsu, '$1')}`;
  }

  name(): string | undefined {
    const pattern = /[A-Za-z][A-Za-z0-9-]*/uy;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found?.toLowerCase();
  }

  value(): string | undefined | typeof malformed {
    while (this.peek() === ' ' || this.peek() === '\t') this.#at++;
    const next = this.peek();
    if (next === '\n' || next === '') return undefined;
    if (next !== '=') return malformed;
    this.#at++;
    return this.#content();
  }

  /**
   * Reads the text after `=`. Removes quotes, resolves escapes, joins lines, and drops comments and surrounding space.
   */
  #content(): string | typeof malformed {
    const parts: string[] = [];
    let kept = 0;
    let quoted = false;
    for (;;) {
      const character = this.peek();
      this.#at++;
      if (character === '' || character === '\n') return quoted ? malformed : parts.slice(0, kept).join('');
      if (!quoted && (character === '#' || character === ';')) this.#skipLine();
      else if (!quoted && isSpace(character)) {
        if (parts.length > 0) parts.push(character);
      } else if (character === '"') quoted = !quoted;
      else {
        const meant = character === '\\' ? this.#escaped() : character;
        if (meant === undefined) return malformed;
        if (meant !== '') kept = parts.push(meant);
      }
    }
  }

  /**
   * Returns an empty text for a line continuation. Git adds a line break to the end of every file, so the last line can
   * be continued too (config.c, `get_next_char`).
   */
  #escaped(): string | undefined {
    const character = this.peek();
    this.#at++;
    return character === '\n' || character === '' ? '' : escapes.get(character);
  }

  /** Returns the current line. */
  line(): string {
    const start = this.#text.lastIndexOf('\n', Math.max(0, this.#at - 1)) + 1;
    const end = this.#text.indexOf('\n', start);
    return this.#text.slice(start, end === -1 ? undefined : end).trim();
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }
}

/** The same characters as in git's own table. */
function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}
