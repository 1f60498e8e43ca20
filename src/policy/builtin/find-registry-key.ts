import {
  changingRegistryOperations,
  everyRegistryOperation,
  registryFinder,
  registryQuery,
} from '../kinds/registry.ts';
import { lazily } from '../lazily.ts';
import type { PathInParts } from '../patterns/resolve-path.ts';
import type { RegistryRequest } from '../request.ts';
import { registryKeys } from './registry-keys.ts';

/** One index for all policies, because building it takes longer than a search. */
const find = lazily(() =>
  registryFinder(
    registryKeys.map(({ key, denies }, index) => ({
      matcher: { key, operations: denies === 'changes' ? changingRegistryOperations : everyRegistryOperation },
      value: index,
      effect: 'restricts' as const,
    })),
  ),
);

/** Returns the position in `registryKeys` of the first key that covers this use of the registry. */
export function findRegistryKey(query: PathInParts): number | undefined {
  return find()(query);
}

/**
 * Returns the MITRE ATT&CK techniques that this use of the registry resembles, most telling first. Empty for ordinary
 * keys.
 */
export function registryTechniques(request: RegistryRequest): readonly string[] {
  const query = registryQuery(request);
  const found = query === undefined ? undefined : findRegistryKey(query);
  return found === undefined ? [] : (registryKeys[found]?.techniques ?? []);
}
