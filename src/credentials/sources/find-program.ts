import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Failure, ProgramContext } from './types.ts';
import { anyWithin, visitedPlaces } from './visited-places.ts';

export interface FoundProgram {
  readonly kind: 'found';
  readonly path: string;
}

/**
 * The program that a source names: an absolute path, or a name that is looked up in `PATH`. What a box could have put
 * there, directly or through a symlink on the way, is passed over: it would run outside of every box.
 */
export function findProgram(
  name: string,
  context: Pick<ProgramContext, 'environment' | 'writableRoots'>,
): FoundProgram | Failure {
  if (name === '' || name.includes('\0'))
    return failure(
      `${JSON.stringify(name)} names no program`,
      'name a program by its absolute path, or by a name in PATH',
    );
  if (name.includes('/') && !isAbsolute(name))
    return failure(`the program ${name} has a relative path`, 'name it by its absolute path, or by a name in PATH');
  const candidates = isAbsolute(name)
    ? [name]
    : absoluteEntries(context.environment['PATH']).map((entry) => join(entry, name));
  const states = candidates.map((path) => ({ path, state: stateOf(path, context.writableRoots) }));
  const found = states.find(({ state }) => state === 'good');
  if (found !== undefined) return { kind: 'found', path: found.path };
  if (states.some(({ state }) => state === 'writable'))
    return failure(
      `the program ${name} lies where a box can write`,
      'install it outside of the workspace: whoever changes it there would get the secret',
    );
  return failure(`there is no program ${name}`, 'install it, or name it by its absolute path');
}

/**
 * `PATH` for the program: without entries that are relative or that a box can write to, in which its own helpers would
 * be looked up.
 */
export function trustedPath({
  environment,
  writableRoots,
}: Pick<ProgramContext, 'environment' | 'writableRoots'>): string {
  return absoluteEntries(environment['PATH'])
    .filter((entry) => isTrusted(entry, writableRoots))
    .join(':');
}

/** What is not there yet may be made, so its text decides. */
function isTrusted(entry: string, writableRoots: readonly string[]): boolean {
  try {
    return !anyWithin([entry, ...(visitedPlaces(entry) ?? [])], writableRoots);
  } catch {
    return false;
  }
}

function absoluteEntries(path: string | undefined): readonly string[] {
  return (path ?? '').split(':').filter((entry) => isAbsolute(entry));
}

function stateOf(path: string, writableRoots: readonly string[]): 'good' | 'writable' | 'none' {
  try {
    const places = visitedPlaces(path);
    const stats = statSync(path);
    if (places === undefined || !stats.isFile()) return 'none';
    accessSync(path, constants.X_OK);
    // Whoever may write to it decides what runs here.
    return anyWithin(places, writableRoots) || (stats.mode & 0o002) !== 0 ? 'writable' : 'good';
  } catch {
    return 'none';
  }
}

function failure(why: string, remedy: string): Failure {
  return { kind: 'unavailable', why, remedy };
}
