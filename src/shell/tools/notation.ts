import type { HostEffect, Opacity, Word } from '../types.ts';
import { hasOption } from './parsed-options.ts';
import { staticWord, wordAsTyped } from './words.ts';
import type { Grammar, OperandPlan, OptionSpec, Refine, Role, StandingEffect, ToolSpec } from './types.ts';

/**
 * A short notation for specifications: spaces separate spellings of one option, `'-r -R --recursive'`. Everything here
 * returns plain data; nothing is looked up.
 */
export const flags = (...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' ') }));

/** Options with a value of `role`, attached or as the next word. */
export const takes = (role: Role, ...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' '), value: 'required', role }));

/** Options with an optional value, which is attached. */
export const maybe = (role: Role, ...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' '), value: 'optional', role }));

/** Options that make the command opaque by themselves, with a reason: `--privileged`. */
export const warns = (effect: StandingEffect, ...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' '), effect }));

/** Like `warns`, for options with a value that must not count as an operand. */
export const warnsTaking = (effect: StandingEffect, ...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' '), value: 'required', effect }));

export const opaqueEffect = (reason: Opacity['kind'], message: string): StandingEffect => ({
  kind: 'opaque',
  reason,
  message,
});

/** The project's code that a tool runs, with a phrase for people about where it is. */
export const repositoryCode = (what: string): readonly StandingEffect[] => [
  { kind: 'runs', runs: { what, kind: 'repository-code' } },
  opaqueEffect('repository-code', `runs ${what}`),
];

export const reads = (path: string, scope: 'file' | 'tree' = 'tree'): StandingEffect => ({
  kind: 'reads',
  path,
  scope,
});
export const writes = (path: string, scope: 'file' | 'tree' = 'tree'): StandingEffect => ({
  kind: 'writes',
  path,
  scope,
});
export const reaches = (host: string): StandingEffect => ({ kind: 'host', host });

/** The command talks to a host that only configuration names. */
export const reachesUnknown =
  (text: string): Refine =>
  () => ({ hosts: [unknownHost(text)] });

/** With one of these options, it asks the name server about hosts. */
export const looksUpWith =
  (...options: readonly string[]): Refine =>
  (parsed) =>
    hasOption(parsed, ...options) ? { hosts: [unknownHost('the name server')] } : {};

/** The program fetches URLs. Names that a pattern finds have no `://`. */
export const fetchesUrls: Refine = ({ operands, options }) => ({
  hosts: [...operands, ...options.flatMap(({ spec, value }) => (spec.role === 'read' && value ? [value] : []))]
    .filter((word) => (word.kind === 'dynamic' ? !/^"?[./]/u.test(word.text) : wordAsTyped(word).includes('://')))
    .map((word: Word) => unknownHost(wordAsTyped(word))),
});

/** A family that changes the working tree without a subcommand: `git stash`. */
export const whenBare =
  (what: string): Refine =>
  (parsed, context) =>
    parsed.operands.length > 0 || hasOption(parsed, '--version', '--help')
      ? {}
      : {
          writes: [context.path(staticWord('.'), 'write', 'tree')],
          runs: [{ what, kind: 'repository-code' }],
          opaque: [{ kind: 'repository-code', message: `runs ${what}`, span: noSpan, concerns: 'tool' }],
        };

export const noSpan = { start: 0, end: 0 };

export const unknownHost = (text: string): HostEffect => ({ host: undefined, port: undefined, text });

export const none: OperandPlan = { kind: 'none' };
export const each = (role: Role): OperandPlan => ({ kind: 'each', role });
export const inOrder = (first: readonly Role[], rest?: Role, last?: Role): OperandPlan => ({
  kind: 'sequence',
  first,
  ...(rest === undefined ? {} : { rest }),
  ...(last === undefined ? {} : { last }),
});

export interface ToolParts {
  readonly grammar?: Grammar;
  readonly options?: readonly OptionSpec[];
  /** Default: none. */
  readonly operands?: OperandPlan;
  readonly subcommands?: readonly ToolSpec[];
  readonly always?: readonly StandingEffect[];
  readonly refine?: Refine;
  /** `-` is a file of that name. Default: standard input or output. */
  readonly dash?: 'file';
}

/** A specification of the usual kind: `getopt`, no operands. Spaces separate `names`, the canonical one first. */
export const tool = (names: string, parts: ToolParts = {}): ToolSpec => ({
  options: [],
  operands: none,
  grammar: 'getopt',
  ...parts,
  names: names.split(' '),
});

/** A program whose first operand is a subcommand: its own options end there. */
export const toolFamily = (names: string, subcommands: readonly ToolSpec[], parts: ToolParts = {}): ToolSpec =>
  tool(names, { grammar: 'getopt-posix', operands: each('text'), ...parts, subcommands });

/** Specifications that differ only in their name. */
export const alike = (names: string, parts: ToolParts = {}): readonly ToolSpec[] =>
  names.split(' ').map((name) => tool(name, parts));
