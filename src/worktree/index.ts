/**
 * The room of session worktrees: the fallback for hosts without a sandbox. An agent's changes go to its own git
 * worktree, outside of the workspace and closed to other users. They come back as a branch that nothing merges by
 * itself.
 *
 * A worktree keeps changes apart, but is no sandbox: a program in it has all rights of its user. Git runs from a fixed
 * path with argument arrays. No program that the repository's configuration names runs with it.
 */
export type { Restriction } from './create.ts';
export { createWorktree, type CreateOptions } from './create.ts';
export { handBack, type HandedBack } from './hand-back.ts';
export type { Worktree } from './marker.ts';
export { type ListedWorktree, listWorktrees, recoverWorktrees } from './create.ts';
export { removeWorktree, type RemoveWorktreeOptions } from './remove.ts';
