import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Mount } from '../../plan/mount.ts';
import type { ResolvedProgram } from '../../policy/command/types.ts';
import { mountFinder } from '../../plan/mount-finder.ts';
import { pathFact } from '../../place/host/path-facts.ts';
import type { AnalysedInvocation } from '../types.ts';

export interface ProgramPlace {
  /**
   * The command's `PATH` in the box. Relative and empty entries are never used, because they would find programs in the
   * workspace.
   */
  readonly path: string;
  /** Absolute path inside the box; `unknown` after a `cd` that cannot be followed. */
  readonly cwd: string;
  readonly mounts: readonly Mount[];
}

/** Returns the host's file that a command's name resolves to in the box. */
export function resolveProgram(name: string, place: ProgramPlace): ResolvedProgram {
  if (name.includes('/'))
    return isAbsolute(name) || place.cwd !== 'unknown'
      ? (candidate(resolve(place.cwd === 'unknown' ? '/' : place.cwd, name), place.mounts) ?? missing)
      : missing;
  for (const entry of place.path.split(':')) {
    const found = entry.startsWith('/') ? candidate(join(entry, name), place.mounts) : undefined;
    if (found !== undefined) return found;
  }
  return missing;
}

const missing: ResolvedProgram = { kind: 'missing' };

/** Undefined if no file there could be executed. */
function candidate(path: string, mounts: readonly Mount[]): ResolvedProgram | undefined {
  const fact = pathFact(path);
  if (fact.kind === 'missing' || !isExecutable(fact.real)) return undefined;
  const shows = mountFinder(mounts.filter(({ kind }) => kind !== 'mask'));
  const treatments = [path, fact.real, ...fact.symlinks].map((each) => treatmentBy(shows(each)));
  if (treatments[1] === 'unseen') return undefined;
  return { kind: treatments.includes('writable') ? 'planted' : 'found', path: named(path) };
}

/** Its name in a directory without symlinks, as used in the judgement of nested commands. */
function named(path: string): string {
  const slash = path.lastIndexOf('/');
  try {
    return join(realpathSync(path.slice(0, slash) || '/'), path.slice(slash + 1));
  } catch {
    return path;
  }
}

function isExecutable(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && (stats.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}

/** `unseen`: the box has its own file there, or none. */
function treatmentBy(mount: Mount | undefined): 'writable' | 'fixed' | 'unseen' {
  if (mount?.kind === 'overlay') return 'writable';
  if (mount?.kind !== 'bind') return 'unseen';
  return mount.access === 'read-write' ? 'writable' : 'fixed';
}

interface InvocationPlace extends Omit<ProgramPlace, 'cwd'> {
  /** Absolute path in the box. */
  readonly home: string;
}

/**
 * Returns a command's program as written, with the file that it resolves to. Undefined if the name is unknown before it
 * runs.
 */
export function invocationProgram(
  { argv: [first], cwd }: AnalysedInvocation,
  { home, path, mounts }: InvocationPlace,
): { readonly name: string; readonly resolved: ResolvedProgram } | undefined {
  if (first?.kind !== 'static') return undefined;
  const name = first.lead === 'home' ? `${home}${first.value}` : first.value;
  return { name, resolved: resolveProgram(name, { path, cwd, mounts }) };
}
