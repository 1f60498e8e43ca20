/**
 * Returns the line of each key, table and list item of a TOML text by its path: `files.read[0]`, `exec[2].name`. The
 * parser gives no positions. It has already accepted the text, so this only locates and does not judge.
 */
export function scanLines(text: string): ReadonlyMap<string, number> {
  const scan: Scan = { text, at: 0, line: 1, lines: new Map(), arrays: new Map() };
  let table = '';
  for (skipBlanks(scan); scan.at < text.length; skipBlanks(scan)) {
    const start = scan.at;
    if (text[start] === '[') table = readHeader(scan);
    else readAssignment(scan, table);
    if (scan.at === start) scan.at += 1;
  }
  return scan.lines;
}

interface Scan {
  readonly text: string;
  at: number;
  line: number;
  readonly lines: Map<string, number>;
  /** Number of tables so far in each array of tables. */
  readonly arrays: Map<string, number>;
}

/** Keys nested deeper than in any policy are merged, so that a key of 100,000 parts costs no more than its length. */
const deepest = 8;

function skipBlanks(scan: Scan): void {
  const { text } = scan;
  for (; scan.at < text.length; scan.at += 1) {
    const character = text[scan.at];
    if (character === '#') skipComment(scan);
    if (text[scan.at] === '\n') scan.line += 1;
    else if (scan.at < text.length && !' \t\r,'.includes(text[scan.at] ?? '')) return;
  }
}

function skipComment(scan: Scan): void {
  const end = scan.text.indexOf('\n', scan.at);
  scan.at = end === -1 ? scan.text.length : end;
}

/** Reads `[a.b]` or `[[a.b]]` and returns the path of the table that it opens. */
function readHeader(scan: Scan): string {
  const isArray = scan.text.startsWith('[[', scan.at);
  scan.at += isArray ? 2 : 1;
  const { line } = scan;
  const parts = readKey(scan);
  scan.at += isArray ? 2 : 1;
  let path = parts.slice(0, -1).reduce((above, part) => latest(scan, join(above, part)), '');
  path = join(path, parts[parts.length - 1] ?? '');
  if (!isArray) {
    remember(scan, latest(scan, path), line);
    return latest(scan, path);
  }
  const index = scan.arrays.get(path) ?? 0;
  scan.arrays.set(path, index + 1);
  remember(scan, path, line);
  remember(scan, `${path}[${index}]`, line);
  return `${path}[${index}]`;
}

/** A key below an array of tables belongs to the last table that was opened. */
function latest(scan: Scan, path: string): string {
  const count = scan.arrays.get(path);
  return count === undefined ? path : `${path}[${count - 1}]`;
}

function readAssignment(scan: Scan, table: string): void {
  const { line } = scan;
  const path = readKey(scan).reduce((above, part) => {
    const next = join(above, part);
    remember(scan, next, line);
    return next;
  }, table);
  scan.at += 1;
  skipBlanks(scan);
  readValue(scan, path);
}

/** Reads a dotted key up to the `=` or `]` after it. */
function readKey(scan: Scan): readonly string[] {
  const parts: string[] = [];
  while (scan.at < scan.text.length) {
    skipSpaces(scan);
    const part = readKeyPart(scan);
    if (parts.length < deepest) parts.push(part);
    skipSpaces(scan);
    if (scan.text[scan.at] !== '.') return parts;
    scan.at += 1;
  }
  return parts;
}

function readKeyPart(scan: Scan): string {
  const quote = scan.text[scan.at];
  const start = scan.at;
  if (quote === '"' || quote === "'") {
    skipString(scan);
    return scan.text.slice(start + 1, scan.at - 1);
  }
  while (scan.at < scan.text.length && !' \t.=]'.includes(scan.text[scan.at] ?? '')) scan.at += 1;
  return scan.text.slice(start, scan.at);
}

function skipSpaces(scan: Scan): void {
  while (scan.text[scan.at] === ' ' || scan.text[scan.at] === '\t') scan.at += 1;
}

/** Recursion is bounded: the parser refuses deeper nesting. */
function readValue(scan: Scan, path: string): void {
  const start = scan.text[scan.at];
  if (start === '"' || start === "'") skipString(scan);
  else if (start === '[') readItems(scan, path);
  else if (start === '{') readInlineTable(scan, path);
  else skipScalar(scan);
}

/** Advances by at least one character, so that every loop here ends. */
function skipScalar(scan: Scan): void {
  do scan.at += 1;
  while (scan.at < scan.text.length && !',]}#\n'.includes(scan.text[scan.at] ?? ''));
}

function readItems(scan: Scan, path: string): void {
  scan.at += 1;
  for (let index = 0; ; index += 1) {
    skipBlanks(scan);
    if (scan.at >= scan.text.length || scan.text[scan.at] === ']') break;
    remember(scan, `${path}[${index}]`, scan.line);
    readValue(scan, `${path}[${index}]`);
  }
  scan.at += 1;
}

function readInlineTable(scan: Scan, path: string): void {
  scan.at += 1;
  for (skipBlanks(scan); scan.at < scan.text.length && scan.text[scan.at] !== '}'; skipBlanks(scan))
    readAssignment(scan, path);
  scan.at += 1;
}

/** Skips one string of any of the four kinds, and counts its lines. */
function skipString(scan: Scan): void {
  const { text } = scan;
  const quote = text[scan.at] ?? '';
  const delimiter = text.startsWith(quote.repeat(3), scan.at) ? quote.repeat(3) : quote;
  for (scan.at += delimiter.length; scan.at < text.length && !text.startsWith(delimiter, scan.at); scan.at += 1) {
    if (text[scan.at] === '\\' && quote === '"') scan.at += 1;
    if (text[scan.at] === '\n') scan.line += 1;
  }
  scan.at += delimiter.length;
  // Up to two quotes may precede the closing three.
  if (delimiter.length === 3) while (text[scan.at] === quote) scan.at += 1;
}

function join(above: string, key: string): string {
  return above === '' ? key : `${above}.${key}`;
}

/** Keeps the first position, because a table may be opened after a dotted key has named it. */
function remember(scan: Scan, path: string, line: number): void {
  if (!scan.lines.has(path)) scan.lines.set(path, line);
}
