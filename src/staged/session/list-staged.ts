import type { HoldfastError } from '../../errors/index.ts';
import { changedPaths, findLayers, layerBytes } from '../store/index.ts';
import type { StagedLayer } from '../types.ts';

/** A staged layer as a list shows it. */
export interface StagedLayerSummary {
  readonly id: string;
  /** Real path of the workspace it lies over. */
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Entries that stand for a change. */
  readonly changed: number;
  /** On disk. */
  readonly bytes: number;
}

export interface StagedList {
  /** Newest first. */
  readonly layers: readonly StagedLayerSummary[];
  /** Layers that this version cannot use; of which workspace they are is not known. They are left as they are. */
  readonly problems: readonly { readonly id: string; readonly error: HoldfastError }[];
}

/** The layers over one workspace, by its real path; without it all of them. */
export async function listLayersOf(state: string, workspace?: string): Promise<StagedList> {
  const { layers, problems } = findLayers(state);
  const wanted = layers.filter((layer) => workspace === undefined || layer.workspace === workspace);
  return { layers: await Promise.all(wanted.map(summaryOf)), problems };
}

async function summaryOf(layer: StagedLayer): Promise<StagedLayerSummary> {
  return {
    id: layer.id,
    workspace: layer.workspace,
    created: layer.created,
    changed: changedPaths(layer),
    bytes: await layerBytes(layer),
  };
}
