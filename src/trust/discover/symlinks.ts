import { realpathSync, statSync } from 'node:fs';

/** A path relative to the root, without symlinks in it; or what is wrong with the symlink that should lead to one. */
export type Place = { readonly kind: 'at'; readonly path: string } | { readonly kind: 'problem'; readonly problem: string };

/** Where a path below the root leads, all symlinks followed. */
export function targetOf(root: string, path: string): Place | { readonly kind: 'directory'; readonly path: string } {
  try {
    const real = realpathSync.native(absolute(root, path));
    if (real !== root && !real.startsWith(root === '/' ? root : `${root}/`)) return { kind: 'problem', problem: 'it is a symlink that leads out of the repository' };
    return { kind: statSync(real).isDirectory() ? 'directory' : 'at', path: real.slice(root === '/' ? 1 : root.length + 1) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { kind: 'problem', problem: 'it is a symlink that leads nowhere' };
  }
}

export function absolute(root: string, path: string): string {
  return path === '' ? root : root === '/' ? `/${path}` : `${root}/${path}`;
}
