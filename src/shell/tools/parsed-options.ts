import type { Word } from '../types.ts';
import type { ParsedArguments } from './types.ts';

/** Whether one of these options was given, by any of its spellings. */
export const hasOption = ({ options }: Pick<ParsedArguments, 'options'>, ...names: readonly string[]): boolean =>
  options.some(({ spec }) => spec.names.some((name) => names.includes(name)));

/** The values of these options, in the order given. */
export const optionValues = (parsed: ParsedArguments, ...names: readonly string[]): readonly Word[] =>
  parsed.options.flatMap(({ spelled, value }) => (names.includes(spelled) && value !== undefined ? [value] : []));
