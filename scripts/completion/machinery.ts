import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a script that do not depend on the commands. */
export function machineryOf(shell: 'bash' | 'zsh' | 'fish'): string {
  return readFileSync(join(import.meta.dirname, `machinery.${shell}`), 'utf8');
}
