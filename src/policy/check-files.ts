import type { Problem } from './document/problem.ts';
import type { FileStatement, FileUse, NameStatement } from './layers/layer.ts';
import { releases } from './names.ts';
import { builtinFile } from './origin.ts';
import { guardedLength } from './patterns/guarded-length.ts';
import type { Policy } from './policy.ts';
import { printable } from './words/printable.ts';
import { grantInstead, refusalInstead, searchedNames } from './words/instead.ts';

/**
 * Paths that no box could hold as they are written. Mounts open whole paths, and names are looked for by their
 * components: a pattern that is neither would be a line of a policy that is only words.
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

/** What a release can be about. */
interface Builtin {
  readonly names: readonly NameStatement[];
  /** Components of the paths that are hidden. */
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
      'opens nothing: what is granted is mounted, and only whole paths can be',
      grantInstead(pattern.source),
    );
  if (pattern.base.length > 0 || origin.layer !== 'user') return undefined;
  return problem(
    statement,
    'grants the whole machine, and no box would be left',
    'name the directories that are needed; those of the system are readable anyway',
  );
}

function checkRefusal(statement: FileStatement): Problem | undefined {
  const { pattern } = statement;
  if (pattern.kind === 'subtree' || searchedNames(pattern.source) !== undefined) return undefined;
  return problem(statement, 'cannot be held by the kernel', `write "${refusalInstead(pattern.source)}"`);
}

/** A path that is released is left alone when its name is found; a name is released when it is no longer looked for. */
function checkRelease(statement: FileStatement, { names, places }: Builtin): Problem | undefined {
  const { pattern } = statement;
  if (pattern.kind === 'subtree')
    return places.some((place) => isRelated(place, pattern.base))
      ? undefined
      : checkReleasedPath(statement, pattern.base, names);
  if (names.some(({ name }) => name.kind !== 'holdfast' && releases(pattern, name))) return undefined;
  return problem(
    statement,
    'releases nothing: it is no path, and no whole name of the built-in ones',
    'write the path, or the name as `holdfast policy show` has it, such as "**/.env.*"',
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
    'releases nothing: nothing built in is called so',
    'write the path of what is protected or hidden itself, such as "sub/.env", or a name for every place, such as "**/.env"',
  );
}

/** A place that is hidden may be released as a whole, in part, or together with what is around it. */
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
