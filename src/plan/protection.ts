import { HoldfastError } from '../errors/index.ts';
import { fileAnchors, filesByName } from '../policy/anchors.ts';
import {
  hiddenNames,
  pinnedNames,
  namesProtectedBy,
  refusalInstead,
  releasedPaths,
  searchedNames,
} from '../policy/check-files.ts';
import { suspectNames } from '../policy/builtin/suspects.ts';
import { decide } from '../policy/decide.ts';
import type { Policy } from '../policy/policy.ts';
import { type Anchor, isWithin } from './anchors.ts';
import type { WorkspaceFacts } from './facts.ts';
import type { BindMount, Mount } from './mount.ts';
import type { ProtectedName, Protection } from './types.ts';

export interface ProtectionFacts {
  readonly mounts: readonly Mount[];
  readonly anchors: readonly Anchor[];
  readonly workspace: WorkspaceFacts;
  readonly gitPrograms: readonly string[];
  readonly home: string;
  readonly withheld: readonly (readonly string[])[];
}

/** Returns the names that are searched for in every writable root and every shown directory, and their treatment. */
export function planProtection(
  policy: Policy,
  { mounts, anchors, workspace, gitPrograms, home, withheld }: ProtectionFacts,
): Protection {
  const roots = outermost(
    mounts.flatMap((mount) =>
      mount.kind === 'bind' && mount.access === 'read-write' && mount.identity.type === 'directory'
        ? [mount.target]
        : [],
    ),
  );
  return {
    roots,
    shownRoots: outermost(shownDirectories(anchors, workspace.root)).filter(
      (shown) => !roots.some((root) => isWithin(shown, root)),
    ),
    gitDirectories: workspace.gitDirectories.filter((directory) => roots.includes(directory)),
    names: [
      ...pinnedNames(policy),
      ...namesProtectedBy(policy),
      ...hiddenNames(policy),
      ...globNames(policy, mounts),
      ...withheld.map(withheldName),
      ...suspectNames.map(suspectName),
    ],
    withholding: [workspace.root],
    unjudged: filesByName(policy),
    // Guarding a path that leads to a whole root would close the workspace.
    guarded: gitPrograms.filter((path) => roots.some((root) => path !== root && isWithin(path, root))),
    released: [
      ...releasedPaths(policy).filter((path) => isReleased(policy, path)),
      ...grantedSockets(policy, anchors, home),
    ],
  };
}

/** A release of the built-in protection does not lift another layer's denial by name or by rule. */
function isReleased(policy: Policy, path: string): boolean {
  return (['read', 'write'] as const).every((operation) => {
    const { decision, code } = decide(policy, { kind: 'file', operation, path });
    return decision !== 'deny' || code === 'not-granted' || code === 'outside-ceiling';
  });
}

/** Files of a package are code that the box runs anyway, and no program loads the example configurations in it. */
function withheldName(components: readonly string[]): ProtectedName {
  return {
    components,
    effect: 'withheld',
    except: [],
    scope: 'outside-packages',
    reason: 'a program loads it by itself, and it takes effect only when someone has approved it',
  };
}

function suspectName(components: readonly string[]): ProtectedName {
  return { components, effect: 'suspect', except: [], scope: 'outside-packages', reason: 'it holds a secret' };
}

/** Sockets that the policy names stay reachable. The launcher covers all other sockets with a listener. */
function grantedSockets(policy: Policy, anchors: readonly Anchor[], home: string): readonly string[] {
  const shown = anchors.flatMap(({ fact, grantedBy }) =>
    grantedBy === 'user' && fact.identity.type === 'other' ? [fact.real] : [],
  );
  const named = policy.layers.flatMap((layer) =>
    layer
      .statements()
      .flatMap(({ subject, value }) => (subject === 'sockets.allow' ? [value.replace(/^~\//u, `${home}/`)] : [])),
  );
  return [
    ...shown,
    ...named.filter(
      (address) =>
        address.startsWith('/') &&
        decide(policy, { kind: 'socket', operation: 'connect', address }).decision === 'allow',
    ),
  ];
}

/**
 * Toolchains that the defaults show are not searched, because they are large and hold no secrets of the user. The
 * workspace is searched even if it is read-only. Attack: a repository whose own policy says `write = []`.
 */
function shownDirectories(anchors: readonly Anchor[], workspace: string): readonly string[] {
  return anchors.flatMap(({ access, grantedBy, fact }) => {
    const searched = grantedBy === 'user' || isWithin(fact.real, workspace);
    return searched && (access === 'read-only' || access === 'ephemeral') && fact.identity.type === 'directory'
      ? [fact.real]
      : [];
  });
}

function outermost(directories: readonly string[]): readonly string[] {
  return directories.filter(
    (directory) => !directories.some((other) => other !== directory && directory.startsWith(`${other}/`)),
  );
}

/** `deny = ["**\/secrets/*.key"]`: a glob that the launcher can search for by its components. */
function globNames(policy: Policy, mounts: readonly Mount[]): readonly ProtectedName[] {
  return fileAnchors(policy).flatMap((anchor): ProtectedName[] => {
    const { pattern, use, rule, file } = anchor;
    if (pattern.kind !== 'glob' || (use !== 'deny' && use !== 'protect') || !isVisible(pattern.base, mounts)) return [];
    // Built-in names are searched for without their home directory. Hiding a few more files does no harm.
    const components = searchedNames(file === 'built-in' ? pattern.source.replace(/^~\//u, '**/') : pattern.source);
    if (components === undefined) throw unenforceable(pattern.source, rule);
    return [
      { components, effect: use === 'deny' ? 'hidden' : 'read-only', except: [], scope: 'anywhere', reason: rule },
    ];
  });
}

/** Whether the box sees any host path below `base`. Unmounted paths need no enforcement. */
function isVisible(base: string, mounts: readonly Mount[]): boolean {
  return mounts.some(
    (mount) =>
      (mount.kind === 'bind' || mount.kind === 'overlay') &&
      (isWithin(base, mount.target) || isWithin(mount.target, base)),
  );
}

function unenforceable(source: string, rule: string): HoldfastError {
  return new HoldfastError(
    'HF_POLICY_INVALID',
    `the pattern ${JSON.stringify(source)} of ${rule} cannot be enforced by the kernel`,
    {
      remedy: `write "${refusalInstead(source)}"`,
    },
  );
}

/**
 * Holds the names of read-only directories in which something is hidden. The kernel removes a mount together with the
 * file below it, so a file that the host replaces is visible until it is covered again. A strict box never shows it.
 */
export function holdNames(mounts: readonly Mount[], { shownRoots }: Pick<Protection, 'shownRoots'>): readonly Mount[] {
  const masks = mounts.flatMap((mount) => (mount.kind === 'mask' ? [mount.target] : []));
  return mounts.map((mount) =>
    isShownDirectory(mount) &&
    (shownRoots.some((root) => isWithin(mount.target, root)) || masks.some((mask) => isWithin(mask, mount.target)))
      ? { ...mount, names: 'held' }
      : mount,
  );
}

/** Files shown without owners belong to the system: a box reads those that anyone may read. */
function isShownDirectory(mount: Mount): mount is BindMount {
  return (
    mount.kind === 'bind' &&
    mount.access === 'read-only' &&
    mount.identity.type === 'directory' &&
    mount.ownership !== 'foreign'
  );
}
