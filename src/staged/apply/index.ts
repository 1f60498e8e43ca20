/**
 * Accepting, discarding and undoing what a staged layer holds. Everything that writes to the host's side of a staged
 * workspace lies here: entry by entry, through open directories, after a plan that is on the disk before anything
 * happens.
 *
 * Which changes there are is the business of `changes`; which names are protected is decided elsewhere and handed in.
 */
export { applyLayer, type AcceptOptions, type AcceptReport } from './accept.ts';
export { dropLayer, type DiscardReport } from './discard.ts';
export { forkLayer } from './fork-layer.ts';
export { undoLayer, type UndoReport } from './undo.ts';
export { recoverAccepts, type Recovered } from './unmake.ts';
export { listAccepts, type AcceptRecord } from './record.ts';
export { currentChanges } from './bases.ts';
export type { Pace } from './scene.ts';
export { changeKey, type StagedLeftOut } from './select.ts';
