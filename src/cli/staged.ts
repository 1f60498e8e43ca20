import { homedir } from 'node:os';
import { HoldfastError } from '../errors/index.ts';
import { statePaths } from '../sandbox/host/state-paths.ts';
import { findWorkspace } from '../sandbox/host/workspace.ts';
import { listLayersOf, type StagedLayerSummary, type StagedList } from '../sandbox/staged/list-staged.ts';
import { isSet, type Command, type CommandInput } from './command.ts';
import { safeText } from './safe-text.ts';

const usage = `usage: holdfast staged list [--all] [--json]

Lists the staged layers of this workspace, newest first: what commands under \`holdfast run --staged\` did and nobody has
accepted or discarded. Exits with 1 when there is a layer that this version cannot use; it is left as it is.

  --all   those of every workspace
  --json  one JSON document`;

export const stagedCommand: Command = {
  name: 'staged',
  summary: 'list what commands did and nobody accepted yet',
  usage,
  options: { json: { type: 'boolean' }, all: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    if (input.positionals.length !== 1 || input.positionals[0] !== 'list') throw new HoldfastError('HF_USAGE', `expected list, got ${JSON.stringify(input.positionals.join(' '))}`, { remedy: 'see `holdfast staged --help`' });
    return list(input);
  },
};

async function list({ io, values }: CommandInput): Promise<number> {
  const { state } = statePaths(homedir(), io.environment);
  const found = await (isSet(values['all']) ? listLayersOf(state) : listLayersOf(state, findWorkspace({ cwd: io.cwd, home: homedir() }).root));
  if (isSet(values['json'])) io.stdout.write(`${json(found)}\n`);
  else for (const layer of found.layers) io.stdout.write(`${safeText(line(layer))}\n`);
  if (!isSet(values['json'])) for (const { id, error } of found.problems) io.stderr.write(`${safeText(`holdfast: ${id}: ${error.message}\nholdfast: to fix it: ${error.remedy} [${error.code}]`)}\n`);
  return found.problems.length === 0 ? 0 : 1;
}

/** Times are ISO 8601. */
function json({ layers, problems }: StagedList): string {
  return JSON.stringify({
    layers: layers.map((layer) => ({ ...layer, created: new Date(layer.created).toISOString() })),
    problems: problems.map(({ id, error: { code, message, remedy } }) => ({ id, code, message, remedy })),
  });
}

function line({ id, created, changed, bytes, workspace }: StagedLayerSummary): string {
  return `${id}  ${new Date(created).toISOString().slice(0, 16).replace('T', ' ')}  ${String(changed).padStart(6)} changed  ${megabytes(bytes).padStart(9)}  ${workspace}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
