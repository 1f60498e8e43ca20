import type { Protection, ProtectedName } from '../../plan/index.ts';
import { exactName, exactText, foldedName, otherThan } from './patterns.ts';
import { except, regex, rule, subpath, type Rule } from './sbpl.ts';
import { continuations, isInGit, isInPackage, startsOf, withholdingStarts, type Start } from './starts.ts';

export const reading = ['file-read*', 'file-map-executable', 'process-exec*'] as const;
const writing = ['file-write*'] as const;
/** A directory is made, moved there or away: nothing of the profile language tells a rename from `mkdir`. */
const moving = ['file-write-create', 'file-write-unlink'] as const;

/** The names that are refused at any depth, whether they exist or not. Only denials, so their order means nothing. */
export function nameRules({
  protection,
  privateDirectory,
}: {
  readonly protection: Protection;
  readonly privateDirectory: string;
}): readonly Rule[] {
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

/** A chain that holds outside of packages cannot lead through one. */
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

function groupRules(group: Group, start: Start): readonly Rule[] {
  const names = anyOf(group.chains, group, start);
  const exempt = start.exempt.filter((path) => !isBelow(names, path)).map(subpath);
  const beginnings = group.chains.flatMap((chain) => beginningsOf(chain));
  const moves = group.effect === 'withheld' ? (['file-write-unlink'] as const) : moving;
  const moved =
    beginnings.length === 0 ? [] : rule('deny', moves, [except(regex(`${anyOf(beginnings, group, start)}$`), exempt)]);
  switch (group.effect) {
    case 'pinned':
      return [...rule('deny', writing, [except(regex(`${names}$`), exempt)]), ...moved];
    case 'read-only':
      return [...rule('deny', writing, matches(names, group, { start, exempt })), ...moved];
    case 'hidden':
    case 'withheld':
      return [...rule('deny', [...reading, ...writing], matches(names, group, { start, exempt })), ...moved];
  }
}

/**
 * The names and what lies beneath. An exception is one for the name itself: what a directory of that name holds is
 * refused all the same.
 */
function matches(
  names: string,
  group: Group,
  { start, exempt }: { readonly start: Start; readonly exempt: readonly string[] },
): readonly string[] {
  if (group.except.length === 0) return [except(regex(`${names}(/|$)`), exempt)];
  const exceptions = regex(`${rootOf(start.path)}/([^/]+/)*(${group.except.map(exactName).join('|')})$`);
  return [except(regex(`${names}$`), [exceptions, ...exempt]), except(regex(`${names}/`), exempt)];
}

/** From the start of a path to the end of one of the chains. */
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
/** No package, and nothing that git itself keeps under the names of branches. */
const inGit = `(${otherThan(['node_modules', 'refs', 'logs'])}/)*`;
const whereWithheld = `(${otherThan(['node_modules', '.git'])}/)*(${foldedName('.git')}/${inGit})?`;

function rootOf(path: string): string {
  return `^${path === '/' ? '' : exactText(path)}`;
}

/** Whether a path lies in something that these names refuse. */
function isBelow(names: string, path: string): boolean {
  return new RegExp(`${names}/`, 'u').test(path);
}

/**
 * Directories that a chain of names leads through: who moves one away, or another one there, changes what is protected
 * without making a protected name. Package managers make `node_modules`, and a chain of nothing but `*` is the same
 * wherever it is moved.
 */
function beginningsOf(chain: readonly string[]): readonly (readonly string[])[] {
  const lengths = chain.slice(1).map((_, index) => index + 1);
  return lengths
    .map((length) => chain.slice(0, length))
    .filter((part) => part[0]?.toLowerCase() !== 'node_modules' && part.some((name) => name !== '*'));
}
