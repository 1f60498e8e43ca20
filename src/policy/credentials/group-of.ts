import type { Credential } from './types.ts';

/**
 * Returns the name by which secret stores and phantom registries know a credential. Credentials of one group share a
 * secret and a phantom.
 */
export function groupOf({ name, group }: Pick<Credential, 'name' | 'group'>): string {
  return group ?? name;
}
