import type { Mount, RootFile } from '../../plan/mount.ts';
import { fromReadable } from '../view/byte-text.ts';

/** The plan's view of a path, in a box without mounts. */
export type ShownPlace =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'host'; readonly access: 'read-only' | 'read-write' }
  /** The path exists, but can neither be read nor written. */
  | { readonly kind: 'masked' }
  | { readonly kind: 'file'; readonly file: RootFile }
  | { readonly kind: 'devices' }
  | { readonly kind: 'processes' };

export interface ShownPlaces {
  /** The place of a real path, as bytes in latin1. */
  at(path: string): ShownPlace;
  /** Whether a separate place is at a path or below it. Moving the path would move that place too. */
  holds(path: string): boolean;
}

const nothing: ShownPlace = { kind: 'nothing' };

/** The deepest place around a path counts. If two have the same path, the later one counts. */
export function shownPlaces(mounts: readonly Mount[]): ShownPlaces {
  const places = new Map<string, ShownPlace>();
  for (const mount of mounts) if (mount.kind !== 'symlink') places.set(fromReadable(mount.target), shownBy(mount));
  const above = new Set([...places.keys()].flatMap((target) => [...parentsOf(target), target]));
  return {
    holds: (path) => above.has(path),
    at(path) {
      for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
        const found = places.get(at);
        // A file in memory has nothing below it. A directory that exists only as a mount point shows no host files.
        if (found !== undefined) return found.kind === 'file' && at !== path ? nothing : found;
      }
      return places.get('/') ?? nothing;
    },
  };
}

function shownBy(mount: Exclude<Mount, { kind: 'symlink' }>): ShownPlace {
  switch (mount.kind) {
    case 'bind':
      return { kind: 'host', access: mount.access };
    case 'file':
      return { kind: 'file', file: mount };
    case 'mask':
      return { kind: 'masked' };
    case 'devices':
      return { kind: 'devices' };
    case 'proc':
      return { kind: 'processes' };
    // Without mounts, the launcher makes the box's private directory on the host.
    case 'tmpfs':
      return { kind: 'host', access: 'read-write' };
    case 'overlay':
    case 'directory':
      return nothing;
  }
}

function parentsOf(path: string): readonly string[] {
  const parents: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.push(path.slice(0, at));
  return parents;
}
