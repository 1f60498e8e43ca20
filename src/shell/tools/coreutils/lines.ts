import type { Word } from '../../types.ts';
import { each, flags, inOrder, maybe, takes } from '../notation.ts';
import type { OptionSpec, ParsedArguments, Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, staticWord } from '../words.ts';
import { gnu, namesFiles } from './gnu.ts';

const reader = (names: string, ...options: readonly (readonly OptionSpec[])[]): ToolSpec =>
  gnu(names, { operands: each('read'), options: options.flat() });

/** `-o -` names a file, but an operand `-` is the input. The operand is also reported as a read of such a file. */
const sort: ToolSpec = {
  ...reader(
    'sort',
    flags(
      '-b --ignore-leading-blanks',
      '-d --dictionary-order',
      '-f --ignore-case',
      '-g --general-numeric-sort',
      '-i --ignore-nonprinting',
      '-M --month-sort',
      '-h --human-numeric-sort',
      '-n --numeric-sort',
    ),
    flags(
      '-R --random-sort',
      '-r --reverse',
      '-V --version-sort',
      '-c',
      '-C',
      '--debug',
      '-m --merge',
      '-s --stable',
      '-u --unique',
      '-z --zero-terminated',
    ),
    maybe('text', '--check'),
    takes('text', '--sort', '--batch-size', '-k --key', '-S --buffer-size', '-t --field-separator', '--parallel'),
    takes('read', '--random-source'),
    takes('write', '-o --output'),
    takes('write-tree', '-T --temporary-directory'),
    takes('program', '--compress-program'),
    [{ names: ['--files0-from'], value: 'required', role: 'read', effect: namesFiles }],
  ),
  dash: 'file',
};

/** The second operand is written. */
const uniq = gnu('uniq', {
  operands: inOrder(['read', 'write']),
  options: [
    ...flags('-c --count', '-d --repeated', '-D', '-i --ignore-case', '-u --unique', '-z --zero-terminated'),
    ...maybe('text', '--all-repeated', '--group'),
    ...takes('text', '-f --skip-fields', '-s --skip-chars', '-w --check-chars'),
  ],
});

const cut = reader(
  'cut',
  flags('-n', '--complement', '-s --only-delimited', '-z --zero-terminated'),
  takes('text', '-b --bytes', '-c --characters', '-d --delimiter', '-f --fields', '--output-delimiter'),
);
const tr = gnu('tr', {
  grammar: 'getopt-posix',
  operands: inOrder(['text', 'text']),
  options: flags('-c -C --complement', '-d --delete', '-s --squeeze-repeats', '-t --truncate-set1'),
});
const comm = gnu('comm', {
  operands: inOrder(['read', 'read']),
  options: [
    ...flags('-1', '-2', '-3', '--check-order', '--nocheck-order', '--total', '-z --zero-terminated'),
    ...takes('text', '--output-delimiter'),
  ],
});
const join = gnu('join', {
  operands: inOrder(['read', 'read']),
  options: [
    ...flags('-i --ignore-case', '--check-order', '--nocheck-order', '--header', '-z --zero-terminated'),
    ...takes('text', '-a', '-e', '-j', '-o', '-t', '-v', '-1', '-2'),
  ],
});
const paste = reader('paste', flags('-s --serial', '-z --zero-terminated'), takes('text', '-d --delimiters'));
const tsort = reader('tsort');

const expand = reader('expand', flags('-#', '-i --initial'), takes('text', '-t --tabs'));
const unexpand = reader('unexpand', flags('-#', '-a --all', '--first-only'), takes('text', '-t --tabs'));
const fmt = reader(
  'fmt',
  flags('-#', '-c --crown-margin', '-s --split-only', '-t --tagged-paragraph', '-u --uniform-spacing'),
  takes('text', '-p --prefix', '-w --width', '-g --goal'),
);
const fold = reader('fold', flags('-#', '-b --bytes', '-s --spaces'), takes('text', '-w --width'));
const pr = reader(
  'pr',
  flags(
    '-#',
    '-a --across',
    '-c --show-control-chars',
    '-d --double-space',
    '-F -f --form-feed',
    '-J --join-lines',
    '-m --merge',
    '-r --no-file-warnings',
    '-t --omit-header',
    '-T --omit-pagination',
    '-v --show-nonprinting',
  ),
  maybe('text', '-e --expand-tabs', '-i --output-tabs', '-n --number-lines', '-s --separator', '-S --sep-string'),
  takes(
    'text',
    '--columns',
    '-D --date-format',
    '-h --header',
    '-l --length',
    '-N --first-line-number',
    '-o --indent',
    '-w --width',
    '-W --page-width',
  ),
);

/** With `-e`, the operands themselves are lines. */
const shuf = gnu('shuf', {
  dash: 'file',
  operands: inOrder(['read']),
  options: [
    { names: ['-e', '--echo'], operands: each('text') },
    ...takes('text', '-i --input-range', '-n --head-count'),
    ...takes('write', '-o --output'),
    ...takes('read', '--random-source'),
    ...flags('-r --repeat', '-z --zero-terminated'),
  ],
});

/** Pieces are written to names that begin with the prefix. */
const writesPieces =
  (prefixOf: (parsed: ParsedArguments) => Word | undefined, fallback: string): Refine =>
  (parsed, { path }) => {
    const prefix = prefixOf(parsed) ?? staticWord(fallback);
    const span = prefix.span;
    if (prefix.kind !== 'static' || prefix.lead !== undefined)
      return {
        opaque: [
          {
            kind: 'dynamic-word',
            message: `\`${wordAsTyped(prefix)}\` begins the names of files that are written`,
            span,
          },
        ],
      };
    const text = wordAsTyped(prefix);
    return { writes: [path({ kind: 'glob', text: `${text}*`, prefix: text, span }, 'write', 'tree')] };
  };

const split = gnu('split', {
  operands: inOrder(['read', 'text']),
  options: [
    ...flags('-#', '-d', '-x', '-e --elide-empty-files', '-u --unbuffered', '--verbose'),
    ...takes(
      'text',
      '-a --suffix-length',
      '-b --bytes',
      '-C --line-bytes',
      '-l --lines',
      '-n --number',
      '-t --separator',
    ),
    ...maybe('text', '--numeric-suffixes', '--hex-suffixes'),
    ...takes('script', '--filter'),
  ],
  refine: writesPieces(({ operands }) => operands[1], 'x'),
});

const csplit = gnu('csplit', {
  operands: inOrder(['read'], 'text'),
  options: [
    ...flags('-k --keep-files', '--suppress-matched', '-s --quiet --silent', '-z --elide-empty-files'),
    ...takes('text', '-b --suffix-format', '-f --prefix', '-n --digits'),
  ],
  refine: writesPieces(({ options }) => options.findLast(({ spec }) => spec.names.includes('--prefix'))?.value, 'xx'),
});

const anyOption = [cut, expand, unexpand, fold].map((spec) => ({ ...spec, anyOption: 'harmless' }) as const);

export const lineTools: readonly ToolSpec[] = [
  ...anyOption,
  sort,
  uniq,
  tr,
  comm,
  join,
  paste,
  tsort,
  fmt,
  pr,
  shuf,
  split,
  csplit,
];
