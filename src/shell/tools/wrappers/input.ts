import { redirectsCode } from '../../loads-code.ts';
import type { Word } from '../../types.ts';
import { each, flags, maybe, takes, tool } from '../notation.ts';
import type { ParsedArguments, Refinement, ToolSpec } from '../types.ts';
import { plainText, wordAsTyped } from '../words.ts';
import { because, runsJoined, inputWord } from './texts-of-words.ts';

/** Programs that build commands from their input. Sources: `xargs(1)` of findutils, `parallel(1)`, `entr(1)`. */
export const inputTools: readonly ToolSpec[] = [
  tool('xargs', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-0 --null',
        '-o --open-tty',
        '-p --interactive',
        '-r --no-run-if-empty',
        '-t --verbose',
        '-x --exit',
        '--show-limits',
        '--help',
        '--version',
      ),
      ...takes(
        'text',
        '-d --delimiter',
        '-E',
        '-I',
        '-L',
        '-n --max-args',
        '-P --max-procs',
        '-s --max-chars',
        '--process-slot-var',
      ),
      ...maybe('text', '-e --eof', '-i --replace', '-l', '--max-lines'),
      ...takes('read', '-a --arg-file'),
    ],
    operands: each('text'),
    refine: xargs,
  }),
  tool('parallel', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-0 --null',
        '-k --keep-order',
        '-m',
        '-q --quote',
        '-r --no-run-if-empty',
        '-t --verbose',
        '-u --ungroup',
        '-X',
        '--bar',
        '--eta',
        '--dry-run',
        '--line-buffer --lb',
        '--no-notice',
        '--tag',
        '--will-cite',
        '--version',
        '--help',
      ),
      ...takes(
        'text',
        '-I',
        '-j --jobs',
        '-n --max-args',
        '-N',
        '--colsep',
        '--delay',
        '--halt',
        '--retries',
        '--timeout',
      ),
      ...takes('read', '-a --arg-file'),
      ...takes('write', '--joblog'),
      ...takes('write-tree', '--results'),
    ],
    operands: each('text'),
    refine: parallel,
  }),
  tool('entr', {
    grammar: 'getopt-posix',
    options: flags('-a', '-c', '-d', '-n', '-p', '-r', '-s', '-x', '-z'),
    operands: each('text'),
    refine: ({ options, operands }) => {
      if (options.some(({ spelled }) => spelled === '-s')) return runsJoined('entr -s', operands);
      return operands.length === 0
        ? {}
        : {
            commands: [
              operands.map((word) => (word.kind === 'static' && word.value === '/_' ? inputWord('/_', word) : word)),
            ],
          };
    },
  }),
];

/** Words of the input come last, or replace the placeholder within a word. */
function xargs({ options, operands }: ParsedArguments): Refinement {
  if (options.some(({ spec }) => spec.names.includes('--help') || spec.names.includes('--version'))) return {};
  const slot = options.findLast(({ spec }) => spec.names.includes('--process-slot-var'))?.value;
  // It sets PATH before it looks for the command: `0/ls` runs.
  if (slot !== undefined && !isPlainVariable(plainText(slot)))
    return { opaque: [because('dynamic-word', 'the variable of `xargs` can decide what runs', [slot])] };
  if (operands.length === 0) return {};
  const placeholder = placeholderOf(options);
  const appended = [...operands, inputWord('words of the input', operands.at(-1))];
  if (placeholder === undefined) return { commands: [appended] };
  if (placeholder === '')
    return { opaque: [because('dynamic-word', 'the placeholder of `xargs` is not static', operands)] };
  const replacing = operands.map((word) => replaced(word, placeholder));
  return { commands: countsLater(options) ? [replacing, appended] : [replacing] };
}

const isPlaceholder = ({ spec }: ParsedArguments['options'][number]): boolean =>
  spec.names.includes('-I') || spec.names.includes('-i');

/** A count after `-I` cancels it in the GNU version, except for one word at a time: `xargs -I{} -n2 sh -c`. */
function countsLater(options: ParsedArguments['options']): boolean {
  return options.slice(options.findLastIndex(isPlaceholder) + 1).some(({ spec, value }) => {
    if (spec.names.includes('-n')) return plainText(value) !== '1';
    return spec.names.some((name) => name === '-L' || name === '-l' || name === '--max-lines');
  });
}

function isPlainVariable(name: string | undefined): boolean {
  return name !== undefined && !redirectsCode(name);
}

function placeholderOf(options: ParsedArguments['options']): string | undefined {
  const last = options.findLast(isPlaceholder);
  if (last === undefined) return undefined;
  if (last.value === undefined) return '{}';
  return last.value.kind === 'static' && last.value.lead === undefined ? last.value.value : '';
}

function replaced(word: Word, placeholder: string): Word {
  const text = word.kind === 'static' ? word.value : word.text;
  return text.includes(placeholder) ? { kind: 'dynamic', text, because: 'expansion', span: word.span } : word;
}

/** Its words are one shell text. Only plain words are split, and `{…}` is a placeholder for the input. */
function parallel({ operands, options }: ParsedArguments): Refinement {
  const end = operands.findIndex((word) => word.kind === 'static' && word.value.startsWith(':::'));
  const template = end === -1 ? operands : operands.slice(0, end);
  const values = options.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const perl = [...values, ...template].filter((word) => /\{[^{}]*=/u.test(wordAsTyped(word)));
  if (perl.length > 0) return { opaque: [because('inline-code', '`parallel` runs the Perl code in `{=…=}`', perl)] };
  if (template.length === 0)
    return operands.length === 0 || end === 0
      ? { opaque: [because('stdin-code', '`parallel` without a command runs its input', operands)] }
      : {};
  const words = template.map((word) =>
    word.kind === 'static' && word.lead === undefined && /^[\w./:@%+,={}-]*$/u.test(word.value) ? word : undefined,
  );
  if (words.includes(undefined))
    return { opaque: [because('inline-code', '`parallel` makes a shell text of its words', template)] };
  const command = template.map((word) => replaced(word, '{'));
  return {
    commands: [
      command.some(({ kind }) => kind === 'dynamic')
        ? command
        : [...command, inputWord('words of the input', command.at(-1))],
    ],
  };
}
