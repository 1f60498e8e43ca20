import { join, normalize } from 'node:path/posix';
import type { PathEffect, Word } from '../types.ts';

/** Where relative paths and `~` start. Absolute, inside the box. */
export interface PathBase {
  readonly cwd: string | 'unknown';
  readonly home: string;
  /** What is below it is the project's own; default `cwd`. Absolute. */
  readonly project?: string;
}

/** Whether a file is the project's own, and not anybody's: code of `/tmp` is not what a repository holds. */
export function isOfProject(path: string | undefined, { cwd, project = cwd }: PathBase): boolean {
  if (path === undefined || path === 'unknown' || project === 'unknown') return false;
  return path === project || path.startsWith(project === '/' ? '/' : `${project}/`);
}

/**
 * What a word does as a path. The path is undefined where the word, or the directory it is relative to, is not known.
 */
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

/** Absolute and normalised, without a slash at the end. */
export function absoluteIn(path: string, place: PathBase): string | undefined {
  if (path.includes('\0')) return undefined;
  if (path.startsWith('/')) return withoutSlash(normalize(path));
  return place.cwd === 'unknown' ? undefined : withoutSlash(join(place.cwd, path));
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/u, '') || '/' : path;
}

/** All matches are below it. After the pattern a `..` leads out again, so then nothing is known. */
function directoryOfGlob(text: string, prefix: string, place: PathBase): string | undefined {
  if (/(?:^|\/)\\?\.\\?\.(?:\/|$)/u.test(text.slice(prefix.length))) return undefined;
  if (/["'\\]/u.test(text) && text.includes('..')) return undefined;
  if (text.startsWith('~/'))
    return absoluteIn(`${place.home}/${prefix.replace(/^~\//u, '').replace(/[^/]*$/u, '')}`, place);
  if (text.startsWith('~')) return undefined;
  return absoluteIn(prefix.replace(/[^/]*$/u, '') || '.', place);
}
