import type { Policy } from '../policy.ts';

export interface ProcessSettings {
  /** Whether processes in the box may trace each other. */
  readonly ptrace: 'allow' | 'deny';
}

/** Tracing is allowed only if the user allows it and no other layer denies it. */
export function processSettings(policy: Policy): ProcessSettings {
  // Every base sets one or the other, so another layer's "allow" alone allows nothing.
  const isDenied = policy.layers.some(({ settings }) => settings.ptrace?.value === 'deny');
  return { ptrace: isDenied ? 'deny' : 'allow' };
}
