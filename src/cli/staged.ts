import { homedir } from 'node:os';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { findWorkspace } from '../place/host/workspace.ts';
import { listLayersOf, type StagedLayerSummary, type StagedList } from '../staged/session/list-staged.ts';
import { recoverFirst } from '../staged/session/recover-first.ts';
import { type Command, type CommandInput, isSet, jsonLine, recoveredLine, safeText } from './command.ts';
import { sizeText } from './listing.ts';
import { lookOf } from './terminal/look.ts';
import { type TableColumn, terminalTable } from './terminal/terminal-table.ts';

const usage = `usage: holdfast staged [list] [--all] [--json]

Lists the staged layers of this workspace, newest first: changes of \`holdfast run --staged\` that are neither accepted nor
discarded. Exits with 1 when this version cannot use one of the layers; it leaves that layer unchanged.

  --all   list the layers of every workspace
  --json  print one JSON document`;

export const stagedCommand: Command = {
  name: 'staged',
  usage,
  options: { json: { type: 'boolean' }, all: { type: 'boolean' } },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    if (input.positionals.length !== 1 || input.positionals[0] !== 'list')
      throw new HoldfastError('HF_USAGE', `expected list, got ${JSON.stringify(input.positionals.join(' '))}`, {
        remedy: 'see `holdfast staged --help`',
      });
    return list(input);
  },
};

async function list(input: CommandInput): Promise<number> {
  const { io, values } = input;
  const damaged = recover(input);
  const { state } = statePaths(homedir(), io.environment);
  const found = await (isSet(values['all'])
    ? listLayersOf(state)
    : listLayersOf(state, findWorkspace({ cwd: io.cwd, home: homedir() }).root));
  if (isSet(values['json'])) io.stdout.write(json(found));
  else io.stdout.write(listText(found, io));
  if (!isSet(values['json'])) for (const { id, error } of found.problems) io.stderr.write(problem(error, `${id}: `));
  if (damaged !== undefined) io.stderr.write(problem(damaged));
  return found.problems.length === 0 && damaged === undefined ? 0 : 1;
}

/** A damaged record of an accept must not hide the list. */
function recover({ io }: CommandInput): HoldfastError | undefined {
  try {
    for (const each of recoverFirst(statePaths(homedir(), io.environment).state)) io.stderr.write(recoveredLine(each));
    return undefined;
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
}

function problem({ message, remedy, code }: HoldfastError, of = ''): string {
  return `${safeText(`holdfast: ${of}${message}\nholdfast: to fix it: ${remedy} [${code}]`)}\n`;
}

/** Times are ISO 8601. */
function json({ layers, problems }: StagedList): string {
  return jsonLine({
    layers: layers.map((layer) => ({ ...layer, created: new Date(layer.created).toISOString() })),
    problems: problems.map(({ id, error: { code, message, remedy } }) => ({ id, code, message, remedy })),
  });
}

/** Prints nothing to a pipe if there is no layer, so that a script reads no layer from it. */
function listText({ layers, problems }: StagedList, io: CommandInput['io']): string {
  const look = lookOf(io);
  if (layers.length > 0) return terminalTable(layers, columns, look);
  return look.reader === 'pipe' || problems.length > 0
    ? ''
    : 'No staged changes. Stage a command: holdfast run --staged -- COMMAND\n';
}

const columns: readonly TableColumn<StagedLayerSummary>[] = [
  { head: 'ID', of: ({ id }) => id },
  { head: 'CREATED', of: ({ created }) => `${new Date(created).toISOString().slice(0, 16).replace('T', ' ')}Z` },
  { head: 'CHANGES', of: ({ changed }) => `${changed} changed`, align: 'right', tone: () => 'staged' },
  { head: 'SIZE', of: ({ bytes }) => sizeText(bytes), align: 'right' },
  { head: 'WORKSPACE', of: ({ workspace }) => workspace, cut: 'start' },
];
