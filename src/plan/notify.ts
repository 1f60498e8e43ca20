import { namedPrograms, newProtectedOf, type Policy } from '../policy/index.ts';
import type { LandlockPlan, NotifyGroup, NotifyPlan, Protection } from './types.ts';

/**
 * Who looks at system calls that stop. A supervisor is asked only where some rule needs it, and only about what that rule is
 * about: with none, nothing costs anything. It guards new names as well, because a box has one listener.
 */
export function planNotify(policy: Policy, protection: Protection, { execution }: Pick<LandlockPlan, 'execution'>): NotifyPlan {
  const guards = newProtectedOf(policy) === 'refuse' && protection.roots.length > 0 && protection.names.length > 0;
  const wanted = new Set(policy.layers.flatMap((layer) => layer.uses().flatMap(groupsOf)).concat(namedPrograms(policy)?.nested === 'judged' ? ['executions'] : []));
  // What is made in memory has no place that Landlock could look at.
  if (execution === 'listed') wanted.add('memory-files');
  if (wanted.size === 0) return { kind: guards ? 'guard' : 'none' };
  return { kind: 'supervisor', groups: inOrder.filter((group) => wanted.has(group) || (guards && group === 'creations')) };
}

type Use = ReturnType<Policy['layers'][number]['uses']>[number];

const inOrder: readonly NotifyGroup[] = ['opens', 'creations', 'deletions', 'renames', 'truncations', 'metadata', 'sockets', 'signals', 'executions', 'memory-files'];
const readingGroups: readonly NotifyGroup[] = ['opens'];
const changingGroups: readonly NotifyGroup[] = ['opens', 'creations', 'deletions', 'renames', 'truncations', 'metadata'];

function groupsOf({ kind, decision, operations, from }: Use): readonly NotifyGroup[] {
  // The lists are held by mounts, and so is what rules about files allow or deny.
  if (from === 'list' || decision === 'allow') return [];
  switch (kind) {
    case 'file':
      if (decision === 'deny') return [];
      // What is hidden from reading is hidden from everything else too, which the supervisor then does for the box.
      return decision === 'audit' && operations?.every((operation) => operation === 'read' || operation === 'execute') === true ? readingGroups : changingGroups;
    case 'socket':
      return ['sockets'];
    case 'signal':
      return ['signals'];
    default:
      return [];
  }
}
