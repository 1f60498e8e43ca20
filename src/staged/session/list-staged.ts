import type { HoldfastError } from '../../errors/index.ts';
import { layerBytes } from '../store/layer-bytes.ts';
import { findLayers } from '../store/open-layer.ts';
import type { StagedLayer } from '../types.ts';
import { countChanges } from '../changes/count-changes.ts';

/** A staged layer in a list. */
export interface StagedLayerSummary {
  readonly id: string;
  /** Real path of its workspace. */
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Number of changes that a review shows. Estimated above 1,000 entries or 64 MiB. */
  readonly changed: number;
  /** Bytes on disk. */
  readonly bytes: number;
}

export interface StagedList {
  /** Newest first. */
  readonly layers: readonly StagedLayerSummary[];
  /** Layers that this version cannot use. Their workspace is unknown, and they are left unchanged. */
  readonly problems: readonly { readonly id: string; readonly error: HoldfastError }[];
}

/** Lists the layers over one workspace, by its real path. Without it, lists all layers. */
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
    changed: countChanges(layer).changed,
    bytes: await layerBytes(layer),
  };
}
