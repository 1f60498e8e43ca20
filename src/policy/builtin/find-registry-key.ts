import { changingRegistryOperations, everyRegistryOperation, registryFinder } from '../kinds/registry.ts';
import { lazily } from '../lazily.ts';
import type { PathInParts } from '../patterns/resolve-path.ts';
import { registryKeys } from './registry-keys.ts';

/** One for all policies: making it takes longer than asking it. */
const find = lazily(() =>
  registryFinder(
    registryKeys.map(({ key, denies }, index) => ({
      matcher: { key, operations: denies === 'changes' ? changingRegistryOperations : everyRegistryOperation },
      value: index,
      effect: 'restricts' as const,
    })),
  ),
);

/** Position in `registryKeys` of the first that is about such a use of the registry. */
export function findRegistryKey(query: PathInParts): number | undefined {
  return find()(query);
}
