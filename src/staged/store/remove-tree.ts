import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';

/** `PATH_MAX` is 4,096; names have up to 255 bytes. */
const longestPath = 3500;
const slash = Buffer.from('/');

/**
 * Removes a tree that a box made: directories without permissions, names that are no UTF-8, trees deeper than a path can
 * name. Never follows a symlink.
 */
export function removeTree(path: string): void {
  const top = Buffer.from(path);
  // What lies too deep for a path is moved up, and emptied there.
  let moved = 0;
  const pending: Buffer[] = [top];
  const emptied: Buffer[] = [];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    emptied.push(directory);
    for (const child of emptyOfFiles(directory)) {
      pending.push(child.length < longestPath ? child : moveUp(child, Buffer.from(`${path}/.deep-${moved++}`)));
    }
  }
  for (const directory of emptied.toReversed()) rmdirSync(directory);
}

function moveUp(from: Buffer, to: Buffer): Buffer {
  // A directory that moves is written to: its `..` changes.
  makeAccessible(from);
  renameSync(from, to);
  return to;
}

/** Unlinks what is no directory, and gives the directories. */
function emptyOfFiles(directory: Buffer): readonly Buffer[] {
  makeAccessible(directory);
  return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
    const child = Buffer.concat([directory, slash, entry.name]);
    if (entry.isDirectory()) return [child];
    unlinkSync(child);
    return [];
  });
}

function makeAccessible(directory: Buffer): void {
  const { mode } = lstatSync(directory);
  if ((mode & 0o700) !== 0o700) chmodSync(directory, 0o700);
}
