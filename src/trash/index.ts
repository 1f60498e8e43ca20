/**
 * The trash room: what was deleted, overwritten or truncated under a `stage` rule, kept until it is restored or too
 * old.
 *
 * An entry is either whole or not there, whenever a process is killed. Which deletions are kept is decided elsewhere:
 * no policy enters this room. It runs outside the box with the user's own rights, so it never follows a symlink on the
 * way to what it takes or puts back.
 */
export { Trash, type TrashOptions } from './trash.ts';
export type { KeepRequest, TrashEntry } from './entry-file.ts';
