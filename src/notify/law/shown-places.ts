import type { RootFile, Mount } from '../../plan/types.ts';
import { fromReadable } from '../view/byte-text.ts';

/** The plan's view of a path, where no mounts show it. */
export type ShownPlace =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'host'; readonly access: 'read-only' | 'read-write' }
  /** There, and neither to be read nor written. */
  | { readonly kind: 'masked' }
  | { readonly kind: 'file'; readonly file: RootFile }
  | { readonly kind: 'devices' }
  | { readonly kind: 'processes' };

export interface ShownPlaces {
  /** Of a real path, as bytes in latin1. */
  at(path: string): ShownPlace;
  /** Whether a place of its own is at a path or below. Moving the path would take that place along. */
  holds(path: string): boolean;
}

const nothing: ShownPlace = { kind: 'nothing' };

/** The deepest place around a path counts, and of two at one place the later. */
export function shownPlaces(mounts: readonly Mount[]): ShownPlaces {
  const places = new Map<string, ShownPlace>();
  for (const mount of mounts) if (mount.kind !== 'symlink') places.set(fromReadable(mount.target), shownBy(mount));
  const above = new Set([...places.keys()].flatMap((target) => [...parentsOf(target), target]));
  return {
    holds: (path) => above.has(path),
    at(path) {
      for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
        const found = places.get(at);
        // A file of memory has nothing below it. A directory that exists only for its mounts shows no file of the host.
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
    // In a plan without mounts it is the private directory of the box, which the launcher has made on the host.
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
