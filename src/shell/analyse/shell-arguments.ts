import { wordAsTyped, plainText } from '../tools/words.ts';
import type { Opacity, Word } from '../types.ts';

/** Where the shell reads its program from. */
export type ShellSource =
  | { readonly kind: 'text'; readonly word: Word }
  | { readonly kind: 'file'; readonly word: Word }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'nothing' };

export interface ShellArguments {
  readonly source: ShellSource;
  /** Files that it runs first: `--rcfile FILE`. */
  readonly startup: readonly Word[];
  /** Which of the user's start-up files it reads. */
  readonly profile: 'login' | 'interactive' | 'not-read';
  readonly opaque: readonly Opacity[];
}

/**
 * Reads the words after the name of a Bourne shell. The table of options cannot do that. `-c` takes no value: the text
 * is the first word that is not an option. `-o` takes the next word wherever it is in a cluster, and `+x` is an option
 * too.
 */
export function readShellArguments(words: readonly Word[]): ShellArguments {
  const reader: Reader = { words, at: 0, flags: new Set(), startup: [], opaque: [] };
  let more = true;
  while (more) more = readOption(reader);
  const source = reader.opaque.length > 0 ? nothing : sourceOf(reader);
  return {
    source,
    startup: reader.startup,
    profile: reader.flags.has('i') ? 'interactive' : reader.flags.has('l') ? 'login' : 'not-read',
    opaque: reader.opaque,
  };
}

const nothing: ShellSource = { kind: 'nothing' };

interface Reader {
  readonly words: readonly Word[];
  at: number;
  readonly flags: Set<string>;
  readonly startup: Word[];
  readonly opaque: Opacity[];
}

function sourceOf({ words, at, flags }: Reader): ShellSource {
  if (flags.has('help')) return nothing;
  const word = words[at];
  // With `-n` a shell only parses. An interactive shell ignores the option, and a shell without a file may be
  // interactive.
  if (flags.has('n') && !flags.has('i') && !flags.has('s') && word !== undefined) return nothing;
  if (flags.has('c')) return word === undefined ? nothing : { kind: 'text', word };
  return word === undefined || flags.has('s') ? { kind: 'stdin' } : { kind: 'file', word };
}

/** Bash requires long options first. In other positions they have no other meaning. */
const longFlags: ReadonlySet<string> = new Set([
  '--norc',
  '--noprofile',
  '--noediting',
  '--posix',
  '--restricted',
  '--verbose',
  '--debug',
]);

/** False at the first word that is not an option, or that is not understood. */
function readOption(reader: Reader): boolean {
  const word = reader.words[reader.at];
  if (word === undefined) return false;
  const text = plainText(word);
  // The text of `-c` is then dynamic, which is reported when the text is read.
  if (text === undefined) return reader.flags.has('c') ? false : unclear(reader, word);
  if (!/^[-+]./u.test(text)) {
    // A single dash also ends the options.
    if (text === '-') reader.at += 1;
    return false;
  }
  reader.at += 1;
  if (text === '--') return false;
  return text.startsWith('--') ? readLong(reader, text, word) : readCluster(reader, text, word);
}

/** A glob that starts with a path, and a path in the home directory, cannot be options. */
function unclear(reader: Reader, word: Word): boolean {
  if (word.kind === 'static' || (word.kind === 'glob' && /^[^-+]/u.test(word.prefix))) return false;
  reader.opaque.push({
    kind: 'dynamic-word',
    message: `\`${wordAsTyped(word)}\` may become an option of the shell`,
    span: word.span,
  });
  return false;
}

function readLong(reader: Reader, text: string, word: Word): boolean {
  if (text === '--login') reader.flags.add('l');
  else if (text === '--help' || text === '--version') reader.flags.add('help');
  else if (text === '--rcfile' || text === '--init-file')
    reader.startup.push(...reader.words.slice(reader.at, (reader.at += 1)));
  else if (!longFlags.has(text)) return unknown(reader, word);
  return true;
}

/**
 * Options after which `cd` follows links, any word may be an assignment, directories may be variables, or pipelines end
 * in the shell itself.
 */
const changesReading: ReadonlySet<string> = new Set([
  'physical',
  'keyword',
  'cdable_vars',
  'autocd',
  'lastpipe',
  'expand_aliases',
]);

function readCluster(reader: Reader, text: string, word: Word): boolean {
  for (const letter of text.slice(1)) {
    if (letter === 'o' || letter === 'O') {
      const value = reader.words[reader.at++];
      if (value !== undefined && plainText(value) === undefined) return unclear(reader, value);
      if (value !== undefined && changesReading.has(plainText(value) ?? '')) return unknown(reader, value);
    } else if (!/[abcefhilmnprstuvxBCDEHT]/u.test(letter)) return unknown(reader, word);
    else if (letter === 'n' && text.startsWith('+')) reader.flags.delete(letter);
    else reader.flags.add(letter);
  }
  return true;
}

function unknown(reader: Reader, word: Word): boolean {
  reader.opaque.push({
    kind: 'unknown-option',
    message: `\`${wordAsTyped(word)}\` is not a known option of the shell`,
    span: word.span,
  });
  return false;
}
