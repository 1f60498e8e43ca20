import type { GuaranteeName } from '../guarantees.ts';
import type { Setting } from '../layers/settings.ts';
import { builtinFile } from '../origin.ts';
import type { Policy } from '../policy.ts';
import { guaranteesOfMinimum } from './levels.ts';

/** Returns the guarantees that any layer requires of the backend, each once. */
export function requirementsOf(policy: Policy): readonly GuaranteeName[] {
  const own = policy.layers.flatMap(({ settings }) => settings.requirements.map(({ value }) => value));
  return [...new Set([...own, ...demandsOf(policy).map(({ value }) => value)])];
}

/**
 * Returns guarantees that someone requires explicitly, by name or as a minimum, each once and with its first place.
 * Layers only add, so none removes another's requirement.
 */
export function demandsOf(policy: Policy): readonly Setting<GuaranteeName>[] {
  const all = policy.layers.flatMap(({ settings: { requirements, minimum, programs } }) => [
    ...requirements.filter(({ origin }) => origin.file !== builtinFile),
    ...(minimum === undefined
      ? []
      : guaranteesOfMinimum(minimum.value).map((value) => ({ value, origin: minimum.origin }))),
    ...(programs?.value === 'installed' ? [{ value: 'fs.exec' as const, origin: programs.origin }] : []),
  ]);
  return all.filter(({ value }, index) => all.findIndex((other) => other.value === value) === index);
}
