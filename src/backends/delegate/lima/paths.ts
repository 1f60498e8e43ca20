import { below, isPlainPath, unmapped, type Mapped } from '../mapping.ts';
import type { LimaMount } from './instances.ts';

interface Shared {
  readonly host: string;
  readonly guest: string;
  readonly access: 'writable' | 'read-only';
}

/** Where a path of the host lies in the guest: below the longest location that is shared. Pure: symlinks are the caller's matter. */
export function toLimaGuest(path: string, mounts: readonly LimaMount[], home: string): Mapped {
  return mapBy(path, sharedOf(mounts, home), { from: 'host', to: 'guest' });
}

/** Where a path of the guest lies on the host. */
export function toLimaHost(path: string, mounts: readonly LimaMount[], home: string): Mapped {
  return mapBy(path, sharedOf(mounts, home), { from: 'guest', to: 'host' });
}

function mapBy(path: string, shared: readonly Shared[], { from, to }: { readonly from: 'host' | 'guest'; readonly to: 'host' | 'guest' }): Mapped {
  if (!isPlainPath(path)) return unmapped('it is no absolute path in its plain form');
  const found = longest(path, shared, from);
  if (found === undefined) return unmapped('no mount of the instance has it');
  const there = join(found[to], below(found[from], path) ?? '');
  // A mount of the guest over a part of this one shows something else there.
  return longest(there, shared, to) === found ? { kind: 'mapped', path: there, access: found.access } : unmapped('another mount of the instance hides it');
}

/** Of two mounts at one place the later one is seen. */
function longest(path: string, shared: readonly Shared[], side: 'host' | 'guest'): Shared | undefined {
  return shared.filter((one) => below(one[side], path) !== undefined).toSorted((a, b) => a[side].length - b[side].length).at(-1);
}

/** Locations that are no plain paths (templates, relative ones) share nothing. */
function sharedOf(mounts: readonly LimaMount[], home: string): readonly Shared[] {
  return mounts.flatMap(({ location, mountPoint, writable }): readonly Shared[] => {
    const host = plain(location, home);
    const guest = mountPoint === undefined || mountPoint === '' ? host : plain(mountPoint, '');
    return host === undefined || guest === undefined ? [] : [{ host, guest, access: writable === true ? 'writable' : 'read-only' }];
  });
}

function plain(path: string, home: string): string | undefined {
  const whole = path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
  const trimmed = whole.length > 1 ? whole.replace(/\/$/u, '') : whole;
  return isPlainPath(trimmed) ? trimmed : undefined;
}

function join(directory: string, rest: string): string {
  if (directory === '/') return rest === '' ? '/' : rest;
  return `${directory}${rest}`;
}
