import type { Surface } from '../types.ts';
import { surfaces } from './table.ts';

/**
 * Returns the names that a launcher hides until approval, as lower-case components below any directory, each once. A
 * directory that is hidden as a whole covers everything in it.
 */
export function hiddenSurfaceNames(rows: readonly Surface[] = surfaces): readonly (readonly string[])[] {
  const chains = rows
    .filter(({ gate }) => gate === 'hidden')
    .map(({ components }) =>
      (components.at(-1) === '**' ? components.slice(0, -1) : components).map((name) => name.toLowerCase()),
    );
  const whole = new Set(
    rows
      .filter(({ gate, components }) => gate === 'hidden' && components.at(-1) === '**')
      .map(({ components }) => keyOf(components.slice(0, -1))),
  );
  const unique = new Map(chains.map((chain) => [keyOf(chain), chain]));
  return [...unique.values()].filter(
    (chain) => !chain.some((_, length) => length > 0 && whole.has(keyOf(chain.slice(0, length)))),
  );
}

function keyOf(components: readonly string[]): string {
  return components.join('/').toLowerCase();
}
