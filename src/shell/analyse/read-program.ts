import { absoluteIn, isOfProject, type PathBase } from '../tools/paths.ts';
import { toolFor } from '../tools/tool-for.ts';
import type { ToolSpec } from '../tools/types.ts';
import { wordAsTyped } from '../tools/words.ts';
import type { Word } from '../types.ts';
import { both, builtinReaders, noEffects, type BuiltinReader, readSpecified, reason, runsCode } from './builtins.ts';
import { anywhere, type FoundCommand, type CommandReading, stays } from './command.ts';

/** Returns the effects of a command's program and its words. Ignores the shell's work around it. */
export function readProgram(command: FoundCommand, place: PathBase): CommandReading {
  const [word] = command.parsed.argv;
  const program = programOfWord(word, place);
  if (word === undefined || program.kind === 'none') return silent;
  switch (program.kind) {
    case 'dynamic':
      // The program could be `cd`.
      return {
        ...silent,
        effects: reason('dynamic-program', `the program \`${wordAsTyped(word)}\` is not known before it runs`, word),
        moves: anywhere,
      };
    case 'file':
      return readFile(program, word);
    case 'named':
      return readNamed(program, { command, word, place });
  }
}

const silent: CommandReading = { tool: undefined, effects: noEffects, children: [], moves: stays };

function readFile({ path, within }: Extract<Program, { kind: 'file' }>, word: Word): CommandReading {
  const what = path ?? wordAsTyped(word);
  const kind = within === 'project' ? 'repository-code' : 'program';
  const why =
    within === 'project'
      ? reason('repository-code', `\`${wordAsTyped(word)}\` is a file of the project`, word)
      : reason('unknown-tool', `\`${wordAsTyped(word)}\` is not a program of the system`, word);
  return { ...silent, effects: both(runsCode({ what, kind }), why) };
}

function readNamed(
  { name, spec }: Extract<Program, { kind: 'named' }>,
  around: Pick<BuiltinReader, 'command' | 'word' | 'place'>,
): CommandReading {
  const { command } = around;
  const reader: BuiltinReader = { ...around, name, spec };
  if (command.calls === 'program') return readTool(reader);
  // The function's body is analysed where it is defined.
  const body: CommandReading = { ...silent, moves: command.scope.wanders ? anywhere : stays };
  if (command.calls === 'function' && spec === undefined && !builtinReaders.has(name)) return body;
  // If the function is not defined yet, or never, the program with that name runs.
  const tool = readTool(reader);
  return { ...tool, tool: undefined, moves: tool.moves.kind === 'stays' ? body.moves : anywhere };
}

function readTool(reader: BuiltinReader): CommandReading {
  const { name, spec, word } = reader;
  const read = builtinReaders.get(name);
  if (read !== undefined) return read(reader);
  if (spec === undefined)
    return { ...silent, effects: reason('unknown-tool', `nothing is known of the program \`${name}\``, word) };
  return readSpecified(spec, reader);
}

/** The program of a command's first word. */
type Program =
  | { readonly kind: 'none' }
  /** `name` is bare. `spec` is set for a known program. */
  | { readonly kind: 'named'; readonly name: string; readonly spec: ToolSpec | undefined }
  /** A file that is not one of the system's programs: the project's own, or another user's. */
  | { readonly kind: 'file'; readonly path: string | undefined; readonly within: 'project' | 'elsewhere' }
  | { readonly kind: 'dynamic' };

export function programOfWord(word: Word | undefined, place: PathBase): Program {
  if (word === undefined) return { kind: 'none' };
  if (word.kind !== 'static') return { kind: 'dynamic' };
  if (word.lead === 'home')
    return { kind: 'file', path: absoluteIn(place.home + word.value, place), within: 'elsewhere' };
  if (!word.value.includes('/')) return { kind: 'named', name: word.value, spec: toolFor(word.value) };
  return fileAt(word.value, place);
}

/**
 * A system program does the work of its name. Only a plain path counts: `/proc/self/root/bin/sh` and `/bin/../tmp/ls`
 * lead elsewhere.
 */
function fileAt(path: string, place: PathBase): Program {
  const [, directory = '', name = ''] = /^(.*)\/([^/]*)$/su.exec(path.replace(/\/{2,}/gu, '/')) ?? [];
  const isLoader = /^ld(?:64|-linux[\w.-]*|-musl-\w+)?\.so(?:\.\d+)*$/u.test(name);
  if (systemDirectory.test(directory) || (isLoader && libraryDirectory.test(directory)))
    return { kind: 'named', name, spec: toolFor(isLoader ? 'ld.so' : name) };
  const found = absoluteIn(path, place);
  return { kind: 'file', path: found, within: isOfProject(found, place) ? 'project' : 'elsewhere' };
}

const systemDirectory =
  /^(?:(?:\/usr(?:\/local)?)?\/s?bin|\/usr\/games|\/opt\/homebrew\/s?bin|\/nix\/store\/[\w.+-]+\/bin|\/run\/current-system\/sw\/bin)$/u;
const libraryDirectory = /^(?:\/usr)?\/lib(?:64|32|x32)?(?:\/[\w]+-linux-[\w]+)?$/u;
