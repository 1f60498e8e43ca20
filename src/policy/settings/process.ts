import type { Policy } from '../policy.ts';

export interface ProcessSettings {
  /** Whether processes in the box may trace each other. */
  readonly ptrace: 'allow' | 'deny';
}

/** Tracing is allowed only if the user allows it and no other layer denies it. */
export function processOf(policy: Policy): ProcessSettings {
  const wishes = policy.layers.flatMap(({ kind, settings }) => (settings.ptrace === undefined ? [] : [{ kind, value: settings.ptrace.value }]));
  const isAsked = wishes.some(({ kind, value }) => kind === 'user' && value === 'allow');
  return { ptrace: isAsked && wishes.every(({ value }) => value === 'allow') ? 'allow' : 'deny' };
}
