import type { Policy } from '../policy.ts';

/** Returns how reading git commands run: `as-is` only if the user says so and no other layer says `neutral`. */
export function gitCommandsOf(policy: Policy): 'neutral' | 'as-is' {
  // The user's layer sets one or the other, so another layer's "as-is" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.gitCommands?.value === 'neutral') ? 'neutral' : 'as-is';
}
