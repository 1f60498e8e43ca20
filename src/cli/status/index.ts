import { homedir } from 'node:os';
import { describeRequest, place } from '../../place/refusals/describe.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { listedName } from '../listing.ts';
import { type DirectoryState, directoryState, type StateProblem } from './directory-state.ts';

const usage = `usage: holdfast status [--json]

Shows the state of this directory: the policy files in force, the last refusals, staged layers, waiting approvals, and
the commands to type next. \`holdfast\` alone shows it at a terminal.

  --json  one JSON document: where, workspace, policies, refusals, staged, approvals, agents, problems, next`;

export const statusCommand: Command = {
  name: 'status',
  inBox: 'works',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'none',
  run: showStatus,
};

async function showStatus({ values, io }: CommandInput): Promise<number> {
  const state = await directoryState(io);
  const next = nextCommands(state);
  const staged = state.staged.map(({ id, created }) => ({ id, created: new Date(created).toISOString() }));
  io.stdout.write(isSet(values['json']) ? jsonText({ ...state, staged, next }) : safeText(stateText(state, next)));
  return 0;
}

const mostNext = 2;

/** The most urgent first. */
export function nextCommands(state: DirectoryState): readonly string[] {
  const [refusal] = state.refusals;
  const [layer] = state.staged;
  const isBroken = state.problems.some(({ part }) => part === 'policy');
  const isPlaced = state.problems.every(({ part }) => part !== 'workspace');
  const isNew = state.policies.every(({ kind }) => kind === 'project');
  const commands = [
    ...(isBroken ? ['holdfast policy check'] : []),
    ...(state.approvals.length > 0 ? ['holdfast approvals watch'] : []),
    ...(layer === undefined ? [] : [`holdfast review ${layer.id}`]),
    ...(state.where === 'inside' ? ['holdfast why --path PATH'] : []),
    ...(refusal === undefined ? [] : ['holdfast why']),
    ...(isNew && state.where === 'outside' && state.agents.length > 0 ? ['holdfast setup'] : []),
    ...(isPlaced ? [] : ['cd PROJECT']),
    ...(state.where === 'outside' && isPlaced ? [`holdfast run ${state.agents[0] ?? '-- COMMAND'}`] : []),
  ];
  return commands.slice(0, mostNext);
}

const mostListed = 3;

function stateText(state: DirectoryState, next: readonly string[]): string {
  const { where, workspace, policies, refusals, staged, approvals } = state;
  const problem = (part: StateProblem['part']) => state.problems.find((each) => each.part === part);
  const policy =
    where === 'inside'
      ? ['the policy of the sandbox around this shell']
      : policies.length === 0
        ? ['built-in defaults, no policy file']
        : policies.map(({ kind, file }) => `${shortened(file)} (${kind})`);
  return [
    ...rows('workspace', [shortened(workspace)], problem('workspace')),
    ...rows('policy', policy, problem('policy')),
    ...rows('refusals', refusalLines(refusals), problem('refusals')),
    ...rows(
      'staged',
      listed(staged, ({ id, created }) => `${id}  ${timeText(created)}`),
      problem('staged'),
    ),
    ...rows(
      'approvals',
      listed(approvals, ({ id, title }) => `${id}  ${listedName(title)}`),
      problem('approvals'),
    ),
    '',
    ...rows('next', next),
    '',
  ].join('\n');
}

function refusalLines(refusals: DirectoryState['refusals']): readonly string[] {
  return refusals.length === 0
    ? []
    : [...refusals.map(refusalText), '`holdfast why` shows the grants that would allow them'];
}

function refusalText({ time, request, verdict }: DirectoryState['refusals'][number]): string {
  return `${timeText(Date.parse(time))}  ${describeRequest(request)} (${verdict.rule}, ${shortened(place(verdict))})`;
}

function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, '2026-01-31T12:00'.length).replace('T', ' ')}Z`;
}

function listed<Item>(items: readonly Item[], text: (item: Item) => string): readonly string[] {
  const more = items.length - mostListed;
  return [...items.slice(0, mostListed).map(text), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Prints a word and its lines. `none` without lines. */
function rows(word: string, lines: readonly string[], problem?: StateProblem): readonly string[] {
  const all = [...lines, ...(problem === undefined ? [] : [`problem: ${problem.message}`])];
  return (all.length === 0 ? ['none'] : all).map((line, index) => `${(index === 0 ? word : '').padEnd(11)}${line}`);
}

function shortened(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
