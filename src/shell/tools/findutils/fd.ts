import type { Word } from '../../types.ts';
import { flags, takes, tool } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { withFoundFiles } from './found-files.ts';

/** Without a placeholder the file goes to the end. */
const placeholders = /\{(?:|\/|\.|\/\/|\/\.)\}/u;

const runsFound: Refine = ({ options, operands }) => {
  const roots = options.filter(({ spec }) => spec.names.includes('--search-path')).flatMap(({ value }) => (value === undefined ? [] : [value]));
  const starts = operands.length > 1 ? operands.slice(1) : roots.length > 0 ? roots : [staticWord('.')];
  return { commands: options.flatMap(({ spec, words }) => (spec.role === 'word-list' && words !== undefined ? [withFoundFiles(completed(words), { placeholders, starts })] : [])) };
};

function completed(words: readonly Word[]): readonly Word[] {
  const last = words.at(-1);
  const hasPlace = words.some((word) => placeholders.test(word.kind === 'static' ? word.value : word.text));
  return hasPlace || last === undefined ? words : [...words, staticWord('{}', last.span)];
}

const options: readonly OptionSpec[] = [
  ...flags('-H --hidden', '-I --no-ignore', '--no-ignore-vcs', '--no-ignore-parent', '-u --unrestricted', '-s --case-sensitive', '-i --ignore-case', '-g --glob', '--regex', '-F --fixed-strings', '-a --absolute-path'),
  ...flags('-L --follow', '-p --full-path', '-0 --print0', '-1', '-q --quiet', '--show-errors', '--one-file-system', '--prune', '-h --help', '-V --version', '--strip-cwd-prefix'),
  ...takes('text', '-d --max-depth', '--min-depth', '--exact-depth', '-E --exclude', '-t --type', '-e --extension', '-S --size', '--changed-within', '--changed-before', '-o --owner', '-c --color', '-j --threads', '--max-results', '--and', '--path-separator', '--batch-size'),
  ...takes('read', '--ignore-file'),
  ...takes('read-tree', '--search-path'),
  ...takes('directory', '-C --base-directory'),
  ...takes('word-list', '-x --exec', '-X --exec-batch'),
];

export const fd: ToolSpec = tool('fd fdfind', { operands: { kind: 'sequence', first: ['text'], rest: 'read-tree', absent: '.' }, options, refine: runsFound });

/** Reads its own database of all names. */
export const locate: ToolSpec = tool('locate plocate mlocate', {
  operands: { kind: 'each', role: 'text' },
  options: [...flags('-A --all', '-b --basename', '-c --count', '-e --existing', '-i --ignore-case', '-w --wholename', '-0 --null', '-h --help', '-V --version'), ...takes('text', '-l -n --limit', '-r --regexp'), ...takes('read', '-d --database')],
});

export const tree: ToolSpec = tool('tree', {
  operands: { kind: 'each', role: 'read-tree', absent: '.' },
  options: [
    ...flags('-a', '-d', '-l', '-f', '-x', '-q', '-N', '-Q', '-p', '-u', '-g', '-s', '-h', '--si', '-D', '-F', '--inodes', '--device', '-v', '-t', '-c', '-U', '-r', '--dirsfirst', '-i', '-n', '-C', '-J', '-X', '-A', '-S'),
    ...flags('--noreport', '--prune', '--gitignore', '--matchdirs', '--ignore-case', '--du', '--version', '--help'),
    ...takes('text', '-L', '-P', '-I', '--filelimit', '--timefmt', '--charset', '--sort'),
    ...takes('write', '-o'),
  ],
});
