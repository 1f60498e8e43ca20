import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { findWorkspace } from '../place/host/workspace.ts';
import type { LayerPaths } from '../staged/session/layer-work.ts';
import type { Pace } from '../staged/apply/scene.ts';
import { recoverAccepts } from '../staged/apply/unmake.ts';
import { findLayers, openLayer } from '../staged/store/open-layer.ts';
import type { StagedLayer } from '../staged/types.ts';
import { type CommandInput, recoveredLine } from './command.ts';
import { progressOf } from './progress.ts';

/** The meaning of `[ID] [PATH...]` on a command line. */
export interface NamedLayer {
  readonly layer: StagedLayer;
  /** Absolute paths. Empty: the whole layer. */
  readonly paths: readonly Buffer[];
}

/**
 * Returns the layer of the first word, or the newest of this workspace. The other words are paths. A file with a
 * layer's name needs `./`. Throws `HF_STAGED_INVALID` if there is no layer.
 */
export function namedLayer({ io, positionals, rest = [] }: CommandInput): NamedLayer {
  const { state } = statePaths(homedir(), io.environment);
  const { layers, problems } = findLayers(state);
  const [first = '', ...others] = positionals;
  const isId = layers.some(({ id }) => id === first) || problems.some(({ id }) => id === first);
  const layer = isId ? openLayer(state, first) : newest(layers, findWorkspace({ cwd: io.cwd, home: homedir() }).root);
  const words = [...(isId ? others : positionals), ...rest];
  return { layer, paths: words.map((word) => Buffer.from(resolve(io.cwd, word))) };
}

/** Returns the places of this user's layers and policies. */
export function groundOf({ io }: Pick<CommandInput, 'io'>): LayerPaths {
  return { paths: statePaths(homedir(), io.environment), environment: io.environment };
}

function newest(layers: readonly StagedLayer[], workspace: string): StagedLayer {
  const layer = layers.find((candidate) => candidate.workspace === workspace);
  if (layer !== undefined) return layer;
  throw new HoldfastError('HF_STAGED_INVALID', `nothing is staged for ${workspace}`, {
    remedy: 'run a command with `holdfast run --staged`, or name a layer that `holdfast staged list --all` shows',
  });
}

/** Completes interrupted accepts and undos, and says so: the layer may differ from the user's memory of it. */
export function tellRecovered({ io }: Pick<CommandInput, 'io'>): void {
  for (const each of recoverAccepts(statePaths(homedir(), io.environment).state)) io.stderr.write(recoveredLine(each));
}

/** Runs work that moves entries between a layer and the host, and shows each step. */
export function withSteps<T>(input: CommandInput, doing: string, work: (pace: Pace) => T): T {
  using progress = progressOf(input);
  let steps = 0;
  return work((moment) => {
    if (!counted.has(moment)) return;
    steps += 1;
    progress.tell(`${doing}: ${steps} entries`);
  });
}

/** Moments that count as one entry. */
const counted: ReadonlySet<string> = new Set(['step', 'unstep']);
