import type { Opacity, PathEffect, RunEffect, TimeSpan, StaticWord, Word } from '../../types.ts';
import { each, flags, inOrder, takes, tool } from '../notation.ts';
import type { ParsedArguments, Refine, RefineContext, Refinement, ToolSpec } from '../types.ts';
import { numberedText, wordAsTyped, staticWord, plainText } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

const refineSed: Refine = (parsed, context) => {
  const script = scriptOf(parsed);
  const inPlace = parsed.options.findLast(({ spec }) => spec.names.includes('--in-place'));
  const files = parsed.options.some(({ spec }) => spec.operands !== undefined)
    ? parsed.operands
    : parsed.operands.slice(1);
  const edited = inPlace === undefined ? {} : editsInPlace(files, inPlace.value, context);
  return joined(edited, script === undefined ? {} : effectsOfScript(script, context));
};

type Script =
  | { readonly kind: 'known'; readonly text: string; readonly span: TimeSpan }
  | { readonly kind: 'unknown'; readonly word: Word };

/** All `-e` together, or the first operand. Script files are recorded by their role. */
function scriptOf({ options, operands }: ParsedArguments): Script | undefined {
  const expressions = options
    .filter(({ spec }) => spec.names.includes('--expression'))
    .flatMap(({ value }) => (value === undefined ? [] : [value]));
  const hasFile = hasOption({ options }, '--file');
  const words = expressions.length > 0 || hasFile ? expressions : operands.slice(0, 1);
  const [first] = words;
  if (first === undefined) return undefined;
  const known = (word: Word): string | undefined => plainText(word) ?? numberedText(word);
  const unknown = words.find((word) => known(word) === undefined);
  if (unknown !== undefined) return { kind: 'unknown', word: unknown };
  return { kind: 'known', text: words.map(known).join('\n'), span: first.span };
}

function effectsOfScript(script: Script, context: RefineContext): Refinement {
  if (script.kind === 'unknown')
    return {
      opaque: [
        {
          kind: 'inline-code',
          message: `the script \`${wordAsTyped(script.word)}\` of \`sed\` is not known`,
          span: script.word.span,
        },
      ],
    };
  const { span } = script;
  const found = readSedScript(script.text);
  return {
    reads: found.flatMap((each) =>
      each.kind === 'reads' ? [context.path(staticWord(each.path, span), 'read', 'file')] : [],
    ),
    writes: found.flatMap((each) =>
      each.kind === 'writes' ? [context.path(staticWord(each.path, span), 'write', 'file')] : [],
    ),
    runs: found.flatMap((each): readonly RunEffect[] =>
      each.kind === 'runs' ? [{ what: each.text, kind: 'inline-code' }] : [],
    ),
    opaque: found.flatMap((each) => reasonOf(each, span)),
    scripts: found.flatMap((each) => (each.kind === 'runs' && each.text !== '' ? [staticWord(each.text, span)] : [])),
  };
}

function reasonOf(found: SedFinding, span: TimeSpan): readonly Opacity[] {
  if (found.kind === 'runs')
    return [{ kind: 'inline-code', message: `the script of \`sed\` runs a command: \`${found.text}\``, span }];
  if (found.kind === 'unclear')
    return [{ kind: 'inline-code', message: `the script of \`sed\` is not understood at \`${found.text}\``, span }];
  return [];
}

/** A suffix with `*` or `/` puts the copy anywhere. */
function editsInPlace(files: readonly Word[], suffix: Word | undefined, context: RefineContext): Refinement {
  const text = suffix === undefined ? '' : plainText(suffix);
  if (text === undefined || !/^[\w.~-]*$/u.test(text)) {
    const word = suffix ?? staticWord('');
    return {
      writes: files.map((file) => context.path(file, 'write', 'file')),
      opaque: [
        {
          kind: 'unknown-option',
          message: `the suffix \`${wordAsTyped(word)}\` may name a file anywhere`,
          span: word.span,
        },
      ],
    };
  }
  const copies =
    text === ''
      ? []
      : files
          .filter((file): file is StaticWord => file.kind === 'static')
          .map((file) => ({ ...file, value: file.value + text }));
  return { writes: [...files, ...copies].map((file): PathEffect => context.path(file, 'write', 'file')) };
}

function joined(first: Refinement, second: Refinement): Refinement {
  return {
    ...second,
    reads: [...(first.reads ?? []), ...(second.reads ?? [])],
    writes: [...(first.writes ?? []), ...(second.writes ?? [])],
    opaque: [...(first.opaque ?? []), ...(second.opaque ?? [])],
  };
}

/** Longer scripts come from generators, or are made to cost time. */
const longest = 8192;

export const sed: ToolSpec = tool('sed', {
  operands: inOrder(['text'], 'read'),
  options: [
    ...flags(
      '-n --quiet --silent',
      '--debug',
      '--follow-symlinks',
      '--posix',
      '-E -r --regexp-extended',
      '-s --separate',
      '--sandbox',
      '-u --unbuffered',
      '-z --null-data',
      '--help',
      '--version',
    ),
    ...takes('text', '-l --line-length'),
    { names: ['-e', '--expression'], value: 'required', operands: each('read') },
    { names: ['-f', '--file'], value: 'required', role: 'code-file', operands: each('read') },
    { names: ['-i', '--in-place'], value: 'optional' },
  ],
  refine: refineSed,
});

/** The effects of one command of a script besides changing lines. */
type SedFinding =
  | { readonly kind: 'reads' | 'writes'; readonly path: string }
  | { readonly kind: 'runs' | 'unclear'; readonly text: string };

/**
 * Reads a sed script as GNU sed does. Total: from the first part that is not understood, or that versions of sed read
 * differently, reports only that it is unclear.
 */
export function readSedScript(script: string): readonly SedFinding[] {
  const reader: Reader = { script, at: 0, found: [] };
  if (script.length > longest) return [{ kind: 'unclear', text: script.slice(0, 40) }];
  while (reader.at < script.length) {
    if (!skipAddresses(reader) || !readCommand(reader))
      return [...reader.found, { kind: 'unclear', text: script.slice(reader.at, reader.at + 40) }];
  }
  return reader.found;
}

interface Reader {
  readonly script: string;
  at: number;
  readonly found: SedFinding[];
}

/** Consumes the match of the pattern here. Undefined if it does not match. */
function accept(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.script)?.[0];
  if (match !== undefined) reader.at += match.length;
  return match;
}

function skipAddresses(reader: Reader): boolean {
  accept(reader, /[\s;]+/uy);
  if (!skipAddress(reader)) return false;
  if (
    accept(reader, /[ \t]*,[ \t]*/uy) !== undefined &&
    accept(reader, /[+~]\d+/uy) === undefined &&
    !skipAddress(reader)
  )
    return false;
  accept(reader, /[ \t]*(?:![ \t]*)*/uy);
  return true;
}

/** Skips a number, `first~step`, `$`, `/regexp/`, `\cregexpc`, or nothing. */
function skipAddress(reader: Reader): boolean {
  if (accept(reader, /\d+(?:~\d+)?|\$/uy) !== undefined) return true;
  const open = accept(reader, /\/|\\[^\n\\]/uy);
  if (open === undefined) return true;
  const isClosed = skipTo(reader, open.slice(-1), 'regexp');
  accept(reader, /[IM]*/uy);
  return isClosed;
}

/** Skips past the next such delimiter. Versions disagree on where a regexp with a delimiter in brackets ends. */
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
      // In brackets, versions disagree on whether a backslash is literal.
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

/** Text continues after a backslash at the end of a line. Versions differ if a blank follows that backslash. */
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

/** In a replacement, a backslash may precede a line end. */
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

/** The flag `e` runs the result as a command; `w` writes it to a file. */
function readSubstitution(reader: Reader): boolean {
  if (!skipBoth(reader, 'regexp')) return false;
  const flags = accept(reader, /[gpiImM\de]*/uy) ?? '';
  if (flags.includes('e')) reader.found.push({ kind: 'runs', text: 'the result of a substitution' });
  if (accept(reader, /w/uy) !== undefined) return readFile(reader, 'w');
  return accept(reader, /[ \t]*(?=[\n;}#]|$)/uy) !== undefined;
}
