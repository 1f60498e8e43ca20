/** One `key = value` line of a file with sections. */
export interface IniEntry {
  readonly section: string;
  readonly key: string;
  /** Without the blanks around it. */
  readonly value: string;
  /** Offsets of `value`. */
  readonly start: number;
  readonly end: number;
}

/** What stands between a key and its value: Python's configparser takes both, and keys of npm hold colons. */
export type Separator = 'equals' | 'equals-or-colon';

const assignments: Readonly<Record<Separator, RegExp>> = { equals: /^\s*([^=]+?)\s*=/u, 'equals-or-colon': /^\s*([^=:]+?)\s*[=:]/u };

/** Lines that begin with `#` or `;` are comments. A line that begins with a blank continues the value before it, under the same key. */
export function iniEntries(text: string, separator: Separator): readonly IniEntry[] {
  const entries: IniEntry[] = [];
  let section = '';
  let key = '';
  for (const { line, offset } of linesOf(text)) {
    if (/^\s*(?:[#;].*)?$/u.test(line)) continue;
    const header = /^\s*\[([^\]]*)\]/u.exec(line);
    if (header !== null) {
      section = (header[1] ?? '').trim();
      key = '';
      continue;
    }
    const assigned = /^\s/u.test(line) && key !== '' ? undefined : assignments[separator].exec(line);
    if (assigned === null) continue;
    key = assigned?.[1] ?? key;
    const from = assigned?.[0].length ?? 0;
    const value = line.slice(from).trim();
    if (value === '') continue;
    const start = offset + line.indexOf(value, from);
    entries.push({ section, key, value, start, end: start + value.length });
  }
  return entries;
}

export interface TextLine {
  readonly line: string;
  readonly offset: number;
}

/** Lines without their ends, and where they begin. */
export function linesOf(text: string): readonly TextLine[] {
  let offset = 0;
  return text.split('\n').map((line) => {
    const at = offset;
    offset += line.length + 1;
    return { line: line.endsWith('\r') ? line.slice(0, -1) : line, offset: at };
  });
}
