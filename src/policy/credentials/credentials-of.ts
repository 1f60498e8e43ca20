import type { Policy } from '../policy.ts';
import type { CredentialGroup } from './credential-group.ts';
import type { Credential } from './types.ts';

/**
 * Returns every credential of a policy. Those of one table follow each other; of two with the same name, the one with
 * more authority counts.
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
 * Returns where phantoms are searched for: at every host, unless the user says "bound-hosts" and no other layer says
 * "every-host".
 */
export function watchOf(policy: Policy): 'every-host' | 'bound-hosts' {
  // The user's layer sets one or the other, so another layer's "bound-hosts" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.watch?.value === 'every-host') ? 'every-host' : 'bound-hosts';
}
