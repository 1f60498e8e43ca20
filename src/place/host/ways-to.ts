import { dirname, join } from 'node:path';
import { pathFact } from './path-facts.ts';

/** The path, the symlinks on the way and their targets: a change of any of them leads the path elsewhere. */
export function waysTo(path: string): readonly string[] {
  const missing: string[] = [];
  for (let above = path; ; above = dirname(above)) {
    const fact = pathFact(above);
    if (fact.kind === 'present') return [path, ...fact.symlinks, join(fact.real, ...missing)];
    if (above === '/') return [path];
    missing.unshift(above.slice(above.lastIndexOf('/') + 1));
  }
}
