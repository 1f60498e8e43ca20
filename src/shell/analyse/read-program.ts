import type { Place } from '../tools/paths.ts';
import { shown } from '../tools/words.ts';
import type { Word } from '../types.ts';
import { builtinReaders } from './builtins.ts';
import { anywhere, type Command, type Reading, stays } from './command.ts';
import { both, noEffects, reason, runsCode } from './effects.ts';
import { type Program, programOf } from './program.ts';
import { type Reader, readSpecified } from './read-specified.ts';

/** What the program of a command does with its words; not what the shell does around it. */
export function readProgram(command: Command, place: Place): Reading {
  const [word] = command.parsed.argv;
  const program = programOf(word, place);
  if (word === undefined || program.kind === 'none') return silent;
  switch (program.kind) {
    case 'dynamic':
      // Nobody knows that it is not `cd`.
      return { ...silent, effects: reason('dynamic-program', `the program \`${shown(word)}\` is not known before it runs`, word), moves: anywhere };
    case 'file':
      return readFile(program, word);
    case 'named':
      return readNamed(program, { command, word, place });
  }
}

const silent: Reading = { tool: undefined, effects: noEffects, children: [], moves: stays };

function readFile({ path, within }: Extract<Program, { kind: 'file' }>, word: Word): Reading {
  const what = path ?? shown(word);
  const kind = within === 'project' ? 'repository-code' : 'program';
  const why = within === 'project' ? reason('repository-code', `\`${shown(word)}\` is a file of the project`, word) : reason('unknown-tool', `\`${shown(word)}\` is no program of the system`, word);
  return { ...silent, effects: both(runsCode({ what, kind }), why) };
}

function readNamed({ name, spec }: Extract<Program, { kind: 'named' }>, around: Pick<Reader, 'command' | 'word' | 'place'>): Reading {
  const { command } = around;
  const reader: Reader = { ...around, name, spec };
  if (command.calls === 'program') return readTool(reader);
  // The function's body is read where it stands.
  const body: Reading = { ...silent, moves: command.scope.wanders ? anywhere : stays };
  if (command.calls === 'function' && spec === undefined && !builtinReaders.has(name)) return body;
  // It may not be defined yet, or not at all: then the program of that name runs.
  const tool = readTool(reader);
  return { ...tool, tool: undefined, moves: tool.moves.kind === 'stays' ? body.moves : anywhere };
}

function readTool(reader: Reader): Reading {
  const { name, spec, word } = reader;
  const read = builtinReaders.get(name);
  if (read !== undefined) return read(reader);
  if (spec === undefined) return { ...silent, effects: reason('unknown-tool', `nothing is known of the program \`${name}\``, word) };
  return readSpecified(spec, reader);
}
