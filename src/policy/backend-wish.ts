import { HoldfastError } from '../errors/index.ts';
import type { Setting } from './layers/settings.ts';
import type { Policy } from './policy.ts';
import type { BackendChoice } from './settings/levels.ts';

/** Whether a supervisor may stay in the background. It may, unless any layer says no. */
export function residentOf(policy: Pick<Policy, 'layers'>): 'auto' | 'never' {
  return policy.layers.some(({ settings }) => settings.resident?.value === 'never') ? 'never' : 'auto';
}

/** Every backend that a layer names, except `auto`. More than one is a contradiction. */
export function backendWishes(policy: Policy): readonly Setting<BackendChoice>[] {
  const wishes = policy.layers.flatMap(({ settings }) =>
    settings.backend === undefined || settings.backend.value === 'auto' ? [] : [settings.backend],
  );
  return [...new Map(wishes.map((wish) => [wish.value, wish])).values()];
}

/**
 * The wish of a person: of the user's own policy or the administrator's. A project's or a session's policy may only
 * narrow.
 */
export function personalWish(policy: Policy): Setting<BackendChoice> | undefined {
  return backendWishes({ layers: policy.layers.filter(({ kind }) => kind === 'user' || kind === 'managed') })[0];
}

/** Returns the backend that the layers agree on. Throws `HF_POLICY_INVALID` if they name different ones. */
export function backendOf(policy: Policy): BackendChoice {
  const [first, second] = backendWishes(policy);
  if (first === undefined) return 'auto';
  if (second === undefined) return first.value;
  throw new HoldfastError('HF_POLICY_INVALID', contradiction(first, second), {
    remedy: 'set use = "auto" in one of them',
  });
}

/** Names both backends in one sentence. */
export function contradiction(first: Setting<BackendChoice>, second: Setting<BackendChoice>): string {
  const place = ({ value, origin }: Setting<BackendChoice>): string =>
    `${origin.file}:${origin.line} demands the ${value} backend`;
  return `${place(first)} and ${place(second)}`;
}
