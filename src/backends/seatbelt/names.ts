import type { ProtectedName, Protection } from '../../plan/types.ts';
import { exactName, exactText, foldedName, otherThan } from './patterns.ts';
import { except, regex, rule, type SbplRule, subpath } from './sbpl.ts';

export const reading = ['file-read*', 'file-map-executable', 'process-exec*'] as const;
const writing = ['file-write*'] as const;
/**
 * Operations that make a directory, or move one away or to a path. The profile language cannot tell a rename from
 * `mkdir`.
 */
const moving = ['file-write-create', 'file-write-unlink'] as const;

/**
 * Returns the rules for names that are refused at any depth, even if they do not exist. All of them are denials, so
 * their order does not matter.
 */
export function nameRules({
  protection,
  privateDirectory,
}: {
  readonly protection: Protection;
  readonly privateDirectory: string;
}): readonly SbplRule[] {
  const groups = groupsOf(protection.names.filter(canOccur));
  const starts = [...startsOf(protection, privateDirectory), ...withholdingStarts(protection)];
  return starts.flatMap((start) =>
    groups
      .filter(
        ({ effect, scope }) =>
          start.effects.includes(effect) && (effect === 'withheld' || scope === 'anywhere' || !isInPackage(start.path)),
      )
      .flatMap((group) => groupRules(group, start)),
  );
}

/** A chain that applies outside packages cannot pass through a package. */
function canOccur({ components, scope, effect }: ProtectedName): boolean {
  return (
    (scope === 'anywhere' && effect !== 'withheld') ||
    components.slice(0, -1).every((name) => name.toLowerCase() !== 'node_modules')
  );
}

/** Names that are treated alike, few enough for one expression. */
interface Group {
  readonly effect: ProtectedName['effect'];
  readonly scope: ProtectedName['scope'];
  readonly except: readonly string[];
  readonly chains: readonly (readonly string[])[];
}

const mostChains = 24;

function groupsOf(names: readonly ProtectedName[]): readonly Group[] {
  const alike = Map.groupBy(names, ({ effect, scope, except: exceptions }) =>
    JSON.stringify([effect, scope, exceptions]),
  );
  return [...alike.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    return Array.from(
      { length: Math.ceil(members.length / mostChains) },
      (_, part): Group => ({
        effect: first.effect,
        scope: first.scope,
        except: first.except,
        chains: members.slice(part * mostChains, (part + 1) * mostChains).map(({ components }) => components),
      }),
    );
  });
}

function groupRules(group: Group, start: Start): readonly SbplRule[] {
  const names = anyOf(group.chains, group, start);
  const exempt = start.exempt.filter((path) => !isBelow(names, path)).map(subpath);
  const beginnings = group.chains.flatMap((chain) => beginningsOf(chain));
  const moves = group.effect === 'withheld' ? (['file-write-unlink'] as const) : moving;
  const moved =
    beginnings.length === 0 ? [] : rule('deny', moves, [except(regex(`${anyOf(beginnings, group, start)}$`), exempt)]);
  switch (group.effect) {
    case 'pinned':
      return [...rule('deny', writing, [theNames(names, group, { start, exempt })]), ...moved];
    case 'read-only':
      return [...rule('deny', writing, matches(names, group, { start, exempt })), ...moved];
    case 'hidden':
    case 'withheld':
    case 'suspect':
      return [...rule('deny', [...reading, ...writing], matches(names, group, { start, exempt })), ...moved];
  }
}

interface Around {
  readonly start: Start;
  readonly exempt: readonly string[];
}

/**
 * Matches the names and everything beneath them. An exception exempts only the name itself: if it is a directory, its
 * content is still refused.
 */
function matches(names: string, group: Group, around: Around): readonly string[] {
  if (group.except.length === 0) return [except(regex(`${names}(/|$)`), around.exempt)];
  return [theNames(names, group, around), except(regex(`${names}/`), around.exempt)];
}

function theNames(names: string, group: Group, { start, exempt }: Around): string {
  const exceptions = regex(`${rootOf(start.path)}/([^/]+/)*(${group.except.map(exactName).join('|')})$`);
  return except(regex(`${names}$`), [...(group.except.length === 0 ? [] : [exceptions]), ...exempt]);
}

/** Matches from the start of a path to the end of one of the chains. */
function anyOf(chains: readonly (readonly string[])[], { effect, scope }: Group, start: Start): string {
  const between =
    effect === 'withheld'
      ? start.lineages.some(isInGit)
        ? inGit
        : whereWithheld
      : scope === 'anywhere'
        ? '([^/]+/)*'
        : `(${ordinary}/)*`;
  const text = (chain: readonly string[]): string =>
    chain
      .map((name, index) =>
        name === '*' && index < chain.length - 1 && (scope === 'outside-packages' || effect === 'withheld')
          ? ordinary
          : foldedName(name),
      )
      .join('/');
  const begun = [...new Set(chains.flatMap((chain) => continuations(chain, start)).map(text))];
  const whole = `${between}(${[...new Set(chains.map(text))].join('|')})`;
  return `${rootOf(start.path)}/${begun.length === 0 ? whole : `(${whole}|${begun.join('|')})`}`;
}

const ordinary = otherThan(['node_modules']);
/** Matches neither packages nor files that git itself keeps under the names of branches. */
const inGit = `(${otherThan(['node_modules', 'refs', 'logs'])}/)*`;
const whereWithheld = `(${otherThan(['node_modules', '.git'])}/)*(${foldedName('.git')}/${inGit})?`;

function rootOf(path: string): string {
  return `^${path === '/' ? '' : exactText(path)}`;
}

/** Whether a path is inside a directory that these names refuse. */
function isBelow(names: string, path: string): boolean {
  return new RegExp(`${names}/`, 'u').test(path);
}

/**
 * Directories along a chain of names. Moving such a directory, or replacing it with another, changes protected files
 * without touching a protected name. `node_modules` is left out, because package managers make it. So is a chain of
 * only `*`, because it matches the same files wherever it is moved.
 */
function beginningsOf(chain: readonly string[]): readonly (readonly string[])[] {
  const lengths = chain.slice(1).map((_, index) => index + 1);
  return lengths
    .map((length) => chain.slice(0, length))
    .filter((part) => part[0]?.toLowerCase() !== 'node_modules' && part.some((name) => name !== '*'));
}

/** A directory below which names are refused. */
interface Start {
  readonly path: string;
  /** The path components that lead to it, because a chain of names may begin above it. */
  readonly lineages: readonly (readonly string[])[];
  readonly effects: readonly ProtectedName['effect'][];
  /** Directories left out, because they are starts themselves. */
  readonly exempt: readonly string[];
}

/**
 * Directories in which names of all effects but `withheld` are refused. Private directories are included, because a
 * directory that is moved into one and back keeps its names.
 */
function startsOf(protection: Protection, privateDirectory: string): readonly Start[] {
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
    ...pathsBelow(place.path, protection.released).map((path) => startAt(place, path, protection.released)),
  ]);
}

/**
 * Directories in which names are withheld. No chain begins above them, and chains do not apply in packages or among
 * git's references.
 */
function withholdingStarts({ withholding = [], approved = [] }: Protection): readonly Start[] {
  const starts = withholding.flatMap((directory) =>
    [directory, ...pathsBelow(directory, approved)].map(
      (path): Start => ({
        path,
        lineages: [componentsOf(path).slice(componentsOf(directory).length)],
        effects: ['withheld'],
        exempt: pathsBelow(path, approved),
      }),
    ),
  );
  return starts.filter(
    ({ lineages }) => !lineages.some((lineage) => isInPackage(lineage.join('/')) || isInReferences(lineage)),
  );
}

function isInGit(lineage: readonly string[]): boolean {
  return lineage.some((component) => component.toLowerCase() === '.git');
}

function isInReferences(lineage: readonly string[]): boolean {
  const names = lineage.map((component) => component.toLowerCase());
  const git = names.indexOf('.git');
  return git >= 0 && names.slice(git + 1).some((name) => name === 'refs' || name === 'logs');
}

/** The part of a chain that still has to match below the directory, if the chain's beginning leads to it. */
function continuations(components: readonly string[], { lineages }: Start): readonly (readonly string[])[] {
  const taken = components.slice(1).map((_, index) => index + 1);
  return taken
    .filter((count) => lineages.some((lineage) => endsWith(lineage, components.slice(0, count))))
    .map((count) => components.slice(count));
}

function isInPackage(path: string): boolean {
  return componentsOf(path).some((component) => component.toLowerCase() === 'node_modules');
}

export function pathsBelow(directory: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== directory && path.startsWith(directory === '/' ? '/' : `${directory}/`));
}

interface Place {
  readonly path: string;
  readonly effects: Start['effects'];
  readonly git: boolean;
}

function startAt({ path: root, effects, git }: Place, path: string, released: readonly string[]): Start {
  const components = componentsOf(path);
  // A git directory may have any name, so names that are protected below `.git` are protected in it too.
  const asGit = git ? [['.git', ...components.slice(componentsOf(root).length)]] : [];
  return { path, effects, lineages: [components, ...asGit], exempt: pathsBelow(path, released) };
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
