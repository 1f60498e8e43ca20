import type { Policy } from '../policy.ts';

/**
 * Returns what happens when a box connects to a host socket that appears after its start. It is reached only if the
 * user says so and no other layer disagrees.
 */
export function laterSocketsOf(policy: Policy): 'refuse' | 'reach' {
  // Every base sets one or the other, so another layer's "reach" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.laterSockets?.value === 'refuse') ? 'refuse' : 'reach';
}
