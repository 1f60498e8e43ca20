/** What one command of a script does besides changing lines. */
export type SedFinding =
  | { readonly kind: 'reads' | 'writes'; readonly path: string }
  | { readonly kind: 'runs' | 'unclear'; readonly text: string };

/**
 * Reads a script of sed as GNU sed does. Total: from the first place that is not understood, or that versions of sed
 * read differently, nothing is said but that it is unclear.
 */
export function readSedScript(script: string): readonly SedFinding[] {
  const reader: Reader = { script, at: 0, found: [] };
  if (script.length > longest) return [{ kind: 'unclear', text: script.slice(0, 40) }];
  while (reader.at < script.length) {
    if (!skipAddresses(reader) || !readCommand(reader)) return [...reader.found, { kind: 'unclear', text: script.slice(reader.at, reader.at + 40) }];
  }
  return reader.found;
}

/** Longer scripts come from generators, or want to cost time. */
const longest = 8192;

interface Reader {
  readonly script: string;
  at: number;
  readonly found: SedFinding[];
}

/** Takes what the pattern matches here; undefined when it does not. */
function accept(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.script)?.[0];
  if (match !== undefined) reader.at += match.length;
  return match;
}

function skipAddresses(reader: Reader): boolean {
  accept(reader, /[\s;]+/uy);
  if (!skipAddress(reader)) return false;
  if (accept(reader, /[ \t]*,[ \t]*/uy) !== undefined && accept(reader, /[+~]\d+/uy) === undefined && !skipAddress(reader)) return false;
  accept(reader, /[ \t]*(?:![ \t]*)*/uy);
  return true;
}

/** A number, `first~step`, `$`, `/regexp/` or `\cregexpc`; none is fine. */
function skipAddress(reader: Reader): boolean {
  if (accept(reader, /\d+(?:~\d+)?|\$/uy) !== undefined) return true;
  const open = accept(reader, /\/|\\[^\n\\]/uy);
  if (open === undefined) return true;
  const isClosed = skipTo(reader, open.slice(-1), 'regexp');
  accept(reader, /[IM]*/uy);
  return isClosed;
}

/** Goes behind the next such delimiter. A regexp with a delimiter in brackets ends in different places for different versions. */
function skipTo(reader: Reader, delimiter: string, part: 'regexp' | 'text'): boolean {
  let isBracket = false;
  for (; reader.at < reader.script.length; reader.at++) {
    const char = reader.script.charAt(reader.at);
    if (char === delimiter) {
      reader.at++;
      return !isBracket;
    }
    if (char === '\n') return false;
    if (char === '\\') {
      // Within brackets a backslash is a character for itself, and then again it is not.
      if (isBracket && reader.script.charAt(reader.at + 1) === delimiter) return false;
      reader.at++;
    } else if (part === 'regexp' && char === '[' && !isBracket) {
      isBracket = true;
      accept(reader, /\[\^?(?=\])/uy);
      if (reader.script.charAt(reader.at) !== ']' && reader.script.charAt(reader.at) !== '[') return false;
    } else if (char === ']') isBracket = false;
  }
  return false;
}

function readCommand(reader: Reader): boolean {
  const command = accept(reader, /[^\s]/uy);
  if (command === undefined) return reader.at >= reader.script.length;
  if ('{}=dDgGhHnNpPxzF'.includes(command)) return true;
  if ('qQlL'.includes(command)) return accept(reader, /[ \t]*\d*/uy) !== undefined;
  if (command === '#') return accept(reader, /[^\n]*/uy) !== undefined;
  if (':btT'.includes(command)) return accept(reader, /[ \t]*(?![ \t])[\w.-]*(?=[\s;]|$)/uy) !== undefined;
  if ('aic'.includes(command)) return skipText(reader);
  if ('rRwW'.includes(command)) return readFile(reader, command);
  if (command === 'e') {
    reader.found.push({ kind: 'runs', text: (accept(reader, /[^\n]*/uy) ?? '').trim() });
    return true;
  }
  if (command === 's') return readSubstitution(reader);
  return command === 'y' && skipBoth(reader, 'text');
}

/** Text goes on behind a backslash at the end of a line. With a blank behind that backslash versions differ. */
function skipText(reader: Reader): boolean {
  if (accept(reader, /[ \t]*\\[ \t]+(?:\n|$)/uy) !== undefined) return false;
  return accept(reader, /(?:\\[\s\S]|[^\\\n])*/uy) !== undefined;
}

function readFile(reader: Reader, command: string): boolean {
  const path = (accept(reader, /[ \t]*[^\n]*/uy) ?? '').trimStart();
  if (path === '' || path.trimEnd() !== path) return false;
  noteFile(reader, command.toLowerCase() === 'r' ? 'reads' : 'writes', path);
  return true;
}

function noteFile(reader: Reader, kind: 'reads' | 'writes', path: string): void {
  if (!/^\/dev\/std(?:in|out|err)$/u.test(path)) reader.found.push({ kind, path });
}

function skipBoth(reader: Reader, part: 'regexp' | 'text'): boolean {
  const delimiter = accept(reader, /[^\n\\]/uy);
  return delimiter !== undefined && skipTo(reader, delimiter, part) && skipReplacement(reader, delimiter);
}

/** In a replacement a backslash may stand before a line end. */
function skipReplacement(reader: Reader, delimiter: string): boolean {
  for (; reader.at < reader.script.length; reader.at++) {
    const char = reader.script.charAt(reader.at);
    if (char === '\n') return false;
    if (char === delimiter) {
      reader.at++;
      return true;
    }
    if (char === '\\') reader.at++;
  }
  return false;
}

/** The flag `e` runs what comes out as a command, `w` writes it to a file. */
function readSubstitution(reader: Reader): boolean {
  if (!skipBoth(reader, 'regexp')) return false;
  const flags = accept(reader, /[gpiImM\de]*/uy) ?? '';
  if (flags.includes('e')) reader.found.push({ kind: 'runs', text: 'what it replaces' });
  if (accept(reader, /w/uy) !== undefined) return readFile(reader, 'w');
  return accept(reader, /[ \t]*(?=[\n;}#]|$)/uy) !== undefined;
}
