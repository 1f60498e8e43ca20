import { findRegistryKey } from './builtin/find-registry-key.ts';
import { registryKeys } from './builtin/registry-keys.ts';
import { registryQuery } from './kinds/registry.ts';
import type { RegistryRequest } from './request.ts';

/**
 * What of MITRE ATT&CK such a use of the registry would look like, most telling first; empty for keys that are like any
 * other.
 */
export function registryTechniques(request: RegistryRequest): readonly string[] {
  const query = registryQuery(request);
  const found = query === undefined ? undefined : findRegistryKey(query);
  return found === undefined ? [] : (registryKeys[found]?.techniques ?? []);
}
