import type { Credential } from './types.ts';

/** What secret stores and phantom registries know a credential by: those of one group share a secret and a phantom. */
export function groupOf({ name, group }: Pick<Credential, 'name' | 'group'>): string {
  return group ?? name;
}
