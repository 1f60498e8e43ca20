import { dirname, join } from 'node:path';
import { pathFact } from './path-facts.ts';

/**
 * Returns the path, the symlinks on the way and their targets. A change of any of them makes the path lead elsewhere.
 */
export function waysTo(path: string): readonly string[] {
  const missing: string[] = [];
  for (let above = path; ; above = dirname(above)) {
    const fact = pathFact(above);
    if (fact.kind === 'present') return [path, ...fact.symlinks, join(fact.real, ...missing)];
    if (above === '/') return [path];
    missing.unshift(above.slice(above.lastIndexOf('/') + 1));
  }
}
