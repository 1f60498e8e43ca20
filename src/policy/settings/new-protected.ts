import type { Policy } from '../policy.ts';

/**
 * What becomes of a protected name that a command makes: quarantined only if the user says so and no other layer says
 * otherwise.
 */
export function newProtectedOf(policy: Policy): 'refuse' | 'quarantine' {
  // Every base says one or the other, so that another layer's "quarantine" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.newProtected?.value === 'refuse') ? 'refuse' : 'quarantine';
}
