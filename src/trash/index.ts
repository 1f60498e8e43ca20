/**
 * The trash room: keeps files that were deleted, overwritten or truncated under a `stage` rule, until they are restored
 * or too old.
 *
 * An entry is either complete or absent, whenever a process is killed. Other rooms decide which deletions are kept, and
 * this room knows no policy. It runs outside the box with the user's own rights. So it never follows a symlink on the
 * way to a file that it takes or puts back.
 */
export { Trash, type TrashOptions } from './trash.ts';
export type { KeepRequest, TrashEntry } from './entry-file.ts';
