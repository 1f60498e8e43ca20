import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The place of arenas, similar to the place of projects. Not in `/tmp`, which every box replaces: there, an attack
 * could fail for the wrong reason.
 */
export function baseDirectory(): string {
  const directory = process.getuid?.() === 0 ? '/srv' : join(homedir(), '.cache');
  mkdirSync(directory, { recursive: true });
  return directory;
}
