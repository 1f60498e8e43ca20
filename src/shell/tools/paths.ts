import { join, normalize } from 'node:path/posix';
import type { PathEffect, Word } from '../types.ts';

/** Base of relative paths and of `~`. Absolute paths inside the box. */
export interface PathBase {
  readonly cwd: string | 'unknown';
  readonly home: string;
  /** Absolute path of the project, which owns everything below. Default: `cwd`. */
  readonly project?: string;
}

/** Whether a file is the project's own: code in `/tmp` does not belong to a repository. */
export function isOfProject(path: string | undefined, { cwd, project = cwd }: PathBase): boolean {
  if (path === undefined || path === 'unknown' || project === 'unknown') return false;
  return path === project || path.startsWith(project === '/' ? '/' : `${project}/`);
}

/** Returns the effect of a word as a path. The path is undefined if the word, or its base directory, is unknown. */
export function pathEffect(word: Word, place: PathBase, how: Pick<PathEffect, 'use' | 'scope'>): PathEffect {
  if (word.kind === 'glob')
    return { ...how, scope: 'tree', path: directoryOfGlob(word.text, word.prefix, place), text: word.text };
  if (word.kind === 'dynamic') return { ...how, path: undefined, text: word.text };
  const home = word.lead === 'home';
  return {
    ...how,
    path: absoluteIn(home ? place.home + word.value : word.value, place),
    text: home ? `~${word.value}` : word.value,
  };
}

/** Returns an absolute, normalised path without a trailing slash. */
export function absoluteIn(path: string, place: PathBase): string | undefined {
  if (path.includes('\0')) return undefined;
  if (path.startsWith('/')) return withoutSlash(normalize(path));
  return place.cwd === 'unknown' ? undefined : withoutSlash(join(place.cwd, path));
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/(?<!\/)\/+$/u, '') || '/' : path;
}

/** All matches are below it. A `..` after the pattern leads out again, so then nothing is known. */
function directoryOfGlob(text: string, prefix: string, place: PathBase): string | undefined {
  if (/(?:^|\/)\\?\.\\?\.(?:\/|$)/u.test(text.slice(prefix.length))) return undefined;
  if (/["'\\]/u.test(text) && text.includes('..')) return undefined;
  if (text.startsWith('~/'))
    return absoluteIn(`${place.home}/${prefix.replace(/^~\//u, '').replace(/[^/]*$/u, '')}`, place);
  if (text.startsWith('~')) return undefined;
  return absoluteIn(prefix.replace(/[^/]*$/u, '') || '.', place);
}
