import { chmodSync } from 'node:fs';
import { refused } from './failure.ts';

/** How a directory is closed to everybody but one user. */
export type Restriction =
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  /** Programs with their arguments, in order; no shell reads them. Generated, not run. */
  | { readonly kind: 'commands'; readonly commands: readonly (readonly string[])[] };

export interface RestrictionOptions {
  readonly path: string;
  readonly platform: 'posix' | 'windows';
  /** Windows: the security identifier of the user, `S-1-5-21-…`. A name would have to be looked up, and could be somebody else's. */
  readonly user?: string;
}

const ownerOnly = 0o700;
/** Where every Windows has it; nothing in `PATH` may take its place. */
const icacls = String.raw`C:\Windows\System32\icacls.exe`;
/** The system itself, so that backups and updates work. */
const localSystem = 'S-1-5-18';

/** Pure. Throws `HF_WORKTREE_REFUSED` for a path or user that could be read as something else. */
export function restriction({ path, platform, user = '' }: RestrictionOptions): Restriction {
  if (platform === 'posix') return { kind: 'mode', path, mode: ownerOnly };
  if (!/^[A-Za-z]:\\(?!.*[*?"<>|/\p{Cc}])(?!.*:.*:)[^:]+$/u.test(path)) throw refused(`${JSON.stringify(path)} is no path of a directory on a drive`, 'give an absolute path such as C:\\Users\\me\\worktree');
  if (!/^S-1-5-21(?:-\d{1,10}){4}$/u.test(user)) throw refused(`${JSON.stringify(user)} is not the identifier of a user`, 'give it as `whoami /user` prints it');
  const full = '(OI)(CI)F';
  return {
    kind: 'commands',
    commands: [
      [icacls, path, '/reset', '/T', '/L', '/Q'],
      // What is inherited goes first: one entry for everybody above would open the directory again.
      [icacls, path, '/inheritance:r', '/grant:r', `*${user}:${full}`, `*${localSystem}:${full}`, '/L', '/Q'],
      [icacls, path, '/setowner', `*${user}`, '/L', '/Q'],
    ],
  };
}

/** Carries out what this machine can. */
export function restrict(path: string): void {
  chmodSync(path, ownerOnly);
}
