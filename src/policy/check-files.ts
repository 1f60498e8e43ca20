import type { Problem } from './document/problem.ts';
import type { FileStatement, FileUse, NameStatement } from './layers/layer.ts';
import { builtinFile } from './origin.ts';
import { guardedLength } from './patterns/guarded-length.ts';
import type { ResolvedPath } from './patterns/resolve-path.ts';
import { hasWildcard } from './patterns/wildcard.ts';
import type { Policy } from './policy.ts';
import { printable } from './words/describe-request.ts';

/**
 * Finds paths that no box could enforce as written. Mounts apply to whole paths, and names are searched by their
 * components. Any other pattern would have no effect.
 */
export function fileProblems(policy: Policy): readonly Problem[] {
  const builtin: Builtin = {
    names: policy.layers.flatMap((layer) => layer.names()),
    places: policy.layers.flatMap((layer) => layer.files().flatMap(hiddenPlace)),
  };
  return policy.layers.flatMap((layer) => {
    const written = layer.files().filter(({ origin }) => origin.file !== builtinFile);
    return written.flatMap((statement) => checks[statement.use](statement, builtin) ?? []);
  });
}

/** The built-in protections that a release can apply to. */
interface Builtin {
  readonly names: readonly NameStatement[];
  /** Components of the hidden paths. */
  readonly places: readonly (readonly string[])[];
}

function hiddenPlace({ use, pattern, origin }: FileStatement): readonly (readonly string[])[] {
  return use === 'deny' && origin.file === builtinFile && origin.layer !== 'required' && pattern.kind !== 'name'
    ? [pattern.base]
    : [];
}

type Check = (statement: FileStatement, builtin: Builtin) => Problem | undefined;

const checks: Readonly<Record<FileUse, Check>> = {
  read: checkGrant,
  write: checkGrant,
  ephemeral: checkGrant,
  deny: checkRefusal,
  protect: checkRefusal,
  release: checkRelease,
  audit: () => undefined,
};

function checkGrant(statement: FileStatement): Problem | undefined {
  const { pattern, origin } = statement;
  if (pattern.kind !== 'subtree')
    return problem(
      statement,
      'opens nothing: a grant is a mount, and only whole paths can be mounted',
      grantInstead(pattern.source),
    );
  if (pattern.base.length > 0 || origin.layer !== 'user') return undefined;
  return problem(
    statement,
    'grants the whole machine, which would leave no box',
    'name the directories that are needed; those of the system are readable anyway',
  );
}

function checkRefusal(statement: FileStatement): Problem | undefined {
  const { pattern } = statement;
  if (pattern.kind === 'subtree' || searchedNames(pattern.source) !== undefined) return undefined;
  return problem(statement, 'cannot be enforced by the kernel', `write "${refusalInstead(pattern.source)}"`);
}

/** A released path is skipped when its name is found. A released name is no longer searched for. */
function checkRelease(statement: FileStatement, { names, places }: Builtin): Problem | undefined {
  const { pattern } = statement;
  if (pattern.kind === 'subtree')
    return places.some((place) => isRelated(place, pattern.base))
      ? undefined
      : checkReleasedPath(statement, pattern.base, names);
  if (names.some(({ name }) => name.kind !== 'holdfast' && releases(pattern, name))) return undefined;
  return problem(
    statement,
    'releases nothing: it is neither a path nor a complete name of the built-in ones',
    'write the path, or the name as `holdfast policy show --all` has it, such as "**/.env.*"',
  );
}

function checkReleasedPath(
  statement: FileStatement,
  path: readonly string[],
  names: readonly NameStatement[],
): Problem | undefined {
  const lengthsOf = (wanted: (name: NameStatement['name']) => boolean): readonly number[] =>
    names.flatMap(({ name }) => (wanted(name) ? (guardedLength(path, name) ?? []) : []));
  if (lengthsOf(({ kind }) => kind === 'holdfast').length > 0)
    return problem(statement, 'releases nothing: policy files are never released', 'take it out');
  const held = Math.min(...lengthsOf(({ depth }) => depth === 'beneath'));
  if (held === path.length || lengthsOf(({ depth }) => depth === 'itself').includes(path.length)) return undefined;
  if (held < path.length)
    return problem(
      statement,
      `releases nothing: "${path[held - 1] ?? ''}" is held as a whole`,
      `write "${withoutLast(statement.pattern.source, path.length - held)}"`,
    );
  return problem(
    statement,
    'releases nothing: no built-in name matches it',
    'write the path of the protected or hidden name itself, such as "sub/.env", or a name for every place, such as "**/.env"',
  );
}

/** A hidden place may be released as a whole, in part, or together with the directory around it. */
function isRelated(place: readonly string[], path: readonly string[]): boolean {
  return place.every((component, index) => path[index] === undefined || path[index] === component);
}

function withoutLast(source: string, count: number): string {
  const kept = source
    .split('/')
    .filter((component, index) => index === 0 || (component !== '' && component !== '.'))
    .slice(0, -count)
    .join('/');
  return kept === '' ? '.' : kept;
}

function problem({ pattern, origin }: FileStatement, what: string, remedy: string): Problem {
  const { rule, file, line } = origin;
  return {
    code: 'HF_POLICY_INVALID',
    file,
    line,
    message: `"${printable(pattern.source)}" in ${printable(rule)} ${what}`,
    remedy: printable(remedy),
  };
}

/** A built-in chain of names that holds at every depth. Case is ignored. */
export interface GuardedName {
  readonly components: readonly string[];
  /** `pinned`: the name cannot be changed or moved, but its content may change. */
  readonly effect: 'read-only' | 'hidden' | 'pinned';
  readonly except: readonly string[];
  readonly scope: 'anywhere' | 'outside-packages';
  readonly reason: string;
}

/** Returns names that are readable but never writable, wherever they occur. Leaves out names released everywhere. */
export function namesProtectedBy(policy: Policy): readonly GuardedName[] {
  return guardedNames(policy, 'read-only');
}

/** Returns names that are neither readable nor writable. */
export function hiddenNames(policy: Policy): readonly GuardedName[] {
  return guardedNames(policy, 'hidden');
}

/** Returns names that cannot be moved or removed, while their content may change: `.git`. */
export function pinnedNames(policy: Policy): readonly GuardedName[] {
  return namesWith(policy, ({ depth }) => depth === 'itself').map((name) => ({ ...name, effect: 'pinned' }));
}

/** Returns absolute paths that are released although their name is protected or hidden. */
export function releasedPaths(policy: Policy): readonly string[] {
  const layers = policy.layers.filter((layer) => layer.names().some(({ name }) => name.kind !== 'holdfast'));
  const [first, ...others] = layers.map(
    (layer) => new Set(layer.names().flatMap(({ released }) => released.flatMap(literalPath))),
  );
  // Each layer that protects the path has to release it.
  return first === undefined ? [] : [...first].filter((path) => others.every((set) => set.has(path)));
}

function guardedNames(policy: Policy, effect: GuardedName['effect']): readonly GuardedName[] {
  return namesWith(policy, (name) => name.effect === effect && name.depth === 'beneath');
}

function namesWith(policy: Policy, wanted: (name: NameStatement['name']) => boolean): readonly GuardedName[] {
  const statements = policy.layers
    .flatMap((layer) => layer.names())
    .filter((statement) => wanted(statement.name) && !isReleasedEverywhere(statement));
  return [...new Map(statements.map(({ name }) => [name.components.join('/'), guardedName(name)])).values()];
}

function guardedName({ components, effect, except, scope, reason }: NameStatement['name']): GuardedName {
  return { components, effect, except, scope, reason };
}

/** Whether the same chain of names, or its beginning, is released. */
function isReleasedEverywhere({ name, released }: NameStatement): boolean {
  return released.some((pattern) => releases(pattern, name));
}

/** Whether a pattern of `files.release` releases a built-in name wherever it occurs. */
function releases(pattern: ResolvedPath, name: NameStatement['name']): boolean {
  return (
    pattern.kind === 'name' && pattern.chain.every((wildcard, index) => wildcard.source === name.components[index])
  );
}

function literalPath(pattern: ResolvedPath): readonly string[] {
  return pattern.kind === 'subtree' ? [`/${pattern.base.join('/')}`] : [];
}

/** The longest chain of names that a box searches for at its start. */
const longestChain = 8;

/**
 * Components of a pattern of `**` and names, which can be searched in every directory of a box. `**` alone may only end
 * them. Undefined for every other pattern with wildcards, because no mechanism can enforce it.
 */
export function searchedNames(source: string): readonly string[] | undefined {
  if (!source.startsWith('**/')) return undefined;
  const components = source
    .slice(3)
    .replace(/\/\*\*$/, '')
    .split('/');
  return components.length <= longestChain && components.every((component) => component !== '' && component !== '**')
    ? components.map(unescaped)
    : undefined;
}

/** The search supports `*` and `?` but no escapes. An escaped `*` becomes `?`, which never matches less. */
function unescaped(component: string): string {
  return component.replaceAll(/\\(.)/gs, (_, character: string) => (character === '*' ? '?' : character));
}

/** Returns a replacement for a denying pattern that cannot be searched for. It never matches less. */
export function refusalInstead(source: string): string {
  const components = source.split('/').filter((component) => component !== '' && component !== '.');
  while (components.at(-1) === '**') components.pop();
  if (!components.some(hasWildcard)) return literalPrefix(source);
  const names = components.slice(components.lastIndexOf('**') + 1);
  const from = components.includes('**') ? 0 : Math.max(0, names.findIndex(hasWildcard) - 1);
  return `**/${names
    .slice(from)
    .filter((name) => name !== '~')
    .slice(-longestChain)
    .join('/')}`;
}

/** Returns a replacement for a granting pattern: the directory that holds all its matches, if one exists. */
export function grantInstead(source: string): string {
  const prefix = literalPrefix(source);
  const isPlace = prefix !== '/' && prefix !== '~' && !source.startsWith('**');
  return isPlace
    ? `write "${prefix}" for the directory and everything beneath, or name each path`
    : 'name each path; a directory stands for everything beneath';
}

/** The path before the first component with a wildcard. `.` means the workspace. */
function literalPrefix(source: string): string {
  const components = source.split('/');
  const wild = components.findIndex(hasWildcard);
  const prefix = (wild < 0 ? components : components.slice(0, wild)).join('/');
  if (prefix !== '') return prefix;
  return /^(?:\/|\*\*)/.test(source) ? '/' : '.';
}
