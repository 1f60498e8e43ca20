import { createMeter } from '../parse/meter.ts';
import { pathEffect, type PathBase } from '../tools/paths.ts';
import { isPipe, wordAsTyped, plainText } from '../tools/words.ts';
import type { AnalysedInvocation, Analysis, Effects, Opacity, Redirect } from '../types.ts';
import type { FoundCommand, CommandReading } from './command.ts';
import { enterDirectory, leaveDirectory, newShell } from './directory.ts';
import { both, noEffects, reachesHost, readsPath, reason, mergedEffects, writesPath } from './builtins.ts';
import { childrenOf, open, type AnalysisContext } from './open.ts';
import { readProgram } from './read-program.ts';
import { type AnalyseOptions, assignmentEffects, type StandardInput } from './languages.ts';

/**
 * Returns the effects that the text of a command line shows: the programs it runs, the paths it reads and writes, the
 * hosts it reaches. Covers its commands, those that its wrappers run, and those of texts within it. Total: accepts any
 * string. Anything not understood is an `Opacity`: of one command, or of the whole text if the list may lack commands.
 *
 * Costs at most the budget: 32,000 steps, and 64 nested scripts and wrappers. That is less than 50 ms on the machine of
 * docs/performance.md.
 */
export function analyse(input: StandardInput, options: AnalyseOptions): Analysis {
  const opening: AnalysisContext = {
    meter: createMeter(options.budget),
    opaque: [],
    root: newShell(options.cwd),
    powershell: options.powershell ?? (() => undefined),
  };
  const waiting: FoundCommand[] = open(input, opening).toReversed();
  const read: Read[] = [];
  for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
    if (!opening.meter.spend(stepsOfCommand)) {
      opening.opaque.push({ kind: 'budget', message: 'there is too much to analyse', span: command.parsed.span });
      break;
    }
    command.id = read.length;
    const reading = readCommand(command, { home: options.home, project: options.cwd });
    opening.meter.spend(stepsOfWords(command));
    read.push({ command, reading });
    const children = childrenOf(command, reading, opening);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as FoundCommand);
  }
  return {
    ...(input.kind === 'argv' ? {} : { top: 'shell' }),
    invocations: read.map(invocationOf),
    opaque: distinct(opening.opaque),
  };
}

const stepsOfCommand = 8;

/** Each word may become a path below the directory, and a series of `cd` makes that directory long. */
function stepsOfWords({ cwd, parsed: { argv, redirects } }: FoundCommand): number {
  const words = argv.length + redirects.length;
  return (words >> 2) + ((words * cwd.length) >> 6);
}

interface Read {
  readonly command: FoundCommand;
  readonly reading: CommandReading;
}

function readCommand(command: FoundCommand, around: Surroundings): CommandReading {
  enterDirectory(command);
  const reading = readWhereItRuns(command, around);
  leaveDirectory(command, reading.moves);
  return reading;
}

function invocationOf({ command, reading }: Read): AnalysedInvocation {
  const { argv, assignments, floods, goesOn, inside, redirects, relation, runs, span, stdin } = command.parsed;
  return {
    id: command.id,
    parent: command.parent === undefined ? undefined : command.parent.id,
    relation,
    argv,
    assignments,
    redirects,
    stdin: stdin.kind === 'pipe' ? { kind: 'pipe', from: command.from?.id } : stdin,
    cwd: command.cwd,
    runs,
    ...(inside === undefined ? {} : { inside }),
    ...(floods === undefined ? {} : { floods }),
    ...(goesOn === undefined ? {} : { goesOn }),
    span,
    tool: reading.tool,
    effects: reading.effects,
  };
}

function distinct(opaque: readonly Opacity[]): readonly Opacity[] {
  return opaque.length < 2
    ? opaque
    : [...new Map(opaque.map((reason) => [`${reason.kind} ${reason.message} ${reason.span.start}`, reason])).values()];
}

type Surroundings = Pick<PathBase, 'home' | 'project'>;

/**
 * Reads what one command does. After `cd x;` it may run in either of two directories, and both readings are reported.
 * Its own commands are reported once, even if only one reading finds them (`find` finds none if its start is unknown).
 * Their directory is then unknown.
 */
function readWhereItRuns(command: FoundCommand, around: Surroundings): CommandReading {
  const reading = read(command, around);
  if (command.either === undefined || !dependsOnDirectory(reading.effects)) return reading;
  const each = command.either.map((cwd) => ({ cwd, found: read({ ...command, cwd }, around) }));
  const children = each.flatMap(({ cwd, found }) =>
    found.children.map((child) => (child.directory === cwd ? { ...child, directory: 'unknown' as const } : child)),
  );
  return {
    ...reading,
    effects: withoutDoubles(mergedEffects(each.map(({ found }) => found.effects))),
    children: readWhereItRunsDistinct([...reading.children, ...children]),
  };
}

/** Without a known directory, nothing counts as the project's, and no relative path is known. */
function dependsOnDirectory({ opaque, reads, writes }: Effects): boolean {
  return (
    opaque.some(({ kind }) => kind === 'dynamic-word' || kind === 'unknown-tool') ||
    [...reads, ...writes].some(({ path }) => path === undefined)
  );
}

function read(command: FoundCommand, { home, project }: Surroundings): CommandReading {
  const place = { cwd: command.cwd, home, ...(project === undefined ? {} : { project }) };
  const reading = withoutUnreadable(readProgram(command, place));
  const { argv, assignments, redirects } = command.parsed;
  const around = both(assignmentEffects(assignments, argv), redirectEffects(redirects, place));
  return { ...reading, effects: both(reading.effects, around) };
}

function withoutDoubles({ reads, writes, runs, hosts, opaque }: Effects): Effects {
  return {
    reads: readWhereItRunsDistinct(reads),
    writes: readWhereItRunsDistinct(writes),
    runs: readWhereItRunsDistinct(runs),
    hosts: readWhereItRunsDistinct(hosts),
    opaque: readWhereItRunsDistinct(opaque),
  };
}

function readWhereItRunsDistinct<Item>(list: readonly Item[]): readonly Item[] {
  return list.length < 2 ? list : [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

/** A dynamic shell text is not a child, because nobody can read it. */
function withoutUnreadable(reading: CommandReading): CommandReading {
  const unreadable = reading.children.flatMap((child) =>
    child.kind === 'script' && plainText(child.text) === undefined ? [child.text] : [],
  );
  if (unreadable.length === 0) return reading;
  const reasons = unreadable.map((text) =>
    reason('inline-code', `the shell text \`${wordAsTyped(text)}\` is not known before it runs`, text),
  );
  return {
    ...reading,
    effects: mergedEffects([reading.effects, ...reasons]),
    children: reading.children.filter((child) => child.kind === 'command' || !unreadable.includes(child.text)),
  };
}

/** Effects of a command's redirects. The shell opens these files itself, for every program. */
function redirectEffects(redirects: readonly Redirect[], place: PathBase): Effects {
  return redirects.length === 0 ? noEffects : mergedEffects(redirects.map((redirect) => effectOf(redirect, place)));
}

/** Files that neither store nor reveal data. */
const streams = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/u;
/** Bash opens a connection for such a name. The file does not exist. */
const connection = /^\/dev\/(?:tcp|udp)\/([^/]*)\/([^/]*)$/u;

/** The literal beginning of a word that names no connection. */
const beginsElsewhere = /^"?(?:\.{1,2}\/|\/(?!dev\/)\w+\/|\w[\w.-]*\/)/u;

function effectOf({ use, target }: Redirect, place: PathBase): Effects {
  const text = plainText(target);
  if (text !== undefined && streams.test(text)) return noEffects;
  const host = text === undefined ? null : connection.exec(text);
  if (host !== null) return reachesHost({ host: host[1] ?? '', port: portOf(host[2] ?? ''), text: text ?? '' });
  if (use === 'read' && isPipe(target)) return noEffects;
  const effect = pathEffect(target, place, { use: use === 'read' ? 'read' : 'write', scope: 'file' });
  const known =
    use === 'read'
      ? readsPath(effect)
      : use === 'read-write'
        ? both(readsPath({ ...effect, use: 'read' }), writesPath(effect))
        : writesPath(effect);
  return effect.path === undefined
    ? both(
        known,
        reason('dynamic-word', `the file \`${wordAsTyped(target)}\` of a redirect is not known before it runs`, {
          ...target,
          // Bash connects if the name turns out to be below /dev/tcp.
          ...(use === 'read' ? { atMost: beginsElsewhere.test(wordAsTyped(target)) ? 'reads' : 'reaches out' } : {}),
        }),
      )
    : known;
}

function portOf(text: string): number | undefined {
  return /^\d{1,5}$/u.test(text) ? Number(text) : undefined;
}
