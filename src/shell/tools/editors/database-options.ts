import type { Word } from '../../types.ts';
import { noSpan, opaqueEffect, takes } from '../notation.ts';
import type { ParsedArguments } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { optionValues } from '../parsed-options.ts';

/** A file's last lines can set options, and a person at the keys can run anything. */
export const modelines = opaqueEffect('inline-code', 'an editor runs typed commands, modelines and its configuration');

export const codeFromInput = (parsed: ParsedArguments, what: string) => [
  {
    kind: 'stdin-code' as const,
    message: `takes commands from its input, and ${what} runs a program`,
    span: parsed.operands[0]?.span ?? noSpan,
  },
];

export const hostOption = takes('host', '-h --host');

export const reachesConfiguredServer =
  (
    ...options: readonly string[]
  ): ((parsed: ParsedArguments) => { hosts: readonly { host: undefined; port: undefined; text: string }[] }) =>
  (parsed) => ({
    hosts:
      optionValues(parsed, ...options).length > 0
        ? []
        : [{ host: undefined, port: undefined, text: 'the server that the configuration names' }],
  });

/**
 * SQL reads and changes data, and runs nothing on this machine, unless it begins with a command of the client itself.
 */
export function sql(word: Word, escapes: RegExp) {
  const text = plainText(word);
  if (text !== undefined && !escapes.test(text)) return [];
  return [
    {
      kind: 'inline-code' as const,
      message: `\`${wordAsTyped(word)}\` can run a program or read and write files`,
      span: word.span,
    },
  ];
}
