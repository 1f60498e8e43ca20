import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { visitedPlaces } from '../../kernel/visited-places.ts';
import type { SourceFailure } from './types.ts';

export interface HostFile {
  readonly kind: 'text';
  readonly text: string;
  /** A notice for the owner, in one line. */
  readonly notice?: string;
}

export interface HostFileOptions {
  /** Most bytes to read. */
  readonly longest: number;
  /** Real paths that boxes can write. */
  readonly writableRoots: readonly string[];
}

/** Reads a regular file of the host that holds secrets, in UTF-8. A failure contains none of its content. */
export function readHostFile(path: string, { longest, writableRoots }: HostFileOptions): HostFile | SourceFailure {
  try {
    const places = visitedPlaces(path);
    if (places === undefined)
      return {
        kind: 'missing',
        why: `${path} does not exist`,
        remedy: 'write it, or correct the path of the source',
      };
    // A box could replace the file with a link to another secret, which would then be sent or shown.
    if (anyWithin(places, writableRoots))
      return unavailable(`${path} is where a box can write`, 'move it out of the workspace');
    return readRegular(path, longest);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return unavailable(
      `${path} cannot be read: ${code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : (code ?? 'an unknown error')}`,
      'make it a file that you can read',
    );
  }
}

function readRegular(path: string, longest: number): HostFile | SourceFailure {
  // Without these flags, a FIFO would block, and a terminal would become the supervisor's controlling terminal.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return unavailable(`${path} is not a regular file`, 'name a file');
    if (stats.size > longest)
      return unavailable(`${path} is longer than ${longest / 1024} KiB`, 'name the file that holds the secret');
    return { kind: 'text', text: decoded(readFileSync(fd)), ...noticeOf(path, stats) };
  } finally {
    closeSync(fd);
  }
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } finally {
    bytes.fill(0);
  }
}

function noticeOf(path: string, { mode }: Stats): { readonly notice?: string } {
  return (mode & 0o004) === 0
    ? {}
    : { notice: `every user of this machine can read ${path}: prevent this with \`chmod 600\`` };
}

function unavailable(why: string, remedy: string): SourceFailure {
  return { kind: 'unavailable', why, remedy };
}

/** Returns true if one of `places` is in one of `roots`. */
export function anyWithin(places: readonly string[], roots: readonly string[]): boolean {
  return places.some((place) => roots.some((root) => root === '/' || place === root || place.startsWith(`${root}/`)));
}
