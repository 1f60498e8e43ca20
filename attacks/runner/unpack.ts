import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack } from './attack.ts';

const modes = { plain: 0o644, executable: 0o755 } as const;

/** Writes the files of an attack into a directory, over existing files of the same names. */
export function unpackAttack({ files }: Attack, directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (const { name, text, mode } of files) {
    const path = join(directory, name);
    writeFileSync(path, text);
    // Also for a reader of another user, under any umask of the runner.
    chmodSync(path, modes[mode]);
  }
}
