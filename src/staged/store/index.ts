/**
 * The store of staged layers: `STATE/staged/ID/`, private to the user. It makes, finds, locks and removes layers; what
 * is in an upper directory is the business of `changes` and `apply`, and mounting one that of a backend.
 *
 * A layer is worth as much as the work that is in it: nothing here removes one that it does not understand.
 */
export { createLayer } from './create-layer.ts';
export { openLayer } from './open-layer.ts';
export { findLayers, listLayers, removeLayer } from './open-layer.ts';
export { holdLayer, withLayerLock } from './lock-layer.ts';
export { changedPaths } from './changed-paths.ts';
export { layerBytes } from './layer-bytes.ts';
