import type { Opacity, PathEffect, Word } from '../../types.ts';
import { each, tool } from '../notation.ts';
import type { Refine, RefineContext, ToolSpec } from '../types.ts';
import { mayBeOption, mayBeSeveral, shown, staticWord, textOf } from '../words.ts';
import { type Takes, takesOf } from './find-words.ts';
import { withFoundFiles } from './found-files.ts';

/** Starting points come first; from the first word that may begin an expression on, words belong to it. */
const readFind: Refine = ({ operands }, context) => {
  const { starts, at } = startingPoints(operands);
  const reader: Reader = { words: operands, at, starts, context, reads: starts.map((word) => context.path(word, 'read', 'tree')), writes: [], opaque: [], commands: [], isElsewhere: false, deletes: false };
  for (const start of starts) noteStart(reader, start);
  while (reader.at < operands.length) readWord(reader);
  const { reads, writes, opaque, commands, isElsewhere } = reader;
  return { reads, writes, opaque, commands, ...(isElsewhere ? { directory: 'unknown' as const } : {}) };
};

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
}

/** Before the starting points stand `-H -L -P`, `-D x` and `-Olevel`. */
function startingPoints(words: readonly Word[]): { readonly starts: readonly Word[]; readonly at: number } {
  let at = 0;
  while (/^-(?:[HLP]|O\d|D)$/u.test(textOf(words[at]) ?? '')) at += textOf(words[at]) === '-D' ? 2 : 1;
  const first = at;
  while (at < words.length && !beginsExpression(words[at] as Word)) at++;
  return { starts: at === first ? [staticWord('.')] : words.slice(first, at), at };
}

function beginsExpression(word: Word): boolean {
  return /^(?:-.|[()!,])/su.test(textOf(word) ?? '');
}

/** An expansion may become any part of an expression: `-delete` as well as a place to start. */
function noteStart(reader: Reader, word: Word): void {
  if (mayBeOption(word)) unknown(reader, word, 'may become a part of the expression');
  else if (reader.context.path(word, 'read', 'tree').path === undefined) unknown(reader, word, 'is no place that is known');
}

function unknown(reader: Reader, word: Word, says: string): void {
  reader.opaque.push({ kind: word.kind === 'static' ? 'unknown-option' : 'dynamic-word', message: `\`${shown(word)}\` of \`find\` ${says}`, span: word.span });
}

function readWord(reader: Reader): void {
  const word = reader.words[reader.at++] as Word;
  const text = textOf(word);
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
      for (const start of reader.deletes ? [] : reader.starts) reader.writes.push(reader.context.path(start, 'delete', 'tree'));
      reader.deletes = true;
      return;
    case 'command':
    case 'command-there':
      return takeCommand(reader, word, takes);
    case 'lists':
      reader.opaque.push({ kind: 'dynamic-word', message: `\`${shown(word)}\` of \`find\` starts where a file says`, span: word.span });
      takeValue(reader, word, 'read');
      return;
    case 'write-format':
      takeValue(reader, word, 'write');
      takeValue(reader, word, 'text');
      return;
    case 'text':
    case 'read':
    case 'write':
      takeValue(reader, word, takes);
  }
}

function takeValue(reader: Reader, word: Word, use: 'text' | 'read' | 'write'): void {
  const value = reader.words[reader.at++];
  if (value === undefined) return unknown(reader, word, 'has no value');
  if (mayBeSeveral(value)) unknown(reader, value, 'may become a part of the expression');
  if (use === 'text') return;
  const effect = reader.context.path(value, use, 'file');
  (use === 'read' ? reader.reads : reader.writes).push(effect);
  if (effect.path === undefined && !mayBeSeveral(value)) unknown(reader, value, 'is no file that is known');
}

/** The command ends with `;`, or with `+` after `{}`. */
function takeCommand(reader: Reader, word: Word, takes: 'command' | 'command-there'): void {
  const rest = reader.words.slice(reader.at);
  const end = rest.findIndex((each, place) => textOf(each) === ';' || (textOf(each) === '+' && textOf(rest[place - 1]) === '{}'));
  reader.at += (end === -1 ? rest.length : end) + 1;
  const command = end === -1 ? rest : rest.slice(0, end);
  if (end === -1 || command.length === 0) return unknown(reader, word, 'has no command that ends');
  const isThere = takes === 'command-there';
  reader.isElsewhere ||= isThere;
  const starts = isThere ? [staticWord('.', word.span)] : reader.starts;
  reader.commands.push(withFoundFiles(command, { placeholders: /\{\}/u, starts }));
}

export const find: ToolSpec = tool('find', { grammar: 'words', operands: each('text'), refine: readFind });
