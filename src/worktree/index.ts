/**
 * The room of worktrees of a session: the fallback where no sandbox can be had. What an agent changes is in a git
 * worktree of its own, outside of the workspace and closed to other users, and comes back as a branch that nobody
 * merges by itself.
 *
 * It keeps changes apart and is no sandbox: a program in it may do whatever its user may do. Git runs from a fixed
 * place with argument arrays, and nothing that the repository's configuration names runs with it.
 */
export type { Restriction } from './create.ts';
export { createWorktree, type CreateOptions } from './create.ts';
export { handBack, type HandedBack } from './hand-back.ts';
export type { Worktree } from './marker.ts';
export { type ListedWorktree, listWorktrees, recoverWorktrees } from './create.ts';
export { removeWorktree, type RemoveWorktreeOptions } from './remove.ts';
