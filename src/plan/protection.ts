import { fileAnchors, hiddenNames, protectedNames, type Policy } from '../policy/index.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Mount, ProtectedName, Protection } from './types.ts';

/** Names that are looked for in every writable root, and what happens to them there. */
export function planProtection(policy: Policy, mounts: readonly Mount[]): Protection {
  const roots = mounts.flatMap((mount) => (mount.kind === 'bind' && mount.access === 'read-write' && mount.identity.type === 'directory' ? [mount.target] : []));
  return {
    roots: roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(`${other}/`))),
    names: [...protectedNames(policy), ...hiddenNames(policy), ...globNames(policy)],
  };
}

/** `deny = ["**\/secrets/*.key"]`: a glob that the launcher can look for by components. Others could not be enforced. */
function globNames(policy: Policy): readonly ProtectedName[] {
  return fileAnchors(policy).flatMap((anchor): ProtectedName[] => {
    if (anchor.pattern.kind !== 'glob' || anchor.layer === 'required' || (anchor.use !== 'deny' && anchor.use !== 'protect')) return [];
    const components = componentsOf(anchor.pattern.source);
    if (components === undefined) throw unenforceable(anchor.pattern.source, anchor.rule);
    return [{ components, effect: anchor.use === 'deny' ? 'hidden' : 'read-only', except: [], scope: 'anywhere', reason: anchor.rule }];
  });
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
