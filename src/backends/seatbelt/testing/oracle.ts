import type { Mount } from '../../../plan/mount.ts';
import type { Plan, ProtectedName } from '../../../plan/types.ts';
import { compileWildcard, matchesWildcard } from '../../../policy/patterns/wildcard.ts';

export interface Meaning {
  readonly read: boolean;
  readonly write: boolean;
  readonly execute: boolean;
}

const nothing: Meaning = { read: false, write: false, execute: false };

/**
 * A plan's decision about a path, written from the words of `Plan` alone, component by component. Two things follow a
 * profile. A file in memory is not at its path, and a write to an overlay does not happen.
 */
export function meaningOf(plan: Plan, path: string): Meaning {
  const shown = shownAt(plan.mounts, path);
  const effects = effectsAt(plan, path);
  if (shown === 'none' || effects.has('hidden')) return nothing;
  const execute =
    plan.landlock.execution === 'any' ||
    plan.landlock.rules.some((rule) => rule.access === 'execute' && rule.path === path);
  return { read: true, write: shown === 'read-write' && !effects.has('read-only'), execute };
}

/** The visible mount: the deepest, and of two at one place the later. */
function shownAt(mounts: readonly Mount[], path: string): 'none' | 'read-only' | 'read-write' {
  let found: Mount | undefined;
  for (const mount of mounts) {
    if (mount.kind === 'symlink' || mount.kind === 'directory' || !isWithin(path, mount.target)) continue;
    if (found === undefined || mount.target.length >= found.target.length) found = mount;
  }
  if (found?.kind === 'bind') return found.access;
  return found?.kind === 'overlay' ? 'read-only' : 'none';
}

type Effect = 'hidden' | 'read-only';

function effectsAt({ protection }: Plan, path: string): ReadonlySet<Effect> {
  const found = new Set<Effect>();
  for (const place of placesOn(path)) {
    const root = [...protection.roots, ...protection.shownRoots].find(
      (directory) => place !== directory && isWithin(place, directory),
    );
    if (root === undefined) continue;
    const isWritten = protection.roots.includes(root);
    if (!protection.released.includes(place)) {
      for (const name of protection.names) {
        if (
          name.effect === 'withheld' ||
          // A profile knows no content.
          name.effect === 'suspect' ||
          !isHit(name, place, protection.gitDirectories.includes(root) ? root : undefined)
        )
          continue;
        if (name.effect === 'hidden') found.add('hidden');
        else if (isWritten && (name.effect === 'read-only' || place === path)) found.add('read-only');
      }
      if (isWritten && protection.guarded.includes(place)) found.add('read-only');
    }
    if (isWithheld(protection, place)) found.add('hidden');
  }
  return found;
}

function isWithheld({ names, withholding = [], approved = [] }: Plan['protection'], place: string): boolean {
  if (approved.includes(place)) return false;
  return withholding.some((directory) => {
    if (place === directory || !isWithin(place, directory)) return false;
    const components = componentsOf(place).slice(componentsOf(directory).length);
    const above = components.slice(0, -1).map((component) => component.toLowerCase());
    if (above.includes('node_modules')) return false;
    const git = above.indexOf('.git');
    if (git >= 0 && above.slice(git + 1).some((component) => component === 'refs' || component === 'logs'))
      return false;
    return names.some((name) => name.effect === 'withheld' && isEnd(name, components));
  });
}

function isHit(name: ProtectedName, place: string, gitRoot: string | undefined): boolean {
  const components = componentsOf(place);
  if (
    name.scope === 'outside-packages' &&
    components.slice(0, -1).some((component) => component.toLowerCase() === 'node_modules')
  )
    return false;
  const asGit = gitRoot === undefined ? [] : ['.git', ...components.slice(componentsOf(gitRoot).length)];
  return isEnd(name, components) || (name.components.length > 1 && isEnd(name, asGit));
}

/** Whether a path ends in the chain, and the last of it is no exception. */
function isEnd({ components: chain, except }: ProtectedName, components: readonly string[]): boolean {
  const end = components.slice(-chain.length);
  return (
    end.length === chain.length &&
    chain.every((name, index) => isLike(name, end[index] ?? '')) &&
    !except.some((name) => isLike(name, end.at(-1) ?? ''))
  );
}

function isLike(pattern: string, name: string): boolean {
  return matchesWildcard(compileWildcard(pattern.toLowerCase().replaceAll('\\', '\\\\')), name.toLowerCase());
}

/** A path and all its parents. */
function placesOn(path: string): readonly string[] {
  const components = componentsOf(path);
  return components.map((_, index) => `/${components.slice(0, index + 1).join('/')}`);
}

function componentsOf(path: string): readonly string[] {
  return path.split('/').filter((component) => component !== '');
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
