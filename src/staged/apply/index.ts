/**
 * Accepts, discards and undoes the changes of a staged layer. Everything that writes to the host's side of a staged
 * workspace is here. It works entry by entry, through open directories, after a plan that is first written to the disk.
 *
 * `changes` finds the changes. Protected names are decided elsewhere and passed in.
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
