import { fileAnchors, hiddenNames, pinnedNames, protectedNames, releasedPaths, type Policy } from '../policy/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { isWithin } from './anchors.ts';
import type { WorkspaceFacts } from './facts.ts';
import type { Mount, ProtectedName, Protection } from './types.ts';

/** Names that are looked for in every writable root, and what happens to them there. */
export function planProtection(policy: Policy, mounts: readonly Mount[], workspace: WorkspaceFacts): Protection {
  const roots = mounts.flatMap((mount) => (mount.kind === 'bind' && mount.access === 'read-write' && mount.identity.type === 'directory' ? [mount.target] : []));
  const outermost = roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(`${other}/`)));
  return {
    roots: outermost,
    gitDirectories: workspace.gitDirectories.filter((directory) => outermost.includes(directory)),
    names: [...pinnedNames(policy), ...protectedNames(policy), ...hiddenNames(policy), ...globNames(policy, mounts)],
    released: releasedPaths(policy),
  };
}

/** `deny = ["**\/secrets/*.key"]`: a glob that the launcher can look for by components. */
function globNames(policy: Policy, mounts: readonly Mount[]): readonly ProtectedName[] {
  return fileAnchors(policy).flatMap((anchor): ProtectedName[] => {
    const { pattern, use, layer, rule } = anchor;
    if (pattern.kind !== 'glob' || layer === 'required' || (use !== 'deny' && use !== 'protect') || !isVisible(pattern.base, mounts)) return [];
    const components = componentsOf(pattern.source);
    if (components === undefined) throw unenforceable(pattern.source, rule);
    return [{ components, effect: use === 'deny' ? 'hidden' : 'read-only', except: [], scope: 'anywhere', reason: rule }];
  });
}

/** Whether anything of the host below `base` is in the box at all; what is not mounted needs no enforcement. */
function isVisible(base: string, mounts: readonly Mount[]): boolean {
  return mounts.some((mount) => (mount.kind === 'bind' || mount.kind === 'overlay') && (isWithin(base, mount.target) || isWithin(mount.target, base)));
}

function componentsOf(source: string): readonly string[] | undefined {
  const components = source.replace(/^\*\*\//u, '').replace(/\/\*\*$/u, '').split('/');
  const simple = source.startsWith('**/') && components.length <= 8 && components.every((part) => part !== '' && part !== '**');
  return simple ? components : undefined;
}

function unenforceable(source: string, rule: string): HoldfastError {
  return new HoldfastError('HF_POLICY_INVALID', `the pattern ${JSON.stringify(source)} of ${rule} cannot be enforced by the kernel`, {
    remedy: 'write it as a path, or as `**/name` or `**/directory/*.ext`, which are looked for in every writable root',
  });
}
