/**
 * The store of staged layers: `STATE/staged/ID/`, private to the user. It makes, finds, locks and removes layers.
 * `changes` and `apply` handle the content of upper directories, and backends mount them.
 *
 * A layer holds work that exists nowhere else, so this room never removes a layer that it does not understand.
 */
export { createLayer, emptyUppers } from './create-layer.ts';
export { openLayer } from './open-layer.ts';
export { findLayers, listLayers, removeLayer } from './open-layer.ts';
export { holdLayer, withLayerLock } from './lock-layer.ts';
export { changedPaths } from './changed-paths.ts';
export { layerBytes } from './layer-bytes.ts';
