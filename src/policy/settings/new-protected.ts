import type { Policy } from '../policy.ts';

/**
 * Returns what happens to a protected name that a command makes. It is quarantined only if the user says so and no
 * other layer disagrees.
 */
export function newProtectedOf(policy: Policy): 'refuse' | 'quarantine' {
  // Every base sets one or the other, so another layer's "quarantine" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.newProtected?.value === 'refuse') ? 'refuse' : 'quarantine';
}
