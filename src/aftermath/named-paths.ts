import { resolve } from 'node:path';
import type { PolicyRequest } from '../policy/request.ts';
import { absolutePath, type ExtractOptions } from './extract.ts';

interface NamedPathsOptions extends ExtractOptions {
  /** Real path of the writable root. */
  readonly workspace: string;
}

/** A command line may hold a whole script, or every file of a tree. The first names are enough for an explanation. */
const mostNames = 200;

/**
 * Returns the files that a failed command was told to read: all words of its command line that name something on the
 * host. The command owns its terminal, so Holdfast does not see its messages there. A relay of stderr alone would
 * change their order (measured: three of four lines come after output that was printed later). A program that asks for
 * a key on stderr would never get one.
 */
export function pathsOfCommand(argv: readonly string[], options: NamedPathsOptions): readonly PolicyRequest[] {
  const names = [...new Set(argv.slice(1).flatMap(namesIn))].slice(0, mostNames);
  const paths = new Set(names.filter((name) => !name.includes('\0')).map((name) => absolutePath(name, options)));
  return [...paths]
    .filter((path) => !isPassage(path, options) && options.exists(path))
    .map((path) => ({ kind: 'file', operation: 'read', path }));
}

/** Returns a word itself, the value of an option, and the words of a script as in `sh -c`. */
function namesIn(word: string): readonly string[] {
  const parts = /\s/u.test(word) ? word.split(/[\s"'`;|&<>()]+/u) : [word];
  return parts
    .flatMap((part) => [part.startsWith('-') ? part.slice(part.indexOf('=') + 1) : part])
    .filter((part) => part !== '' && !part.startsWith('-'));
}

/** Directories on the way to the workspace and the home exist in the box without a grant. */
function isPassage(path: string, { cwd, home, workspace }: NamedPathsOptions): boolean {
  return [cwd, home, workspace].some((place) => path === '/' || `${resolve(place)}/`.startsWith(`${path}/`));
}
