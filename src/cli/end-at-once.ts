import { writeSync } from 'node:fs';
import process from 'node:process';
import { failureStatus } from './main.ts';

/**
 * `holdfast audit show | head`: whoever reads has seen enough. What else cannot be written, on a full disk, is said
 * where something still can.
 */
export function endAtOnce(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  try {
    writeSync(
      2,
      `holdfast: its output cannot be written (${error.code ?? error.message})\nholdfast: to fix it: make room where it goes, or send it elsewhere [HF_USAGE]\n`,
    );
  } finally {
    process.exit(failureStatus);
  }
}
