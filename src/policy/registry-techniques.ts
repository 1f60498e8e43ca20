import { findRegistryKey } from './builtin/find-registry-key.ts';
import { registryKeys } from './builtin/registry-keys.ts';
import { registryQuery } from './kinds/registry.ts';
import type { RegistryRequest } from './request.ts';

/**
 * Returns the MITRE ATT&CK techniques that this use of the registry resembles, most telling first. Empty for ordinary
 * keys.
 */
export function registryTechniques(request: RegistryRequest): readonly string[] {
  const query = registryQuery(request);
  const found = query === undefined ? undefined : findRegistryKey(query);
  return found === undefined ? [] : (registryKeys[found]?.techniques ?? []);
}
