import type { Protection, ProtectedName } from '../../plan/index.ts';
import { foldedName } from './patterns.ts';

/** A directory below which names are refused. */
export interface Start {
  readonly path: string;
  /** The components that lead to it: a chain of names may have begun there. */
  readonly lineages: readonly (readonly string[])[];
  readonly effects: readonly ProtectedName['effect'][];
  /** What is left out, because it is a start of its own. */
  readonly exempt: readonly string[];
}

/**
 * Where names of all effects but `withheld` are refused. What is private is among them, for what is moved there and
 * back keeps its names.
 */
export function startsOf(protection: Protection, privateDirectory: string): readonly Start[] {
  const written = [...protection.roots, privateDirectory].map(
    (path): Place => ({
      path,
      effects: ['read-only', 'hidden', 'pinned'],
      git: protection.gitDirectories.includes(path),
    }),
  );
  const shown = protection.shownRoots.map((path): Place => ({ path, effects: ['hidden'], git: false }));
  return [...written, ...shown].flatMap((place) => [
    startAt(place, place.path, protection.released),
    ...below(place.path, protection.released).map((path) => startAt(place, path, protection.released)),
  ]);
}

/** Where names are withheld. No chain begins above, and none counts in a package or among git's references. */
export function withholdingStarts({ withholding = [], approved = [] }: Protection): readonly Start[] {
  const starts = withholding.flatMap((directory) =>
    [directory, ...below(directory, approved)].map(
      (path): Start => ({
        path,
        lineages: [componentsOf(path).slice(componentsOf(directory).length)],
        effects: ['withheld'],
        exempt: below(path, approved),
      }),
    ),
  );
  return starts.filter(
    ({ lineages }) => !lineages.some((lineage) => isInPackage(lineage.join('/')) || isInReferences(lineage)),
  );
}

export function isInGit(lineage: readonly string[]): boolean {
  return lineage.some((component) => component.toLowerCase() === '.git');
}

function isInReferences(lineage: readonly string[]): boolean {
  const names = lineage.map((component) => component.toLowerCase());
  const git = names.indexOf('.git');
  return git >= 0 && names.slice(git + 1).some((name) => name === 'refs' || name === 'logs');
}

/** What of a chain is left to be found below, where its beginning leads there. */
export function continuations(components: readonly string[], { lineages }: Start): readonly (readonly string[])[] {
  const taken = components.slice(1).map((_, index) => index + 1);
  return taken
    .filter((count) => lineages.some((lineage) => endsWith(lineage, components.slice(0, count))))
    .map((count) => components.slice(count));
}

export function isInPackage(path: string): boolean {
  return componentsOf(path).some((component) => component.toLowerCase() === 'node_modules');
}

export function below(directory: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== directory && path.startsWith(directory === '/' ? '/' : `${directory}/`));
}

interface Place {
  readonly path: string;
  readonly effects: Start['effects'];
  readonly git: boolean;
}

function startAt({ path: root, effects, git }: Place, path: string, released: readonly string[]): Start {
  const components = componentsOf(path);
  // A git directory may have any name: what is protected below `.git` is protected in it.
  const asGit = git ? [['.git', ...components.slice(componentsOf(root).length)]] : [];
  return { path, effects, lineages: [components, ...asGit], exempt: below(path, released) };
}

function componentsOf(path: string): readonly string[] {
  return path.split('/').filter((component) => component !== '');
}

function endsWith(lineage: readonly string[], names: readonly string[]): boolean {
  return (
    lineage.length >= names.length &&
    names.every((name, index) =>
      new RegExp(`^${foldedName(name)}$`, 'u').test(lineage[lineage.length - names.length + index] ?? ''),
    )
  );
}
