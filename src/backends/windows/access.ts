import { createHash } from 'node:crypto';
import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { canonicalPath, folded } from './paths.ts';

/**
 * One entry of an access list, for the box alone. The entries of each path are in canonical order, with denials first.
 */
export interface AccessEntry {
  readonly path: string;
  readonly effect: 'deny' | 'allow';
  /** Bits of `ACCESS_MASK`. */
  readonly mask: number;
  /** `tree`: everything beneath the path inherits the entry. */
  readonly inherit: 'tree' | 'none';
  readonly why: string;
}

/** Source: Windows, `winnt.h`. */
export const rights = {
  readAndExecute: 0x12_00_a9,
  /** Excludes the right to change access lists and owners. */
  modify: 0x13_01_bf,
  everything: 0x1f_01_ff,
  /** Changes of content, attributes, access list and owner, and deletion of the path or of anything below it. */
  changing: 0x0d_01_56,
  moving: 0x0d_00_00,
  executing: 0x00_00_20,
} as const;

/** Returns the Windows form of a path. */
export type Resolve = (posix: string) => string | undefined;

export interface AccessSource {
  readonly plan: Pick<Plan, 'mounts' | 'protection' | 'programs'>;
  readonly resolve: Resolve;
  readonly privateDirectory: string;
  /** Refuses existing names: see `FoundName`. */
  readonly denials: readonly AccessEntry[];
}

/**
 * Returns every access entry that a launcher sets before the start and removes after the end. A path's own entry always
 * overrides an inherited one, so a denial above a grant is repeated at the grant.
 */
export function accessOf({ plan, resolve, privateDirectory, denials }: AccessSource): readonly AccessEntry[] {
  const mounts = lastOf(plan.mounts.map((mount) => mountEntries(mount, { resolve, privateDirectory })));
  const policy = [...denials, ...policyDenials(plan, resolve)];
  const grants = mounts.filter(({ effect }) => effect === 'allow');
  const structure = mounts.filter(
    ({ effect, path }) => effect === 'deny' && grants.some((grant) => isBeneath(path, grant.path)),
  );
  const repeated = grants.flatMap((grant) =>
    policy
      .filter(({ inherit, path }) => inherit === 'tree' && isBeneath(grant.path, path))
      .map((denial): AccessEntry => ({ ...denial, path: grant.path, inherit: grant.inherit })),
  );
  return inOrder([...structure, ...policy, ...repeated, ...grants]);
}

/** Returns the security descriptor that these entries add to one path, in Windows' definition language (SDDL). */
export function sddlOf(entries: readonly AccessEntry[], sid: string): string {
  return `D:${entries.map(({ effect, mask, inherit }) => `(${effect === 'deny' ? 'D' : 'A'};${inherit === 'tree' ? 'OICI' : ''};0x${mask.toString(16)};;;${sid})`).join('')}`;
}

function mountEntries(
  mount: Mount,
  { resolve, privateDirectory }: Pick<AccessSource, 'resolve' | 'privateDirectory'>,
): readonly AccessEntry[] {
  const at = (posix: string, parts: Omit<AccessEntry, 'path'>): readonly AccessEntry[] => {
    const path = resolve(posix);
    return path === undefined ? [] : [{ path, ...parts }];
  };
  switch (mount.kind) {
    case 'bind': {
      // Attack: a path that is shown elsewhere. No mask would hide its content, because masks apply to the path at
      // which it is shown.
      if (mount.source !== mount.target) return [];
      const inherit = mount.identity.type === 'directory' ? 'tree' : 'none';
      const readable = at(mount.source, {
        effect: 'allow',
        mask: mount.access === 'read-write' ? rights.modify : rights.readAndExecute,
        inherit,
        why: mount.access,
      });
      return mount.access === 'read-write'
        ? readable
        : [...at(mount.source, { effect: 'deny', mask: rights.changing, inherit, why: 'read-only' }), ...readable];
    }
    case 'overlay':
      return [
        ...at(mount.lower, {
          effect: 'deny',
          mask: rights.changing,
          inherit: 'tree',
          why: 'nothing keeps writes aside',
        }),
        ...at(mount.lower, { effect: 'allow', mask: rights.readAndExecute, inherit: 'tree', why: 'read-only' }),
      ];
    case 'tmpfs':
      return [
        ...at(mount.target, {
          effect: 'deny',
          mask: rights.everything,
          inherit: 'tree',
          why: 'a private directory stands in its place',
        }),
        {
          path: privatePath(privateDirectory, mount.target),
          effect: 'allow',
          mask: rights.modify,
          inherit: 'tree',
          why: 'private',
        },
      ];
    case 'mask':
    case 'proc':
    case 'devices':
    case 'directory':
    case 'symlink':
    case 'file':
      return [];
  }
}

/**
 * `mask` entries hide existing files, programs that git would run are guarded, and denied programs cannot be executed.
 */
function policyDenials(
  { mounts, protection, programs }: AccessSource['plan'],
  resolve: Resolve,
): readonly AccessEntry[] {
  const deny = (posix: string, parts: Omit<AccessEntry, 'path' | 'effect'>): readonly AccessEntry[] => {
    const path = resolve(posix);
    return path === undefined ? [] : [{ path, effect: 'deny', ...parts }];
  };
  return [
    ...mounts.flatMap((mount) =>
      mount.kind === 'mask'
        ? deny(mount.target, {
            mask: rights.everything,
            inherit: mount.type === 'directory' ? 'tree' : 'none',
            why: 'hidden',
          })
        : [],
    ),
    ...protection.guarded
      .filter((path) => !protection.released.includes(path))
      .flatMap((path) => deny(path, { mask: rights.changing, inherit: 'tree', why: 'git would run it' })),
    ...programs.flatMap(({ path, program }) =>
      deny(path, { mask: rights.executing, inherit: 'none', why: `the program ${program} is refused` }),
    ),
  ];
}

/** If two mounts have the same path, the later one counts. */
function lastOf(mounts: readonly (readonly AccessEntry[])[]): readonly AccessEntry[] {
  return [
    ...new Map(
      mounts.flatMap((entries) => (entries[0] === undefined ? [] : [[pathKey(entries[0].path), entries] as const])),
    ).values(),
  ].flat();
}

function inOrder(entries: readonly AccessEntry[]): readonly AccessEntry[] {
  const seen = new Map(
    entries.map((entry) => [JSON.stringify([pathKey(entry.path), entry.effect, entry.mask, entry.inherit]), entry]),
  );
  return [...seen.values()].toSorted(
    (a, b) => compare(pathKey(a.path), pathKey(b.path)) || compare(b.effect, a.effect) || a.mask - b.mask,
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Below the box's private directory, paths have the same structure. */
function privatePath(privateDirectory: string, target: string): string {
  return `${privateDirectory}${target.replaceAll('/', '\\')}`;
}

function isBeneath(path: string, directory: string): boolean {
  const [inner, outer] = [pathKey(path), pathKey(directory)];
  return inner !== outer && inner.startsWith(outer.endsWith('\\') ? outer : `${outer}\\`);
}

export function pathKey(path: string): string {
  const canonical = canonicalPath(path);
  return canonical.kind === 'path' ? canonical.path : folded(path);
}

/** The identity under which the command runs. */
export type Identity =
  | {
      readonly kind: 'appcontainer';
      readonly profile: string;
      readonly sid: string;
      /** Always empty: `internetClient` and similar capabilities would open the network outside the proxy. */
      readonly capabilities: readonly [];
    }
  | {
      readonly kind: 'restricted-token';
      /** The security identifier that grants refer to. */
      readonly sid: string;
      /** Groups that can only deny access. */
      readonly denyOnly: readonly string[];
      /** Access has to be granted to the user and to one of these identifiers. */
      readonly restricting: readonly string[];
      readonly integrity: 'low';
      /** All other privileges are removed. */
      readonly privileges: readonly ['SeChangeNotifyPrivilege'];
    };

/** `tag` is different for each box, and consists of letters, digits, dots and hyphens. */
export function windowsIdentity(kind: Identity['kind'], tag: string): Identity {
  if (kind === 'appcontainer') {
    const profile = `holdfast.${tag}`;
    return { kind, profile, sid: appContainerSid(profile), capabilities: [] };
  }
  return {
    kind,
    sid: `S-1-9-${words(tag, 4).join('-')}`,
    // Administrators, power users, and local accounts that are administrators.
    denyOnly: ['S-1-5-32-544', 'S-1-5-32-547', 'S-1-5-114'],
    // Includes Everyone and Users, so that the system's libraries can be loaded.
    restricting: [`S-1-9-${words(tag, 4).join('-')}`, 'S-1-1-0', 'S-1-5-32-545'],
    integrity: 'low',
    privileges: ['SeChangeNotifyPrivilege'],
  };
}

/**
 * Computed as `DeriveAppContainerSidFromAppContainerName` does it: the first seven words of the SHA-256 of the name in
 * lower case.
 */
export function appContainerSid(profile: string): string {
  return `S-1-15-2-${words(profile.toLowerCase(), 7).join('-')}`;
}

function words(text: string, count: number): readonly number[] {
  const digest = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest();
  return Array.from({ length: count }, (_, index) => digest.readUInt32LE(index * 4));
}
