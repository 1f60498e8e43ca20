import { HoldfastError } from '../errors/index.ts';
import { type Access, type Anchor, isPrivateDirectory, isWithin, skeletonMounts } from './anchors.ts';
import type { HostFacts } from './facts.ts';
import type { BindMount, Mount, RootFile } from './mount.ts';

export interface MountOptions {
  /** Bytes of the private `/tmp`; 0 for the kernel's default. */
  readonly tmp: number;
  /** Files that exist only inside the box. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Files that replace the host's. */
  readonly resolver: readonly RootFile[];
}

/**
 * Returns the mounts of the box in the order in which they are made: skeleton, links, grants by depth, private files.
 */
export function planMounts(anchors: readonly Anchor[], facts: HostFacts, options: MountOptions): readonly Mount[] {
  const real = byRealPath(anchors);
  const grants = real.flatMap((anchor, index) => grantMounts(anchor, accessAbove(real, index), facts));
  const links = anchors
    .flatMap(linkTo)
    .filter(
      (link) => !real.some((anchor) => anchor.access !== 'none' && link.target.startsWith(`${anchor.fact.real}/`)),
    );
  const files = options.files.map(
    (file): Mount => ({ kind: 'file', target: file.path, mode: 0o444, content: file.content }),
  );
  const home: Mount = { kind: 'directory', target: facts.user.home, mode: 0o755 };
  return [
    ...skeletonMounts(options.tmp),
    ...links,
    ...grants.filter(isNotPrivateRoot),
    home,
    ...files,
    ...options.resolver,
  ].filter(unique());
}

/** Mounts are made at real paths. If two names lead to one path, the stricter access counts. */
function byRealPath(anchors: readonly Anchor[]): readonly Anchor[] {
  const strictness: Readonly<Record<Access, number>> = { none: 3, 'read-only': 2, ephemeral: 1, 'read-write': 0 };
  const places = new Map<string, Anchor>();
  for (const anchor of anchors) {
    const known = places.get(anchor.fact.real);
    if (known === undefined || strictness[anchor.access] > strictness[known.access])
      places.set(anchor.fact.real, anchor);
  }
  return [...places.values()].toSorted((a, b) => (a.fact.real < b.fact.real ? -1 : 1));
}

/**
 * Returns the access of the nearest anchor above. Throws for a grant inside a mask, because nothing can be mounted
 * there.
 */
function accessAbove(anchors: readonly Anchor[], index: number): Access {
  const { access, path, fact } = anchors[index] ?? {};
  const place = fact?.real ?? '/';
  const above = anchors.slice(0, index).findLast((anchor) => isWithin(place, anchor.fact.real));
  if (above?.access === 'none' && access !== 'none' && isMasked(anchors, above))
    throw unopenable(path ?? place, above.path);
  return above?.access ?? 'none';
}

/** Only a closed path inside a mount needs a mask; others do not exist in the box. */
function isMasked(anchors: readonly Anchor[], { fact }: Anchor): boolean {
  return anchors.some(
    (anchor) => anchor.access !== 'none' && anchor.fact.real !== fact.real && isWithin(fact.real, anchor.fact.real),
  );
}

function unopenable(path: string, closed: string): HoldfastError {
  return new HoldfastError(
    'HF_POLICY_INVALID',
    `${path} is granted, but the policy denies or asks about all of ${closed}: a box cannot get a part of it`,
    {
      remedy: `deny the other paths in ${closed} one by one, or remove the grant of ${path}`,
    },
  );
}

function grantMounts(anchor: Anchor, above: Access, facts: HostFacts): readonly Mount[] {
  if (anchor.access === above) return [];
  switch (anchor.access) {
    case 'none':
      return [{ kind: 'mask', target: anchor.fact.real, type: anchor.fact.identity.type }];
    case 'ephemeral':
      return [ephemeralMount(anchor, facts)];
    case 'read-only':
    case 'read-write':
      return [bindMount(anchor, facts)];
  }
}

/** Grants may name paths in private directories (a socket in `/run`), but never replace the directories themselves. */
function isNotPrivateRoot(mount: Mount): boolean {
  return !isPrivateDirectory(mount.target);
}

function ephemeralMount(anchor: Anchor, facts: HostFacts): Mount {
  if (facts.overlay === 'available' && anchor.fact.identity.type === 'directory') {
    return { kind: 'overlay', lower: anchor.fact.real, target: anchor.fact.real, identity: anchor.fact.identity };
  }
  return { kind: 'tmpfs', target: anchor.fact.real, mode: 0o755, size: 0 };
}

/** Maps owners if root runs the box: it becomes the owner in another user's workspace, and a stranger in the system. */
function ownershipOf({ fact, access, origin }: Anchor, { user, workspace }: HostFacts): BindMount['ownership'] {
  if (user.uid !== 0) return 'as-is';
  if ([workspace.root, ...workspace.gitDirectories].some((own) => isWithin(fact.real, own))) return 'as-root';
  return access === 'read-only' && origin === 'built-in' && !isWithin(fact.real, '/sys') ? 'foreign' : 'as-is';
}

function bindMount(anchor: Anchor, facts: HostFacts): Mount {
  return {
    kind: 'bind',
    source: anchor.fact.real,
    target: anchor.fact.real,
    access: anchor.access === 'read-write' ? 'read-write' : 'read-only',
    ownership: ownershipOf(anchor, facts),
    identity: anchor.fact.identity,
    presence: anchor.origin === 'built-in' ? 'optional' : 'required',
  };
}

/** A link such as `/bin` on a merged-usr system: the box gets the same link. */
function linkTo(anchor: Anchor): readonly Mount[] {
  const onlyLast = anchor.fact.symlinks.length === 1 && anchor.fact.symlinks[0] === anchor.path;
  if (!onlyLast || anchor.fact.linkText === undefined) return [];
  return [{ kind: 'symlink', target: anchor.path, to: anchor.fact.linkText }];
}

function unique(): (mount: Mount) => boolean {
  const seen = new Set<string>();
  return (mount) => {
    if (seen.has(mount.target)) return false;
    seen.add(mount.target);
    return true;
  };
}
