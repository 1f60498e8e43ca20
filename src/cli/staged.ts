import { homedir } from 'node:os';
import { HoldfastError } from '../errors/index.ts';
import { statePaths } from '../sandbox/host/state-paths.ts';
import { changedPaths, findLayers, layerBytes } from '../staged/store/index.ts';
import type { StagedLayer } from '../staged/types.ts';
import { isSet, type Command, type CommandInput } from './command.ts';
import { safeText } from './safe-text.ts';

const usage = `usage: holdfast staged list [--json]

Lists the staged layers of this user, newest first: what commands under \`holdfast run --staged\` did and nobody has accepted
or discarded. Exits with 1 when there is a layer that this version cannot use; it is left as it is.`;

export const stagedCommand: Command = {
  name: 'staged',
  summary: 'list what commands did and nobody accepted yet',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    if (input.positionals.length !== 1 || input.positionals[0] !== 'list') throw new HoldfastError('HF_USAGE', `expected list, got ${JSON.stringify(input.positionals.join(' '))}`, { remedy: 'see `holdfast staged --help`' });
    return list(input);
  },
};

interface Row {
  readonly id: string;
  readonly workspace: string;
  /** ISO 8601. */
  readonly created: string;
  readonly changed: number;
  /** On disk. */
  readonly bytes: number;
}

async function list({ io, values }: CommandInput): Promise<number> {
  const { layers, problems } = findLayers(statePaths(homedir(), io.environment).state);
  const rows = await Promise.all(layers.map(rowOf));
  if (isSet(values['json'])) io.stdout.write(`${JSON.stringify({ layers: rows, problems: problems.map(problemOf) })}\n`);
  else {
    for (const { id, created, changed, bytes, workspace } of rows) io.stdout.write(`${safeText(`${id}  ${created.slice(0, 16).replace('T', ' ')}  ${String(changed).padStart(6)} changed  ${megabytes(bytes).padStart(9)}  ${workspace}`)}\n`);
    for (const { id, error } of problems) io.stderr.write(`${safeText(`holdfast: ${id}: ${error.message}\nholdfast: to fix it: ${error.remedy} [${error.code}]`)}\n`);
  }
  return problems.length === 0 ? 0 : 1;
}

async function rowOf(layer: StagedLayer): Promise<Row> {
  return { id: layer.id, workspace: layer.workspace, created: new Date(layer.created).toISOString(), changed: changedPaths(layer), bytes: await layerBytes(layer) };
}

function problemOf({ id, error }: { readonly id: string; readonly error: HoldfastError }): object {
  return { id, code: error.code, message: error.message, remedy: error.remedy };
}

function megabytes(bytes: number): string {
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
