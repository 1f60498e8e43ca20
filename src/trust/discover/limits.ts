import { realpathSync, statSync } from 'node:fs';

export interface DiscoveryLimits {
  /** Names that are looked at. Default 2,000,000. */
  readonly entries?: number;
  /** Files that are told. Default 20,000. */
  readonly files?: number;
  /** Bytes of one file that is hashed. Default 64 MiB. */
  readonly fileSize?: number;
  /** Bytes of all of them. Default 1 GiB. */
  readonly totalSize?: number;
}

export type AllLimits = Required<DiscoveryLimits>;

export const defaultLimits: AllLimits = { entries: 2_000_000, files: 20_000, fileSize: 64 << 20, totalSize: 1 << 30 };

/** What could not be looked at. Told up to a hundred, and then counted. */
export class Problems {
  readonly #told: string[] = [];
  #more = 0;

  add(problem: string): void {
    if (this.#told.length < 100) this.#told.push(problem);
    else this.#more++;
  }

  list(): readonly string[] {
    return this.#more === 0 ? this.#told : [...this.#told, `and ${this.#more} more`];
  }
}

/** A path relative to the root, without symlinks in it; or what is wrong with the symlink that should lead to one. */
export type Place =
  | { readonly kind: 'at'; readonly path: string }
  | { readonly kind: 'problem'; readonly problem: string };

/** Where a path below the root leads, all symlinks followed. */
export function targetOf(root: string, path: string): Place | { readonly kind: 'directory'; readonly path: string } {
  try {
    const real = realpathSync.native(absolute(root, path));
    if (real !== root && !real.startsWith(root === '/' ? root : `${root}/`))
      return { kind: 'problem', problem: 'it is a symlink that leads out of the repository' };
    return {
      kind: statSync(real).isDirectory() ? 'directory' : 'at',
      path: real.slice(root === '/' ? 1 : root.length + 1),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { kind: 'problem', problem: 'it is a symlink that leads nowhere' };
  }
}

export function absolute(root: string, path: string): string {
  return path === '' ? root : root === '/' ? `/${path}` : `${root}/${path}`;
}
