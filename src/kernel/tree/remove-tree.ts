import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { changeMode } from './metadata.ts';
import { below, withDirectory } from './place.ts';

/** Removes a file, a link or a tree without ever leaving it, whatever another process does to it meanwhile. */
export function removeTree(path: Buffer): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) {
    unlinkSync(path);
    return;
  }
  // A directory that forbids writing to its own owner could not be emptied.
  if ((stats.mode & 0o700) !== 0o700) changeMode(path, 0o700);
  withDirectory(path, (directory) => {
    for (const name of readdirSync(below(directory, ''), { encoding: 'buffer' })) removeTree(below(directory, name));
  });
  rmdirSync(path);
}
