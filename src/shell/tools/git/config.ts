import { each, flags, maybe, opaqueEffect, reads, takes, tool, warns } from '../notation.ts';
import type { Word } from '../../types.ts';
import { wordAsTyped, staticWord, plainText } from '../words.ts';
import type { ParsedArguments, Refine, Refinement, RefineContext } from '../types.ts';
import { optionValues } from '../parsed-options.ts';
import { isHarmlessKey } from './keys.ts';

const getting = new Set([
  '--get',
  '--get-all',
  '--get-regexp',
  '--get-urlmatch',
  '-l',
  '--list',
  '--get-color',
  '--get-colorbool',
]);
const subcommands = new Set(['list', 'get', 'set', 'unset', 'edit']);

/** `git config KEY`, and every form that lists. */
export function isReadingConfig(parsed: ParsedArguments): boolean {
  const word = subcommandOf(parsed);
  if (changes(parsed)) return false;
  if (word === 'list' || word === 'get' || parsed.options.some(({ spelled }) => getting.has(spelled))) return true;
  return word === undefined && parsed.operands.length <= 1;
}

function subcommandOf(parsed: ParsedArguments): string | undefined {
  const first = plainText(parsed.operands[0]);
  return first !== undefined && subcommands.has(first) ? first : undefined;
}

/** A key and a value are written. Keys that are not known to be harmless may name a program. */
const refine: Refine = (parsed, context) => {
  const files = optionValues(parsed, '-f', '--file');
  if (isReadingConfig(parsed)) return { reads: files.map((word) => context.path(word, 'read', 'file')) };
  return writing(parsed.operands[subcommandOf(parsed) === undefined ? 0 : 1], parsed, context);
};

const changes = (parsed: ParsedArguments) =>
  parsed.options.some(({ spelled }) => /^--(?:unset|add|replace|rename|remove)/u.test(spelled));

function writing(key: Word | undefined, parsed: ParsedArguments, context: RefineContext): Refinement {
  const isGlobal = parsed.options.some(({ spelled }) => spelled === '--global');
  const file: Word = isGlobal ? { ...staticWord('/.gitconfig'), lead: 'home' } : staticWord('.git/config');
  const writes = [file, ...optionValues(parsed, '-f', '--file')].map((word) => context.path(word, 'write', 'file'));
  const value = plainText(parsed.operands[parsed.operands.indexOf(key as Word) + 1]) ?? '';
  if (key?.kind === 'static' && isHarmlessKey(`${key.value}=${value}`)) return { writes };
  return {
    writes,
    opaque: [
      {
        kind: 'inline-code',
        message: `\`${key === undefined ? 'config' : wordAsTyped(key)}\` can name a program that git runs later`,
        span: (key ?? file).span,
      },
    ],
  };
}

export const gitConfig = tool('config', {
  options: [
    ...flags(
      '--global',
      '--local',
      '--worktree',
      '--system',
      '-z --null',
      '--name-only',
      '--show-origin',
      '--show-scope',
      '--includes',
      '--no-includes',
      '-l --list',
      '--get',
      '--get-all',
      '--get-regexp',
      '--get-urlmatch',
      '--get-color',
      '--get-colorbool',
      '--unset',
      '--unset-all',
      '--add',
      '--replace-all',
      '--rename-section',
      '--remove-section',
      '--bool',
      '--int',
      '--path',
      '--fixed-value',
      '--all',
      '--regexp',
    ),
    ...takes('text', '--type', '--default', '--value', '--url'),
    ...takes('text', '-f --file'),
    ...maybe('text', '--no-type'),
    ...warns(opaqueEffect('repository-code', '`--edit` runs the editor that `core.editor` names'), '-e --edit'),
  ],
  operands: each('text'),
  always: [reads('.')],
  refine,
});
