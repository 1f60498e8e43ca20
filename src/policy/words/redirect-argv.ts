import type { MatchedCommand } from '../answer.ts';
import { canonicalise } from '../patterns/canonicalise.ts';
import type { ExecRequest } from '../request.ts';
import { matchedWords } from './matched-words.ts';

/**
 * The words that run instead of a command. `{args}`: every word after the program; `{rest}`: those that the rule's
 * pattern does not name; `{operands}`: those that are no options and no values of options; `{1}`: the first of these.
 * Undefined where a word that it needs is not known, or not there.
 */
export function redirectArgv(command: MatchedCommand, request: ExecRequest): readonly string[] | undefined {
  const words = command.instead?.map((word) => wordsFor(word, command, request));
  return words === undefined || words.includes(undefined) ? undefined : words.flatMap((word) => word ?? []);
}

function wordsFor(word: string, command: MatchedCommand, request: ExecRequest): readonly string[] | undefined {
  const [, name] = substitution.exec(word) ?? [];
  if (name === undefined) return [word];
  // What stands for a word that nobody knows would be taken for that word.
  if ((request.unknown?.length ?? 0) > 0) return undefined;
  if (name === 'args') return request.argv.slice(1);
  if (name === 'rest') return matchedWords(command, request, 'substitute').rest;
  const { program, argv } = request;
  const { operands } = canonicalise(program.slice(program.lastIndexOf('/') + 1), argv);
  if (name === 'operands') return operands;
  const operand = operands[Number(name) - 1];
  return operand === undefined ? undefined : [operand];
}

/** A whole word: within one, braces are braces. */
export const substitution = /^\{(args|rest|operands|[1-9]\d{0,2})\}$/;
