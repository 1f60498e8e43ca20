import type { Policy } from '../policy.ts';

/**
 * Returns the programs that a box may run. Any layer can narrow it, and none widens it again. A layer that requires the
 * guarantee asks for the same.
 */
export function programsOf({ layers }: Policy): 'any' | 'installed' {
  const narrowed = layers.some(
    ({ settings: { programs, requirements } }) =>
      programs?.value === 'installed' || requirements.some(({ value }) => value === 'fs.exec'),
  );
  return narrowed ? 'installed' : 'any';
}
