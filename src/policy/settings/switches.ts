import type { PolicyDocument } from '../document/types.ts';
import type { Policy } from '../policy.ts';

interface ProcessSettings {
  /** Whether processes in the box may trace each other. */
  readonly ptrace: 'allow' | 'deny';
}

/** Tracing is allowed only if the user allows it and no other layer denies it. */
export function processSettings(policy: Policy): ProcessSettings {
  // Every base sets one or the other, so another layer's "allow" alone allows nothing.
  const isDenied = policy.layers.some(({ settings }) => settings.ptrace?.value === 'deny');
  return { ptrace: isDenied ? 'deny' : 'allow' };
}

/**
 * Returns the programs that a box may run. Any layer can narrow the set, and none widens it again. Requiring the
 * guarantee has the same effect.
 */
export function programsOf({ layers }: Policy): 'any' | 'installed' {
  const narrowed = layers.some(
    ({ settings: { programs, requirements } }) =>
      programs?.value === 'installed' || requirements.some(({ value }) => value === 'fs.exec'),
  );
  return narrowed ? 'installed' : 'any';
}

/**
 * Returns what happens to a protected name that a command makes. It is quarantined only if the user says so and no
 * other layer disagrees.
 */
export function newProtectedOf(policy: Policy): 'refuse' | 'quarantine' {
  // Every base sets one or the other, so another layer's "quarantine" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.newProtected?.value === 'refuse') ? 'refuse' : 'quarantine';
}

/**
 * Returns what happens when a box connects to a host socket that appears after its start. It is reached only if the
 * user says so and no other layer disagrees.
 */
export function laterSocketsOf(policy: Policy): 'refuse' | 'reach' {
  // Every base sets one or the other, so another layer's "reach" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.laterSockets?.value === 'refuse') ? 'refuse' : 'reach';
}

/** Returns how reading git commands run: `as-is` only if the user says so and no other layer says `neutral`. */
export function gitCommandsOf(policy: Policy): 'neutral' | 'as-is' {
  // The user's layer sets one or the other, so another layer's "as-is" alone loosens nothing.
  return policy.layers.some(({ settings }) => settings.gitCommands?.value === 'neutral') ? 'neutral' : 'as-is';
}

/** Whether any layer says `strict = true`. */
export function isStrictPolicy(policy: Pick<Policy, 'layers'>): boolean {
  return policy.layers.some(({ settings }) => settings.strict?.value === true);
}

/** Like `isStrictPolicy`, before the documents become layers. */
export function sayStrict(documents: readonly Pick<PolicyDocument, 'value'>[]): boolean {
  return documents.some(({ value }) => value.strict === true);
}
