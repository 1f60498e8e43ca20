import type { Meter, ParsedCommand, Script } from '../parse/meter.ts';
import { parseScript } from '../parse/parse-script.ts';
import { append } from '../tools/findings.ts';
import { plainText } from '../tools/words.ts';
import type { Opacity, TimeSpan, Stdin, Word } from '../types.ts';
import type { Child, FoundCommand, Language, CommandReading, TextScope, Shell, Shells } from './command.ts';
import { mayMove, newShell, shellOf } from './directory.ts';
import { type AnalyseOptions, type StandardInput, doubtsOf, languageOf, notTold } from './languages.ts';

/** Shared state of one analysis. */
export interface AnalysisContext {
  readonly meter: Meter;
  readonly opaque: Opacity[];
  readonly root: Shell;
  readonly powershell: NonNullable<AnalyseOptions['powershell']>;
}

/** Returns the commands of the input, in the order of its text. */
export function open(input: StandardInput, opening: AnalysisContext): readonly FoundCommand[] {
  const place = { opening, shell: opening.root, depth: 0 };
  switch (input.kind) {
    case 'argv':
      return openWords(input.argv, { ...place, scope: noScope });
    case 'parsed':
      append(opening.opaque, input.script.opaque);
      return commandsOf(input.script, { ...place, scope: scopeOf(input.script, 'powershell') });
    case 'script': {
      const language = languageOf(input.shell);
      if (language !== undefined) return openText(input.text, { ...place, language });
      opening.opaque.push({
        kind: 'shell',
        message: `the language of ${input.shell === 'unknown' ? 'the shell' : input.shell} is not read`,
        span: { start: 0, end: input.text.length },
      });
      return [];
    }
  }
}

/** Returns the commands that a command runs. */
export function childrenOf(
  command: FoundCommand,
  { children }: CommandReading,
  opening: AnalysisContext,
): readonly FoundCommand[] {
  if (children.length === 0) return [];
  const depth = command.depth + 1;
  if (!opening.meter.script(depth)) {
    opening.opaque.push({
      kind: 'budget',
      message: 'commands within commands are nested too deep',
      span: command.parsed.span,
    });
    return [];
  }
  return children.flatMap((child) => openChild(child, { command, depth, opening }));
}

/** Number of words that cost as much as one step. */
const wordsOfStep = 4;

interface Around {
  readonly command: FoundCommand;
  readonly depth: number;
  readonly opening: AnalysisContext;
}

function openChild(child: Child, { command, depth, opening }: Around): readonly FoundCommand[] {
  // Each wrapper passes on all words but its own, so nested wrappers cost the square of their number.
  if (child.kind === 'command') opening.meter.spend(child.argv.length / wordsOfStep);
  const shell = child.shell === 'same' ? (shellOf(command) ?? newShell('unknown')) : newShell(child.directory);
  const place = { opening, shell, depth, parent: command };
  if (child.kind === 'command')
    return [
      commandOf(child.argv, {
        ...place,
        scope: { ...noScope, language: command.scope.language },
        assignments: child.assignments,
      }),
    ];
  const around = child.shell === 'same' ? { around: command.scope } : {};
  return openText(plainText(child.text) ?? '', {
    ...place,
    ...around,
    language: child.language,
    span: child.text.span,
  });
}

/** Most words of one command that are analysed. */
const mostWords = 16_384;

function openWords(argv: readonly string[], place: CommandPlace): readonly FoundCommand[] {
  const words = argvWords(argv.slice(0, mostWords));
  if (words.length === 0) return [];
  const command = commandOf(words, place);
  if (argv.length > mostWords)
    place.opening.opaque.push({
      kind: 'budget',
      message: `only ${mostWords} words of a command are analysed`,
      span: command.parsed.span,
    });
  return [command];
}

/** Words of a command that no shell has parsed. Their positions are those in the words joined by blanks. */
function argvWords(argv: readonly string[]): readonly Word[] {
  let end = -1;
  return argv.map((value) => {
    const start = end + 1;
    end = start + value.length;
    return { kind: 'static', value, span: { start, end } };
  });
}

interface Place {
  readonly opening: AnalysisContext;
  /** The shell that runs the commands. */
  readonly shell: Shell;
  readonly depth: number;
  /** The command that runs them. */
  readonly parent?: FoundCommand;
}

interface CommandPlace extends Place {
  readonly scope: TextScope;
  readonly assignments?: Child extends { readonly assignments: infer Assignments }
    ? Assignments
    : ParsedCommand['assignments'];
}

/** A command that another one runs. It gets that command's input, and runs when that one does. */
function commandOf(
  argv: readonly Word[],
  { shell, depth, parent, scope, assignments = [] }: CommandPlace,
): FoundCommand {
  const span = { start: argv[0]?.span.start ?? 0, end: argv.at(-1)?.span.end ?? 0 };
  const around = parent?.parsed;
  const parsed: FoundCommand['parsed'] = {
    relation: parent === undefined ? 'script' : 'wrapped',
    argv,
    assignments,
    redirects: [],
    stdin: around?.stdin.kind === 'pipe' ? { kind: 'pipe', from: undefined } : (around?.stdin ?? inherited),
    runs: around?.runs ?? 'always',
    span,
    shell: 0,
    // A builtin that changes the shell's directory does so under the conditions of the command that runs it.
    after: around?.after ?? 'any',
    place: around?.place ?? 'list',
  };
  return {
    parsed,
    parent,
    from: parent?.from,
    scope,
    calls: 'program',
    shells: { entered: new Map([[0, shell]]), copies: [undefined] },
    depth,
    id: -1,
    cwd: 'unknown',
  };
}

const inherited: Stdin = { kind: 'inherited' };
/** For words that no shell has parsed. The shell that parses their text later is unknown. */
const noScope: TextScope = { defined: new Set(), wanders: false, language: 'posix' };

interface TextPlace extends Place {
  readonly language: Language;
  /** Position of a nested script. */
  readonly span?: TimeSpan;
  /** The text whose functions `eval` knows, and whose conditions apply to the commands of `eval`. */
  readonly around?: TextScope;
}

function openText(text: string, place: TextPlace): readonly FoundCommand[] {
  const { opening, depth, language, span, around } = place;
  const script =
    language === 'powershell'
      ? (opening.powershell(text) ?? notTold(text))
      : parseScript(text, { meter: opening.meter, depth, language });
  const whole = span ?? { start: 0, end: text.length };
  append(opening.opaque, span === undefined ? script.opaque : script.opaque.map((reason) => ({ ...reason, span })));
  if (language !== 'powershell') opening.opaque.push(...doubtsOf(text).map((reason) => ({ ...reason, span: whole })));
  return commandsOf(script, { ...place, scope: scopeOf(script, language, around), text });
}

function scopeOf({ defined, invocations }: Script, language: Language, around?: TextScope): TextScope {
  return {
    language,
    defined: around === undefined ? defined : new Set([...defined, ...around.defined]),
    // A function runs where it is called, not where it is defined.
    wanders:
      around?.wanders === true ||
      invocations.some(({ place, argv }) => (place === 'branch' || defined.size > 0) && mayMove(argv)),
  };
}

interface ScriptPlace extends CommandPlace {
  readonly around?: TextScope;
  readonly text?: string;
  readonly span?: TimeSpan;
}

function commandsOf({ invocations, shells: copies }: Script, place: ScriptPlace): readonly FoundCommand[] {
  const { opening, shell, depth, parent, scope, around, text = '', span } = place;
  const shells: Shells = { entered: new Map([[0, shell]]), copies };
  const commands: FoundCommand[] = [];
  for (const parsed of invocations) {
    const calls = callOf(parsed, scope, text);
    // The search for calls covers the text before each call. If that exhausts the budget, the first command reports it.
    if (calls !== 'program' && !opening.meter.spend(parsed.span.start >> 10) && commands.length > 0) break;
    const here = span === undefined ? parsed : relocated(parsed, span);
    commands.push({
      parsed:
        parent === undefined
          ? here
          : underConditions(around === undefined ? here : asCertainAs(here, parent.parsed), parent.parsed),
      parent: parsed.parent === undefined ? parent : commands[parsed.parent],
      from: parsed.stdin.kind === 'pipe' && parsed.stdin.from !== undefined ? commands[parsed.stdin.from] : undefined,
      scope,
      calls,
      shells,
      depth,
      id: -1,
      cwd: 'unknown',
    });
  }
  return commands;
}

/** For a text that the shell itself runs: `! eval 'cd a' && ls` runs `ls` in the old directory. */
function asCertainAs(parsed: ParsedCommand, { place, after }: FoundCommand['parsed']): ParsedCommand {
  return place === 'branch' || after === 'failure' ? { ...parsed, place: 'branch' } : parsed;
}

/**
 * For a text that another command runs. That command runs its top level, and nothing in it is more certain than the
 * command.
 */
function underConditions(parsed: ParsedCommand, conditions: FoundCommand['parsed']): FoundCommand['parsed'] {
  return {
    ...parsed,
    relation: parsed.parent === undefined && parsed.relation === 'script' ? 'wrapped' : parsed.relation,
    runs: conditions.runs === 'conditional' ? 'conditional' : parsed.runs,
  };
}

/**
 * Whether a command of a text calls a function of that text. Certain only if the definition precedes the call and
 * starts a line or statement.
 */
export function callOf({ argv, span }: ParsedCommand, { defined }: TextScope, text: string): FoundCommand['calls'] {
  const name = plainText(argv[0]);
  if (name === undefined || !defined.has(name)) return 'program';
  const escaped = name.replace(/[$()*+.?[\\\]^{|}]/gu, '\\$&');
  const definition = new RegExp(
    `(?:^|[;\\n])[ \\t]*(?:function[ \\t]+${escaped}(?![^\\s(){};])|${escaped}[ \\t]*\\([ \\t]*\\))`,
    'u',
  );
  return definition.test(text.slice(0, span.start)) ? 'function' : 'either';
}

/** Gives a command of a nested script that script's position, because its own offsets mean nothing outside. */
export function relocated(command: ParsedCommand, span: TimeSpan): ParsedCommand {
  const word = (from: Word): Word => ({ ...from, span });
  return {
    ...command,
    span,
    argv: command.argv.map(word),
    assignments: command.assignments.map((assignment) => ({ ...assignment, value: word(assignment.value), span })),
    redirects: command.redirects.map((redirect) => ({ ...redirect, target: word(redirect.target), span })),
    stdin: stdinAt(command.stdin, word),
  };
}

function stdinAt(stdin: Stdin, word: (from: Word) => Word): Stdin {
  return stdin.kind === 'file' ? { ...stdin, path: word(stdin.path) } : stdin;
}
