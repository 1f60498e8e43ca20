import type { Word } from '../../types.ts';
import { flags, takes, tool } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { withFoundFiles } from './found-files.ts';

/** Without a placeholder, the file comes last. */
const placeholders = /\{(?:|\/|\.|\/\/|\/\.)\}/u;

const runsFound: Refine = ({ options, operands }) => {
  const roots = options
    .filter(({ spec }) => spec.names.includes('--search-path'))
    .flatMap(({ value }) => (value === undefined ? [] : [value]));
  const starts = operands.length > 1 ? operands.slice(1) : roots.length > 0 ? roots : [staticWord('.')];
  return {
    commands: options.flatMap(({ spec, words }) =>
      spec.role === 'word-list' && words !== undefined
        ? [withFoundFiles(completed(words), { placeholders, starts })]
        : [],
    ),
  };
};

const options: readonly OptionSpec[] = [
  ...flags(
    '-H --hidden',
    '-I --no-ignore',
    '--no-ignore-vcs',
    '--no-ignore-parent',
    '-u --unrestricted',
    '-s --case-sensitive',
    '-i --ignore-case',
    '-g --glob',
    '--regex',
    '-F --fixed-strings',
    '-a --absolute-path',
  ),
  ...flags(
    '-L --follow',
    '-p --full-path',
    '-0 --print0',
    '-1',
    '-q --quiet',
    '--show-errors',
    '--one-file-system',
    '--prune',
    '-h --help',
    '-V --version',
    '--strip-cwd-prefix',
  ),
  ...takes(
    'text',
    '-d --max-depth',
    '--min-depth',
    '--exact-depth',
    '-E --exclude',
    '-t --type',
    '-e --extension',
    '-S --size',
    '--changed-within --newer --changed-after --change-newer-than',
    '--changed-before --older --change-older-than',
    '--format',
    '-o --owner',
    '-c --color',
    '-j --threads',
    '--max-results',
    '--and',
    '--path-separator',
    '--batch-size',
  ),
  ...takes('read', '--ignore-file'),
  ...takes('read-tree', '--search-path'),
  ...takes('directory', '-C --base-directory'),
  ...takes('word-list', '-x --exec', '-X --exec-batch'),
];

export const fd: ToolSpec = tool('fd fdfind', {
  operands: { kind: 'sequence', first: ['text'], rest: 'read-tree', absent: '.' },
  options,
  refine: runsFound,
});

function completed(words: readonly Word[]): readonly Word[] {
  const last = words.at(-1);
  const hasPlace = words.some((word) => placeholders.test(word.kind === 'static' ? word.value : word.text));
  return hasPlace || last === undefined ? words : [...words, staticWord('{}', last.span)];
}
