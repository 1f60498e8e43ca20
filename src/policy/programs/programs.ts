import type { CommandStatement } from '../layers/layer.ts';
import { matchesWildcard, type Wildcard } from '../patterns/wildcard.ts';
import type { Policy } from '../policy.ts';

/** The programs that a policy names, as far as they can be known without a command. */
export interface NamedPrograms {
  /** Bare names in any pattern. */
  readonly names: ReadonlySet<string>;
  /** Bare names and absolute paths that are denied for all arguments and callers. */
  readonly denied: ReadonlySet<string>;
  /**
   * The only programs that may run, by bare names and absolute paths. Undefined if others may run, or if a pattern
   * names no file.
   */
  readonly only: readonly string[] | undefined;
  /** Whether some pattern could match a program with one of these names or paths. */
  readonly concerns: (names: readonly string[]) => boolean;
  /** Whether rules apply to commands that other programs start. */
  readonly nested: 'open' | 'judged';
}

/** Undefined if no layer says anything about commands. */
export function namedPrograms(policy: Policy): NamedPrograms | undefined {
  const speaking = policy.layers.filter((layer) => layer.limitsCommands || layer.commands().length > 0);
  if (speaking.length === 0) return undefined;
  const layers = speaking.map((layer) => layer.commands());
  const programs = layers.flat().map(({ pattern }) => pattern.program);
  return {
    names: new Set(
      programs.flatMap(({ source, literal }) => (literal === undefined || source.includes('/') ? [] : [literal])),
    ),
    concerns: concerned(programs),
    denied: new Set(layers.flatMap(deniedWholly)),
    only: onlyPrograms(speaking.filter(({ limitsCommands }) => limitsCommands).map((layer) => layer.commands())),
    nested:
      speaking.some(({ limitsCommands }) => limitsCommands) || layers.flat().some(holdsNested) ? 'judged' : 'open',
  };
}

function concerned(programs: readonly Wildcard[]): NamedPrograms['concerns'] {
  const literals = new Set(programs.flatMap(({ literal }) => (literal === undefined ? [] : [baseName(literal)])));
  const wild = programs.filter(({ literal }) => literal === undefined);
  return (names) =>
    names.some(
      (name) =>
        literals.has(baseName(name)) ||
        wild.some(
          (program) =>
            matchesWildcard(program, name) || matchesWildcard(program, baseName(name)) || program.source.includes('/'),
        ),
    );
}

/** An allowing rule does not restrict other commands. */
function holdsNested({ context, decision }: CommandStatement): boolean {
  return decision !== 'allow' && context !== 'direct';
}

/** The first match decides: a program that an earlier pattern could allow is not denied as a whole. */
function deniedWholly(statements: readonly CommandStatement[]): readonly string[] {
  return statements.flatMap(({ pattern, decision, context }, index) => {
    const { literal } = pattern.program;
    if (
      decision !== 'deny' ||
      literal === undefined ||
      context !== undefined ||
      pattern.words.length > 0 ||
      pattern.exactly !== undefined ||
      !isNameable(literal)
    )
      return [];
    return statements.slice(0, index).some((earlier) => earlier.decision !== 'deny' && couldMatch(earlier, literal))
      ? []
      : [literal];
  });
}

/** Programs of layers with an allow-list. A program must be in each list. */
function onlyPrograms(lists: readonly (readonly CommandStatement[])[]): readonly string[] | undefined {
  const [first, ...others] = lists.map((statements) => statements.filter(({ decision }) => decision !== 'deny'));
  if (first === undefined) return undefined;
  const names = first
    .filter(({ pattern: { program } }) =>
      others.every((statements) =>
        statements.some((other) => program.literal === undefined || couldMatch(other, program.literal)),
      ),
    )
    .map(({ pattern }) => pattern.program.literal);
  return names.every((name) => name !== undefined && isNameable(name))
    ? [...new Set(names as readonly string[])]
    : undefined;
}

/** A bare name, or a path that is the same for every user. */
function isNameable(literal: string): boolean {
  return literal.startsWith('/') || !literal.includes('/');
}

function couldMatch({ pattern: { program } }: CommandStatement, name: string): boolean {
  return program.literal === undefined || baseName(program.literal) === baseName(name);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
