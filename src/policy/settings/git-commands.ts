import type { Policy } from '../policy.ts';

/** How commands of git that read are run: as they are only if the user says so and no other layer says otherwise. */
export function gitCommandsOf(policy: Policy): 'neutral' | 'as-is' {
  // The user's layer says one or the other, so that another layer's "as-is" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.gitCommands?.value === 'neutral') ? 'neutral' : 'as-is';
}
