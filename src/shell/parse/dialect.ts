import type { CompoundList, SyntaxNode } from 'unbash';
import { spanIn } from './coverage.ts';
import type { NodePlace, SyntaxWalk } from './walk.ts';

/**
 * Returns a construct that bash and a shell called `sh` may read differently. Dash reads `&>x rm` as two commands and
 * `a+=b` as the name of a program. Constructs that stop dash with an error count too, because other `sh` programs may
 * continue. Undefined if every shell runs the same commands with the same words.
 */
export function dialectOf(node: SyntaxNode, text: string): string | undefined {
  const find = finders[node.type] as ((node: SyntaxNode, text: string) => string | undefined) | undefined;
  return find?.(node, text);
}

type Finders = { readonly [Type in SyntaxNode['type']]?: (node: Of<Type>, text: string) => string | undefined };

const finders: Finders = {
  ArithmeticCommand: () => '((',
  ArithmeticFor: () => 'for ((',
  ArithmeticExpansion: ({ text }) => (text.startsWith('$((') ? undefined : '$['),
  TestCommand: () => '[[',
  Select: () => 'select',
  Coproc: () => 'coproc',
  Time: () => 'time',
  Function: ({ pos, name }, text) => (pos < name.pos && text.startsWith('function', pos) ? 'function' : undefined),
  Pipeline: ({ operators }) => operators.find((operator) => operator === '|&'),
  CaseItem: ({ terminator }) => (terminator === ';;' ? undefined : terminator),
  Command: findInCommand,
  Redirect: ({ operator, descriptor }) => (operator.startsWith('&') ? operator : longDescriptor(descriptor)),
  HereString: () => '<<<',
  HereDoc: ({ delimiter, descriptor }) =>
    /[$`\\\n]/u.test(delimiter?.text.replace(/^\\?([\w'"]+)$/u, '$1') ?? '') ? '<<' : longDescriptor(descriptor),
  ProcessSubstitution: ({ operator }) => `${operator}(`,
  AnsiCQuoted: () => "$'",
  LocaleString: () => '$"',
  ExtendedGlob: ({ operator }) => `${operator}(`,
  ArrayValue: () => '=(',
  ParameterExpansion: findInParameter,
};

/** A smaller shell reads one digit as a descriptor, and several as a word, perhaps the name of a program. */
function longDescriptor(descriptor: Of<'Redirect'>['descriptor']): string | undefined {
  if (descriptor === undefined || descriptor.end - descriptor.pos === 1) return undefined;
  return descriptor.type === 'FileDescriptor' ? `${descriptor.value}>` : `{${descriptor.name}}>`;
}

/** Before a command, other shells read these as names of programs. After a command they are words in every shell. */
function findInCommand({ prefix, name, suffix }: Of<'Command'>): string | undefined {
  for (const item of prefix)
    if (item.type === 'Assignment' && (item.append === true || item.index !== undefined))
      return item.append === true ? `${item.name}+=` : `${item.name}[`;
  const words = [name, ...suffix].flatMap((word) => (word?.type === 'Word' ? [word] : []));
  const exec = words.findIndex(
    ({ value }, index) => value === 'exec' && words[index + 1]?.value.startsWith('-') === true,
  );
  const at = words.findIndex(({ value }) => !prefixes.has(value) && !value.startsWith('-'));
  // Dash has no options for `exec`: it runs a program called `-a`.
  if (exec >= 0 && (at < 0 || exec < at)) return `exec ${words[exec + 1]?.value}`;
  const program = words[at]?.value ?? '';
  return builtins.has(program) ? program : undefined;
}

/** These run the words after them, with or without their own options. */
const prefixes: ReadonlySet<string> = new Set(['command', 'exec']);

/**
 * Builtins that only some shells have, or that differ. Elsewhere they are programs, which change no directory of the
 * shell and set no variable.
 */
const builtins: ReadonlySet<string> = new Set([
  '[[',
  'bind',
  'builtin',
  'caller',
  'chdir',
  'compgen',
  'complete',
  'compopt',
  'declare',
  'dirs',
  'disown',
  'enable',
  'help',
  'history',
  'let',
  'logout',
  'mapfile',
  'popd',
  'pushd',
  'readarray',
  'shopt',
  'source',
  'suspend',
  'typeset',
]);

/** POSIX has `${#x}`, and the forms with `-`, `=`, `+`, `?`, `#` and `%`. */
function findInParameter({ prefix, index, operation, text }: Of<'ParameterExpansion'>): string | undefined {
  const isPosix =
    prefix !== '!' &&
    index === undefined &&
    (operation === undefined || operation.type === 'Default' || operation.type === 'Remove');
  if (!isPosix) return text;
  return /\$['"]/u.exec(text)?.[0];
}

export type Of<Type extends SyntaxNode['type']> = Extract<SyntaxNode, { type: Type }>;

/** Nodes from this index on may not run. */
export function enterBranches(
  nodes: readonly (SyntaxNode | CompoundList)[],
  from: number,
  [place, walk]: readonly [NodePlace, SyntaxWalk],
): void {
  const later = branch(place);
  nodes.forEach((node, index) => walk.enter(node, index < from ? place : later));
}

export function branch(place: NodePlace): NodePlace {
  return { ...place, runs: 'conditional', after: 'any', position: 'branch' };
}

/** A copy of the surrounding shell. */
export function ownShell(place: NodePlace, { findings }: SyntaxWalk): NodePlace {
  return { ...place, shell: findings.shells.push(place.shell) - 1, position: 'list' };
}

/** A copy of the surrounding shell, for which that shell does not wait by itself. */
export function ownJob(place: NodePlace, walk: SyntaxWalk): NodePlace {
  const own = ownShell(place, walk);
  return { ...own, job: { shell: own.shell, by: place.shell } };
}

export function within(place: NodePlace, parent: number | undefined): NodePlace {
  return { ...place, feeds: undefined, parent, after: 'any' };
}

export function asList<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

export type Reason = { readonly kind: 'syntax' | 'uncovered' | 'budget' | 'shell'; readonly message: string };

export function noteOpaque(
  { findings }: SyntaxWalk,
  reason: Reason,
  [node, place]: readonly [{ readonly pos: number; readonly end: number }, NodePlace],
): void {
  findings.opaque.push({ ...reason, span: spanIn(place.source, node) });
}
