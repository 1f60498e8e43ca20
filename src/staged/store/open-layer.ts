/**
 * The store of staged layers: `STATE/staged/ID/`, private to the user. It makes, finds, locks and removes layers.
 * `changes` and `apply` handle the content of upper directories, and backends mount them.
 *
 * A layer holds work that exists nowhere else, so this room never removes a layer that it does not understand.
 */
import { lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { removeTree } from '../../kernel/index.ts';
import type { LayerFile, StagedLayer } from '../types.ts';
import { layerFileOf, layerName, layersDirectory, layerVersion, stagedRoots } from './layout.ts';

/** Opens a complete layer of this version. Throws `HF_STAGED_INVALID` otherwise, and leaves everything unchanged. */
export function openLayer(state: string, id: string): StagedLayer {
  const directory = join(layersDirectory(state), id);
  if (!layerName.test(id) || !isDirectory(directory)) throw missing(id);
  const { workspace, roots, created, taken } = readLayerFile(directory);
  const layer: StagedLayer = {
    id,
    directory,
    workspace,
    created,
    roots: stagedRoots(directory, roots),
    ...(taken === undefined ? {} : { taken }),
  };
  const lost = layer.roots.flatMap(({ upper, work }) => [upper, work]).find((path) => !isDirectory(path));
  if (lost !== undefined) throw invalid(directory, `${lost} is missing`);
  return layer;
}

function readLayerFile(directory: string): LayerFile {
  const file = layerFileOf(directory);
  const value = parse(directory, file);
  if (typeof value['version'] === 'number' && value['version'] !== layerVersion)
    throw invalid(
      directory,
      `it was made by another version of Holdfast (format ${value['version']}, this version reads ${layerVersion})`,
    );
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw invalid(directory, `${file} holds ${JSON.stringify(unknown)}, which this version does not know`);
  if (!isLayerFile(value)) throw invalid(directory, `${file} is not the description of a layer`);
  return value;
}

const known: ReadonlySet<string> = new Set(['version', 'workspace', 'roots', 'created', 'taken']);

function parse(directory: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw invalid(directory, `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  throw invalid(directory, `${file} is not the description of a layer`);
}

function isLayerFile(value: Readonly<Record<string, unknown>>): value is LayerFile & Readonly<Record<string, unknown>> {
  const { version, workspace, roots, created, taken } = value;
  return (
    version === layerVersion &&
    isPath(workspace) &&
    Number.isSafeInteger(created) &&
    (taken === undefined || Number.isSafeInteger(taken)) &&
    Array.isArray(roots) &&
    roots.length > 0 &&
    roots.every(isPath)
  );
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/') && !value.includes('\0');
}

/** Does not follow a symlink, which would lead a box's writes elsewhere. */
function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function missing(id: string): HoldfastError {
  return new HoldfastError('HF_STAGED_INVALID', `there is no staged layer ${JSON.stringify(id)}`, {
    remedy: 'see `holdfast staged list --all`',
  });
}

function invalid(directory: string, reason: string): HoldfastError {
  return new HoldfastError('HF_STAGED_INVALID', `the staged layer ${directory} cannot be used: ${reason}`, {
    remedy: `copy what you need out of ${join(directory, '0/upper')}, then remove ${directory}; nothing was changed`,
    details: { directory, reason },
  });
}

interface FoundLayers {
  /** Newest first. */
  readonly layers: readonly StagedLayer[];
  readonly problems: readonly LayerProblem[];
}

/** A directory among the layers that this version cannot use. */
interface LayerProblem {
  readonly id: string;
  readonly error: HoldfastError;
}

/** Lists all layers, or those of one workspace, newest first. */
export function listLayers(state: string, workspace?: string): readonly StagedLayer[] {
  return findLayers(state).layers.filter((layer) => workspace === undefined || layer.workspace === workspace);
}

/** Lists all layers, and the other entries of their directory. */
export function findLayers(state: string): FoundLayers {
  const layers: StagedLayer[] = [];
  const problems: LayerProblem[] = [];
  for (const id of namesIn(layersDirectory(state))) {
    try {
      layers.push(openLayer(state, id));
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      problems.push({ id, error });
    }
  }
  return { layers: layers.sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1)), problems };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => layerName.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Removes a layer with all its content. It disappears from the list at once, and is never found half removed. The
 * caller holds it.
 */
export function removeLayer(layer: StagedLayer): void {
  const doomed = join(dirname(layer.directory), `.removed-${layer.id}`);
  renameSync(layer.directory, doomed);
  removeTree(doomed);
}
