import { createMeter } from '../parse/index.ts';
import type { Analysis, AnalysedInvocation, Opacity } from '../types.ts';
import type { Command, Reading } from './command.ts';
import { enterDirectory, leaveDirectory, newShell } from './directory.ts';
import { childrenOf, open, type Opening } from './open.ts';
import { readWhereItRuns, type Surroundings } from './read-where-it-runs.ts';
import type { AnalyseOptions, CommandInput } from './types.ts';

/**
 * What a command line would run, read, write and reach, as far as its text tells: its commands, those that its wrappers run,
 * and those of the texts within it. Total: any string goes in. Whatever is not understood is an `Opacity`, of the command that
 * it concerns, or of the whole where commands may be missing from the list.
 *
 * Costs at most the budget: 32,000 steps, 64 scripts and wrappers within each other. That is less than 50 ms on the machine of
 * docs/performance.md.
 */
export function analyse(input: CommandInput, options: AnalyseOptions): Analysis {
  const opening: Opening = { meter: createMeter(options.budget), opaque: [], root: newShell(options.cwd), powershell: options.powershell ?? (() => undefined) };
  const waiting: Command[] = open(input, opening).toReversed();
  const read: Read[] = [];
  for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
    if (!opening.meter.spend(stepsOfCommand)) {
      opening.opaque.push({ kind: 'budget', message: 'there is too much to look into', span: command.parsed.span });
      break;
    }
    command.id = read.length;
    const reading = readCommand(command, { home: options.home, project: options.cwd });
    opening.meter.spend(stepsOfWords(command));
    read.push({ command, reading });
    const children = childrenOf(command, reading, opening);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as Command);
  }
  return { ...(input.kind === 'argv' ? {} : { top: 'shell' }), invocations: read.map(invocationOf), opaque: distinct(opening.opaque) };
}

const stepsOfCommand = 8;

/** Each word may become a path of the directory, which a row of `cd` makes long. */
function stepsOfWords({ cwd, parsed: { argv, redirects } }: Command): number {
  const words = argv.length + redirects.length;
  return (words >> 2) + ((words * cwd.length) >> 6);
}

interface Read {
  readonly command: Command;
  readonly reading: Reading;
}

function readCommand(command: Command, around: Surroundings): Reading {
  enterDirectory(command);
  const reading = readWhereItRuns(command, around);
  leaveDirectory(command, reading.moves);
  return reading;
}

function invocationOf({ command, reading }: Read): AnalysedInvocation {
  const { argv, assignments, redirects, relation, runs, span, stdin } = command.parsed;
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
    span,
    tool: reading.tool,
    effects: reading.effects,
  };
}

function distinct(opaque: readonly Opacity[]): readonly Opacity[] {
  return opaque.length < 2 ? opaque : [...new Map(opaque.map((reason) => [`${reason.kind} ${reason.message} ${reason.span.start}`, reason])).values()];
}
