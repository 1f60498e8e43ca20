import { HoldfastError } from '../errors/index.ts';
import { type FileAnchor, fileAnchors } from '../policy/anchors.ts';
import { decide } from '../policy/decide.ts';
import type { Policy } from '../policy/policy.ts';
import type { FileAccess } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { HostFacts, PresentPath, WorkspaceFacts } from './facts.ts';
import type { Mount } from './mount.ts';

/** The box's access to a path and, unless a deeper anchor differs, to everything below it. */
export type Access = 'none' | 'read-only' | 'read-write' | 'ephemeral';

export interface Anchor {
  readonly path: string;
  readonly access: Access;
  readonly fact: PresentPath;
  /**
   * `built-in`: a grant of a system directory, shown without owners. `named`: a path that the user names, shown as it
   * is.
   */
  readonly origin: 'built-in' | 'named';
  /** Whether a default, the user or a flag granted reading. */
  readonly grantedBy: 'default' | 'user';
}

/**
 * Returns every path whose facts the planner needs, without duplicates. Below `/tmp` and similar directories the box
 * has its own, which every layer may use. There, only paths that the user names are the host's. Attack: a project's
 * `read = ["/tmp/other"]`.
 */
export function wantedPaths(
  policy: Policy,
  workspace: WorkspaceFacts,
  installation: readonly string[],
): readonly string[] {
  // Denials outside of all named grants count too. A credential store may be a link into the workspace, or a grant a
  // link to the store. Attack: ~/.aws kept in a repository of settings.
  const named = fileAnchors(policy).filter(({ pattern }) => pattern.kind === 'subtree');
  const granted = named.flatMap(({ pattern, use, layer }) =>
    layer === 'user' && grantingUses.includes(use) ? [pattern.base] : [],
  );
  const hosts = [workspace.root, ...workspace.gitDirectories, ...installation, ...granted];
  const paths = new Set([...hosts, ...named.map(({ pattern }) => pattern.base)]);
  const roots = new Set(hosts);
  return [...paths].filter((path) => !isPrivateDirectory(path) && (!isPrivatePath(path) || isBelowAny(path, roots)));
}

/** `isWithin` for many roots at once. */
function isBelowAny(path: string, roots: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (roots.has(at)) return true;
  return roots.has('/');
}

const grantingUses: readonly FileAnchor['use'][] = ['read', 'write', 'ephemeral'];

/** Returns the anchors that exist on the host, parents before children, each with the policy's decision. */
export function resolveAnchors(policy: Policy, facts: HostFacts): readonly Anchor[] {
  const ephemeral = new Set(
    fileAnchors(policy).flatMap((anchor) => (anchor.use === 'ephemeral' ? [anchor.pattern.base] : [])),
  );
  const paths = wantedPaths(policy, facts.workspace, facts.installation);
  const anchors = paths.flatMap((path) => {
    const fact = facts.paths.get(path);
    return fact?.kind === 'present' ? [anchorAt(policy, { path, fact, ephemeral, facts })] : [];
  });
  const sorted = anchors.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  refusePlantedLinks(sorted);
  return sorted;
}

interface AnchorContext {
  readonly path: string;
  readonly fact: PresentPath;
  readonly ephemeral: ReadonlySet<string>;
  readonly facts: HostFacts;
}

function anchorAt(policy: Policy, context: AnchorContext): Anchor {
  const { path, fact } = context;
  const read = decideThrough(policy, 'read', context);
  const changes = (['write', 'create', 'delete'] as const).map((operation) =>
    decideThrough(policy, operation, context),
  );
  // A staged path is kept before it is lost, so it must be readable.
  const readable = isGranted(read.decision) || read.decision === 'stage';
  // No mount is write-only, so a path that is writable but not readable is closed.
  const access =
    readable && changes.every(({ decision }) => isGranted(decision))
      ? context.ephemeral.has(path)
        ? 'ephemeral'
        : 'read-write'
      : readable
        ? 'read-only'
        : 'none';
  const named = read.file !== 'built-in' || isWithin(fact.real, context.facts.user.home);
  return {
    path,
    access,
    fact,
    origin: named ? 'named' : 'built-in',
    grantedBy: read.file === 'built-in' ? 'default' : 'user',
  };
}

/** A grant may name a symlink, but its target must not be denied by name. Attack: a link to a credential store. */
function decideThrough(policy: Policy, operation: FileAccess, { path, fact }: AnchorContext): Verdict {
  const named = decide(policy, { kind: 'file', operation, path: mountedAt(path, fact) });
  if (fact.real === path) return named;
  const real = decide(policy, { kind: 'file', operation, path: mountedAt(fact.real, fact) });
  return real.decision === 'deny' && real.code !== 'not-granted' ? real : named;
}

/** A mount opens all beneath it. A `.git` directory may itself be protected while its content is not. */
function mountedAt(path: string, fact: PresentPath): string {
  return fact.identity.type === 'directory' ? `${path}/any-name-in-it` : path;
}

/**
 * A supervisor carries out `ask`, `stage` and `redirect` outside the box. The planner mounts only paths that are
 * allowed outright.
 */
function isGranted(decision: string): boolean {
  return decision === 'allow' || decision === 'audit';
}

/** An earlier box may have planted a symlink in a writable root, so that the next box mounts its target. */
function refusePlantedLinks(anchors: readonly Anchor[]): void {
  const writable = anchors.filter((anchor) => anchor.access === 'read-write').map((anchor) => anchor.fact.real);
  for (const anchor of anchors.filter(({ access }) => access !== 'none')) {
    const planted = anchor.fact.symlinks.find((link) => writable.some((root) => link.startsWith(`${root}/`)));
    if (planted === undefined) continue;
    throw new HoldfastError(
      'HF_ROOT_CHANGED',
      `${anchor.path} leads through the symlink ${planted}, which a box may have created`,
      {
        remedy: `replace the symlink with its target, or name the real path in the policy: ${anchor.fact.real}`,
        details: { path: anchor.path, symlink: planted },
      },
    );
  }
}

/** Private directories, which never show the host's. Each box gets new ones, even if a grant includes their parents. */
const privateDirectories = ['/tmp', '/var/tmp', '/dev', '/proc', '/run'] as const;

/** Old names of moved directories, which programs still use. */
const compatibilityLinks = [
  { target: '/var/run', to: '/run' },
  { target: '/var/lock', to: '/run/lock' },
] as const;

const megabyte = 1 << 20;
const sharedMemorySize = 512 * megabyte;

/** Returns the mounts of every box. `tmp`: size of the private `/tmp` in bytes, or 0 for the kernel's default. */
export function skeletonMounts(tmp: number): readonly Mount[] {
  return [
    { kind: 'proc', target: '/proc' },
    { kind: 'devices', target: '/dev', shmSize: tmp === 0 ? sharedMemorySize : Math.min(tmp, sharedMemorySize) },
    { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: tmp },
    { kind: 'tmpfs', target: '/var/tmp', mode: 0o1777, size: tmp },
    { kind: 'directory', target: '/run', mode: 0o755 },
    { kind: 'directory', target: '/run/lock', mode: 0o755 },
    ...compatibilityLinks.map((link): Mount => ({ kind: 'symlink', ...link })),
  ];
}

/** Whether a path is itself one of these directories. Paths inside them that a policy names are the host's. */
export function isPrivateDirectory(path: string): boolean {
  return privateDirectories.some((directory) => path === directory);
}

function isPrivatePath(path: string): boolean {
  return privateDirectories.some((directory) => path === directory || path.startsWith(`${directory}/`));
}

/** Whether a path is a directory or is below it. Both must be absolute and normalised. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
