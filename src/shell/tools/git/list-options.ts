import { flags, maybe, reads, takes, writes } from '../notation.ts';
import type { Refine } from '../types.ts';
import { hasOption } from '../parsed-options.ts';
import { staticWord } from '../words.ts';

export const readsTree = [reads('.')];

export const writesGitDirectory = writes('.git');

/** Dry runs and questions write nothing. */
export const writesUnless =
  (path: string, ...options: readonly string[]): Refine =>
  (parsed, context) =>
    hasOption(parsed, ...options) ? {} : { writes: [context.path(staticWord(path), 'write', 'tree')] };

const listings = [
  '--list',
  '--contains',
  '--no-contains',
  '--merged',
  '--no-merged',
  '--points-at',
  '-n',
  '--show-current',
];

/** With so many operands, and no option that makes it a list, the command makes or moves a name. */
export const changesWith =
  (operands: number): Refine =>
  (parsed, context) =>
    parsed.operands.length < operands ||
    parsed.options.some(({ spec }) => spec.names.some((name) => listings.includes(name)))
      ? {}
      : { writes: [context.path(staticWord('.git'), 'write', 'tree')] };

export const listFormats = [
  ...takes('text', '--format', '--sort', '--points-at', '--count'),
  ...maybe('text', '--contains', '--no-contains', '--merged', '--no-merged', '--color', '--column'),
  ...flags('-i --ignore-case', '--omit-empty', '--no-color', '--no-column'),
];
