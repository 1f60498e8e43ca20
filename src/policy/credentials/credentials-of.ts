import type { Policy } from '../policy.ts';
import type { CredentialGroup } from './credential-group.ts';
import type { Credential } from './types.ts';

/**
 * Every credential of a policy: those of one table one after the other, and of two that are called alike the one with
 * more authority.
 */
export function credentialsOf(policy: Policy): readonly Credential[] {
  return groupsOf(policy).flatMap(({ credentials }) => credentials);
}

export function groupsOf({ layers }: Policy): readonly CredentialGroup[] {
  const names = new Set<string>();
  return layers.flatMap(({ credentials }) =>
    credentials.filter(({ name }) => {
      const isNew = !names.has(name);
      names.add(name);
      return isNew;
    }),
  );
}

/**
 * Where phantoms are looked for: beyond the hosts of credentials unless the user says so and no other layer says
 * otherwise.
 */
export function watchOf(policy: Policy): 'every-host' | 'bound-hosts' {
  // The user's layer says one or the other, so that another layer's "bound-hosts" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.watch?.value === 'every-host') ? 'every-host' : 'bound-hosts';
}
