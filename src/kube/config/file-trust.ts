import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { anyWithin } from '../../credentials/sources/read-host-file.ts';
import { visitedPlaces } from '../../kernel/visited-places.ts';

/**
 * Returns the reason why a file must not name programs or secret files, or undefined. The writer of such a file would
 * run programs with the user's rights, or send a secret to a server of their own.
 */
export function distrustOf(file: string, writableRoots: readonly string[]): string | undefined {
  const places = visitedPlaces(file);
  if (places === undefined) return 'it does not exist';
  if (anyWithin(places, writableRoots)) return 'it is in a workspace, where a box can write';
  for (const place of places) {
    const repository = repositoryOf(place);
    if (repository !== undefined) return `it is in the repository ${repository}`;
  }
  for (const place of places) {
    const writer = writerOf(place);
    if (writer !== undefined) return writer;
  }
  return undefined;
}

function repositoryOf(place: string): string | undefined {
  for (let directory = dirname(place); ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

const othersMayWrite = { file: 0o022, directory: 0o002 } as const;
const sticky = 0o1000;

/** Returns the other users who can change an entry, by its mode or its owner. */
function writerOf(place: string): string | undefined {
  const stats = lstatSync(place);
  if (!isOwn(stats.uid)) return `${place} belongs to user ${stats.uid}`;
  const forbidden = othersMayWrite[stats.isDirectory() ? 'directory' : 'file'];
  if (!stats.isSymbolicLink() && (stats.mode & forbidden) !== 0 && (stats.mode & sticky) === 0)
    return `others can write ${place}`;
  return undefined;
}

function isOwn(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.();
}
