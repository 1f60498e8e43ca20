import { bounded } from '../class/at-most.ts';
import { codeOfFile } from '../tools/apply-role.ts';
import { effectsOf } from '../tools/effects-of.ts';
import { isOfProject, pathEffect, type PathBase } from '../tools/paths.ts';
import type { ToolSpec } from '../tools/types.ts';
import { asksForHelp, asksForVersion } from '../tools/version-question.ts';
import { isInput, mayBeSeveral, wordAsTyped, plainText } from '../tools/words.ts';
import { joinedText } from '../tools/wrappers/texts-of-words.ts';
import type { Effects, HostEffect, Opacity, PathEffect, RunEffect, Word } from '../types.ts';
import { anywhere, type Child, type FoundCommand, type Language, type CommandReading, stays } from './command.ts';
import { moveOf, textMayMove } from './directory.ts';
import { readShellArguments, type ShellArguments } from './shell-arguments.ts';

export const noEffects: Effects = { reads: [], writes: [], runs: [], hosts: [], opaque: [] };

export const readsPath = (path: PathEffect): Effects => ({ ...noEffects, reads: [path] });
export const writesPath = (path: PathEffect): Effects => ({ ...noEffects, writes: [path] });
export const reachesHost = (host: HostEffect): Effects => ({ ...noEffects, hosts: [host] });
export const runsCode = (run: RunEffect): Effects => ({ ...noEffects, runs: [run] });

const silent = { tool: undefined, effects: noEffects, children: [], moves: stays } as const satisfies CommandReading;

/** Commands that no table can describe: they run in the shell itself, or read their program from their input. */
export const builtinReaders: ReadonlyMap<string, (reader: BuiltinReader) => CommandReading> = new Map([
  ...['sh', 'dash', 'ash'].map((name) => [name, (reader: BuiltinReader) => readShell(reader, 'posix')] as const),
  ...['bash', 'rbash'].map((name) => [name, (reader: BuiltinReader) => readShell(reader, 'bash')] as const),
  ...['zsh', 'ksh', 'mksh', 'csh', 'tcsh', 'fish', 'nu', 'elvish', 'xonsh'].map((name) => [name, readForeign] as const),
  ...['pwsh', 'powershell'].map((name) => [name, readPowerShell] as const),
  ...['cd', 'pushd', 'popd'].map((name) => [name, readMove] as const),
  ...['command', 'builtin'].map((name) => [name, readInShell] as const),
  ['trap', readTrap],
  ['eval', readEval],
  ['source', readSource],
  ['.', readSource],
]);

/** The table gives the effects. The child is part of the shell, so that `command cd` moves it. */
function readInShell(reader: BuiltinReader): CommandReading {
  if (reader.spec === undefined)
    return {
      ...silent,
      effects: reason('unknown-tool', `nothing is known of the program \`${reader.name}\``, reader.word),
    };
  const found = readSpecified(reader.spec, reader);
  return { ...found, children: found.children.map((child) => ({ ...child, shell: 'same' })) };
}

/** Keeps the table's reasons about `cd`. Without any, the builtin only changes the directory. */
function readMove(reader: BuiltinReader): CommandReading {
  const { command, name, spec, place } = reader;
  const found = spec === undefined ? { ...silent, tool: name } : readSpecified(spec, reader);
  return { ...found, moves: moveOf(name, command.parsed.argv.slice(1), place) };
}

/** Bash drops a first `--`. A smaller shell runs a program of that name. */
function readEval({ command, word, name }: BuiltinReader): CommandReading {
  const all = command.parsed.argv.slice(1);
  const words = plainText(all[0]) === '--' ? all.slice(1) : all;
  if (words.length === 0) return { ...silent, tool: name };
  const text = joinedText(words);
  if (text === undefined)
    return {
      ...silent,
      tool: name,
      effects: reason('inline-code', `\`${name}\` runs a text that is not static`, word),
      moves: anywhere,
    };
  const effects =
    words.length < all.length && command.scope.language === 'posix'
      ? reason('shell', `\`${name} --\` runs a program called \`--\` in some shells called sh`, word)
      : noEffects;
  return {
    ...silent,
    tool: name,
    effects,
    children: [{ kind: 'script', shell: 'same', directory: command.cwd, text, language: command.scope.language }],
  };
}

/** `trap TEXT SIGNAL…`: the text may run at any time, so its directory is unknown. */
function readTrap({ command, word, name }: BuiltinReader): CommandReading {
  const words = command.parsed.argv.slice(1);
  const operands = plainText(words[0]) === '--' ? words.slice(1) : words;
  const [text] = operands;
  const value = plainText(text);
  // `trap $x` is `trap ./a EXIT` if x holds both.
  const mayBeBoth = operands.length === 1 && text !== undefined && mayBeSeveral(text);
  if (text === undefined || (operands.length < 2 && !mayBeBoth) || value === '' || /^(?:-.?|\d+)$/u.test(value ?? '$'))
    return { ...silent, tool: name };
  if (value === undefined)
    return {
      ...silent,
      tool: name,
      effects: reason('inline-code', `\`${name}\` runs a text that is not static`, word),
      moves: anywhere,
    };
  return {
    ...silent,
    tool: name,
    children: [{ kind: 'script', shell: 'own', directory: 'unknown', text, language: command.scope.language }],
    moves: textMayMove(value) ? anywhere : stays,
  };
}

/** A file without a slash is looked up in `PATH` first, so it is unknown which file that is. */
function readSource({ command, word, name, place }: BuiltinReader): CommandReading {
  const [first, ...others] = command.parsed.argv.slice(1);
  const file = plainText(first) === '--' ? others[0] : first;
  if (file === undefined)
    return { ...silent, tool: name, effects: reason('unknown-option', `\`${name}\` needs a file`, word) };
  return { ...silent, tool: name, effects: runsFile(file, name, place), moves: anywhere };
}

function runsFile(file: Word, name: string, place: PathBase): CommandReading['effects'] {
  if (file.kind !== 'static')
    return reason('inline-code', `which file \`${name}\` runs is not known before it runs`, file);
  if (isInput(plainText(file))) return reason('stdin-code', `\`${name}\` runs its input`, file);
  if (plainText(file) === '/dev/null') return noEffects;
  const effect = pathEffect(file, place, { use: 'read', scope: 'file' });
  const unclear =
    effect.path === undefined
      ? reason('dynamic-word', `\`${wordAsTyped(file)}\` is relative to a directory that is not known`, file)
      : noEffects;
  const code = codeOfFile(effect.path, place);
  return both(
    both(readsPath(effect), unclear),
    both(
      runsCode({ what: effect.path ?? wordAsTyped(file), kind: code.runs }),
      reason(code.reason, `\`${name}\` runs the file \`${wordAsTyped(file)}\`${code.doubt}`, file),
    ),
  );
}

/**
 * A login shell reads files that the user keeps at home, as every terminal does, so they count as reading. An
 * interactive shell also takes aliases from them. A home inside the project belongs to the project.
 */
function startupOf(profile: ShellArguments['profile'], { name, word, place }: BuiltinReader): readonly Effects[] {
  if (profile === 'not-read') return [];
  const message = `\`${name}\` reads the start-up files of the home directory`;
  if (profile === 'login' && !isOfProject(place.home, place))
    return [reason('repository-code', message, { span: word.span, atMost: 'reads' })];
  const runs = runsCode({ what: 'the start-up files of the shell', kind: 'repository-code' });
  return [both(runs, reason('repository-code', message, word))];
}

function readShell(reader: BuiltinReader, language: Language): CommandReading {
  const { command, name, place } = reader;
  const { source, startup, profile, opaque } = readShellArguments(command.parsed.argv.slice(1));
  const before = [
    { ...noEffects, opaque },
    ...startup.map((file) => runsFile(file, name, place)),
    ...startupOf(profile, reader),
  ].reduce(both, noEffects);
  if (opaque.length > 0) return { ...silent, tool: name, effects: before };
  const { effects, children } = readSourceOfShell(source, { reader, language });
  return { tool: name, effects: both(before, effects), children, moves: stays };
}

type Found = Pick<CommandReading, 'effects' | 'children'>;

function readSourceOfShell(
  source: ReturnType<typeof readShellArguments>['source'],
  { reader, language }: { readonly reader: BuiltinReader; readonly language: Language },
): Found {
  const { command, name, place } = reader;
  switch (source.kind) {
    case 'nothing':
      return silent;
    case 'text':
      return { effects: noEffects, children: [scriptOf(source.word, command, language)] };
    case 'file':
      return { effects: runsFile(source.word, name, place), children: [] };
    case 'stdin':
      return fromInput(reader, language);
  }
}

function fromInput({ command, word, name, place }: BuiltinReader, language: Language): Found {
  const { stdin } = command.parsed;
  switch (stdin.kind) {
    case 'file':
      return { effects: runsFile(stdin.path, name, place), children: [] };
    case 'text':
      if (stdin.text === undefined)
        return { effects: reason('inline-code', `the text that \`${name}\` reads is not static`, word), children: [] };
      return {
        effects: noEffects,
        children: [scriptOf({ kind: 'static', value: stdin.text, span: command.parsed.span }, command, language)],
      };
    case 'inherited':
    case 'pipe':
      return { effects: reason('stdin-code', `\`${name}\` runs its input`, word), children: [] };
  }
}

function scriptOf(text: Word, command: FoundCommand, language: Language): Child {
  return { kind: 'script', shell: 'own', directory: command.cwd, text, language };
}

/** Shells of other languages. Their texts are not parsed (CVE-2026-24053: zsh runs text that bash would only write). */
function readForeign({ command, word, name }: BuiltinReader): CommandReading {
  const words = command.parsed.argv.slice(1).map(plainText);
  if (words.length === 1 && (words[0] === '--version' || words[0] === '--help')) return { ...silent, tool: name };
  return { ...silent, tool: name, effects: reason('shell', `the language of \`${name}\` is not read`, word) };
}

/** `-Command` takes all following words as one text. Any other option, and any unknown word, is not analysed. */
function readPowerShell(reader: BuiltinReader): CommandReading {
  const { command, word, name } = reader;
  const words = command.parsed.argv.slice(1);
  const at = words.findIndex((option) => /^-c(?:ommand)?$/iu.test(plainText(option) ?? ''));
  const text = joinedText(words.slice(at + 1));
  const before = words.slice(0, Math.max(at, 0)).map((option) => (plainText(option) ?? '').toLowerCase());
  const isPlain =
    at >= 0 &&
    text !== undefined &&
    text.value !== '' &&
    text.value !== '-' &&
    before.every((option) => ['-nologo', '-noprofile', '-noninteractive'].includes(option));
  if (!isPlain) return readForeign(reader);
  const profile = before.includes('-noprofile')
    ? noEffects
    : reason('repository-code', `\`${name}\` reads the profile of the home directory`, word);
  return { ...silent, tool: name, effects: profile, children: [scriptOf(text, command, 'powershell')] };
}

/** A command with a known program. */
export interface BuiltinReader {
  readonly command: FoundCommand;
  /** The command's first word. */
  readonly word: Word;
  /** Bare name. */
  readonly name: string;
  readonly spec: ToolSpec | undefined;
  readonly place: PathBase;
}

/**
 * Reads a program with a specification. If one of its options is not understood, it is unknown which word is the
 * command.
 */
export function readSpecified(
  spec: ToolSpec,
  { command, word, name, place }: Omit<BuiltinReader, 'spec'>,
): CommandReading {
  const words = command.parsed.argv.slice(1);
  if (asksForVersion(name, words) || asksForHelp(spec, name, words)) return { ...silent, tool: spec.names[0] };
  const found = effectsOf(spec, words, { ...place, span: word.span });
  const isUnclear = found.effects.opaque.some(({ kind }) => kind === 'unknown-option');
  const where = { shell: 'own', directory: found.directory } as const;
  const children: readonly Child[] = [
    ...found.commands
      .filter((argv) => argv.length > 0)
      .map((argv) => ({ ...where, kind: 'command', argv, assignments: found.assignments }) as const),
    ...found.scripts.map((text) => ({ ...where, kind: 'script', text, language: 'posix' }) as const),
  ];
  const opaque = found.effects.opaque.map((each) => bounded(found.tool, each));
  return { tool: found.tool, effects: { ...found.effects, opaque }, children: isUnclear ? [] : children, moves: stays };
}

/** Returns both effects together. */
export function both(one: Effects, other: Effects): Effects {
  if (one === noEffects) return other;
  if (other === noEffects) return one;
  return {
    reads: joined(one.reads, other.reads),
    writes: joined(one.writes, other.writes),
    runs: joined(one.runs, other.runs),
    hosts: joined(one.hosts, other.hosts),
    opaque: joined(one.opaque, other.opaque),
  };
}

/** Merges all effects at once. Pairwise merging would copy thousands of redirects thousands of times. */
export function mergedEffects(all: readonly Effects[]): Effects {
  const some = all.filter((effects) => effects !== noEffects);
  if (some.length < 3) return some.reduce(both, noEffects);
  return {
    reads: some.flatMap(({ reads }) => reads),
    writes: some.flatMap(({ writes }) => writes),
    runs: some.flatMap(({ runs }) => runs),
    hosts: some.flatMap(({ hosts }) => hosts),
    opaque: some.flatMap(({ opaque }) => opaque),
  };
}

function joined<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return one.length === 0 ? other : other.length === 0 ? one : [...one, ...other];
}

/** Returns one reason at the position of `word`. */
export function reason(
  kind: Opacity['kind'],
  message: string,
  { span, atMost }: Pick<Opacity, 'span' | 'atMost'>,
): Effects {
  return { ...noEffects, opaque: [{ kind, message, span, ...(atMost === undefined ? {} : { atMost }) }] };
}
