/** Programs that search for files. Data and pure refinements only. A search's matches are known by its start. */
import type { Opacity, PathEffect, Word } from '../../types.ts';
import { each, flags, takes, tool } from '../notation.ts';
import type { Refine, RefineContext, ToolSpec } from '../types.ts';
import { mayBeOption, mayBeSeveral, wordAsTyped, staticWord, plainText } from '../words.ts';
import { fd } from './fd.ts';
import { isNoExpression, nameOfAll, startsNamed, withFoundFiles } from './found-files.ts';

/** It reads its own database of all names. */
const locate: ToolSpec = tool('locate plocate mlocate', {
  operands: { kind: 'each', role: 'text' },
  options: [
    ...flags(
      '-A --all',
      '-b --basename',
      '-c --count',
      '-e --existing',
      '-i --ignore-case',
      '-w --wholename',
      '-0 --null',
      '-h --help',
      '-V --version',
    ),
    ...takes('text', '-l -n --limit', '-r --regexp'),
    ...takes('read', '-d --database'),
  ],
});

const tree: ToolSpec = tool('tree', {
  operands: { kind: 'each', role: 'read-tree', absent: '.' },
  options: [
    ...flags(
      '-a',
      '-d',
      '-l',
      '-f',
      '-x',
      '-q',
      '-N',
      '-Q',
      '-p',
      '-u',
      '-g',
      '-s',
      '-h',
      '--si',
      '-D',
      '-F',
      '--inodes',
      '--device',
      '-v',
      '-t',
      '-c',
      '-U',
      '-r',
      '--dirsfirst',
      '-i',
      '-n',
      '-C',
      '-J',
      '-X',
      '-A',
      '-S',
    ),
    ...flags('--metafirst', '--filesfirst', '--nolinks', '--info'),
    ...takes('text', '-H', '-T'),
    ...flags('--noreport', '--prune', '--gitignore', '--matchdirs', '--ignore-case', '--du', '--version', '--help'),
    ...takes('text', '-L', '-P', '-I', '--filelimit', '--timefmt', '--charset', '--sort'),
    ...takes('write', '-o'),
  ],
});

/** Starting points come first. From the first word that may begin an expression, words belong to the expression. */
const readFind: Refine = ({ operands }, context) => {
  const { starts, at } = startingPoints(operands);
  const reader: Reader = {
    words: operands,
    at,
    starts,
    context,
    reads: starts.map((word) => context.path(word, 'read', 'tree')),
    writes: [],
    opaque: [],
    commands: [],
    isElsewhere: false,
    deletes: false,
    name: undefined,
  };
  for (const start of starts) noteStart(reader, start);
  while (reader.at < operands.length) readWord(reader);
  const { reads, writes, opaque, commands, isElsewhere } = reader;
  return { reads, writes, opaque, commands, ...(isElsewhere ? { directory: 'unknown' as const } : {}) };
};

const named = (takes: Takes, names: string): readonly (readonly [string, Takes])[] =>
  names.split(' ').map((name) => [`-${name}`, takes] as const);

export const findWords: ReadonlyMap<string, Takes> = new Map([
  ...named(
    'nothing',
    'a and o or not daystart depth d follow help ignore_readdir_race noignore_readdir_race mount xdev noleaf nowarn warn version true false empty',
  ),
  ...named('nothing', 'executable readable writable nogroup nouser ls print print0 prune quit'),
  ...named(
    'text',
    'maxdepth mindepth regextype amin atime cmin ctime mmin mtime fstype gid group ilname iname inum ipath iregex iwholename links lname name path perm regex size type uid used user wholename xtype context printf',
  ),
  ...named('read', 'anewer cnewer newer samefile'),
  ...named('write', 'fls fprint fprint0'),
  ...named('write-format', 'fprintf'),
  ...named('command', 'exec ok'),
  ...named('command-there', 'execdir okdir'),
  ...named('delete', 'delete'),
  ...named('lists', 'files0-from'),
]);

const find: ToolSpec = tool('find', { grammar: 'words', operands: each('text'), refine: readFind });

export const findutilsTools: readonly ToolSpec[] = [find, fd, locate, tree];

interface Reader {
  readonly words: readonly Word[];
  at: number;
  readonly starts: readonly Word[];
  readonly context: RefineContext;
  readonly reads: PathEffect[];
  readonly writes: PathEffect[];
  readonly opaque: Opacity[];
  readonly commands: (readonly Word[])[];
  isElsewhere: boolean;
  deletes: boolean;
  /** The pattern of `-name`, once it is read. Undefined where the expression has alternatives. */
  name: string | undefined;
}

/** Before the starting points come `-H -L -P`, `-D x` and `-Olevel`. */
function startingPoints(words: readonly Word[]): { readonly starts: readonly Word[]; readonly at: number } {
  let at = 0;
  while (/^-(?:[HLP]|O\d|D)$/u.test(plainText(words[at]) ?? '')) at += plainText(words[at]) === '-D' ? 2 : 1;
  const first = at;
  while (at < words.length && !beginsExpression(words[at] as Word)) at++;
  return { starts: at === first ? [staticWord('.')] : words.slice(first, at), at };
}

function beginsExpression(word: Word): boolean {
  return /^(?:-.|[()!,])/su.test(plainText(word) ?? '');
}

/** An expansion may become any part of an expression, `-delete` as well as a starting point. */
function noteStart(reader: Reader, word: Word): void {
  if (mayBeOption(word)) unknown(reader, word, 'may become a part of the expression');
  else if (reader.context.path(word, 'read', 'tree').path === undefined)
    reader.opaque.push({
      kind: 'dynamic-word',
      message: `\`${wordAsTyped(word)}\` of \`find\` is no place that is known`,
      span: word.span,
      // The rest of the expression tells the effect of `find` there.
      atMost: 'reads',
    });
}

function unknown(reader: Reader, word: Word, says: string): void {
  reader.opaque.push({
    kind: word.kind === 'static' ? 'unknown-option' : 'dynamic-word',
    message: `\`${wordAsTyped(word)}\` of \`find\` ${says}`,
    span: word.span,
  });
}

function readWord(reader: Reader): void {
  const word = reader.words[reader.at++] as Word;
  const text = plainText(word);
  if (text !== undefined && /^[()!,]$/u.test(text)) return;
  const takes = text === undefined ? undefined : takesOf(text);
  if (takes === undefined) unknown(reader, word, 'is no part of an expression that is known');
  else take(reader, word, takes);
}

function take(reader: Reader, word: Word, takes: Takes): void {
  switch (takes) {
    case 'nothing':
      return;
    case 'delete':
      for (const start of reader.deletes ? [] : startsNamed(reader))
        reader.writes.push(reader.context.path(start, 'delete', 'tree'));
      reader.deletes = true;
      return;
    case 'command':
    case 'command-there':
      return takeCommand(reader, word, takes);
    case 'lists':
      reader.opaque.push({
        kind: 'dynamic-word',
        message: `\`${wordAsTyped(word)}\` of \`find\` starts where a file says`,
        span: word.span,
      });
      takeValue(reader, word, 'read');
      return;
    case 'write-format':
      takeValue(reader, word, 'write');
      takeValue(reader, word, 'text');
      return;
    case 'text':
    case 'read':
    case 'write':
      reader.name ??= nameOfAll(reader.words, reader.at - 1);
      takeValue(reader, word, takes);
  }
}

function takeValue(reader: Reader, word: Word, use: 'text' | 'read' | 'write'): void {
  const value = reader.words[reader.at++];
  if (value === undefined) return unknown(reader, word, 'has no value');
  if (mayBeSeveral(value) && !isNoExpression(value)) unknown(reader, value, 'may become a part of the expression');
  if (use === 'text') return;
  const effect = reader.context.path(value, use, 'file');
  (use === 'read' ? reader.reads : reader.writes).push(effect);
  if (effect.path === undefined && !mayBeSeveral(value)) unknown(reader, value, 'is no file that is known');
}

/** The command ends with `;`, or with `+` after `{}`. */
function takeCommand(reader: Reader, word: Word, takes: 'command' | 'command-there'): void {
  const rest = reader.words.slice(reader.at);
  const end = rest.findIndex(
    (each, place) => plainText(each) === ';' || (plainText(each) === '+' && plainText(rest[place - 1]) === '{}'),
  );
  reader.at += (end === -1 ? rest.length : end) + 1;
  const command = end === -1 ? rest : rest.slice(0, end);
  if (end === -1 || command.length === 0) return unknown(reader, word, 'has no command that ends');
  const isThere = takes === 'command-there';
  reader.isElsewhere ||= isThere;
  const starts = isThere ? [staticWord('.', word.span)] : startsNamed(reader);
  reader.commands.push(withFoundFiles(command, { placeholders: /\{\}/u, starts }));
}

/** The operands of each word of find's expression, by its name without the dash. Unlisted words are not understood. */
type Takes =
  | 'nothing'
  | 'text'
  | 'read' // a file whose times or number it checks
  | 'write'
  | 'write-format' // a file, then a format
  | 'command'
  | 'command-there' // a command in the directory of each file
  | 'delete'
  | 'lists'; // a file that lists starting points

/** `-newerXY`: with a `t` at the end its value is a time, otherwise a file. */
function takesOf(word: string): Takes | undefined {
  const compared = /^-newer[aBcm]([aBcmt])$/u.exec(word);
  if (compared !== null) return compared[1] === 't' ? 'text' : 'read';
  return findWords.get(word);
}
