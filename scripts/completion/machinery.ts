import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What of a script is the same whatever commands there are. */
export function machineryOf(shell: 'bash' | 'zsh' | 'fish'): string {
  return readFileSync(join(import.meta.dirname, `machinery.${shell}`), 'utf8');
}
