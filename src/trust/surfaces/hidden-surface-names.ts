import type { Surface } from '../types.ts';
import { surfaces } from './table.ts';

/**
 * What a launcher has to hide until it is approved, as components below any directory, in lower case, each once: a
 * directory that is hidden whole stands for all that is in it.
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
