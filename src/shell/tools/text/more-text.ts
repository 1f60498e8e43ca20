import { alike, each, flags, inOrder, maybe, noSpan, takes, tool, toolFamily } from '../notation.ts';
import { hasOption, optionValues } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';

const manual = flags('-h --help', '-V --version');

/** Without a filter it takes keys from the terminal, and keys may run commands. */
const filtersOnly: Refine = (parsed) =>
  hasOption(parsed, '--filter', '--help', '--version')
    ? {}
    : { opaque: [{ kind: 'inline-code', message: '`fzf` without `--filter` takes keys', span: noSpan }] };

/** A format that is a file is a program in Lua. */
const pandocFormats: Refine = (parsed, { path }) => ({
  opaque: optionValues(parsed, '-f', '-r', '--from', '--read', '-t', '-w', '--to', '--write')
    .filter((word) => !/^[a-z][\w+-]*$/u.test(wordAsTyped(word)))
    .map((word) => ({ kind: 'inline-code', message: `\`${wordAsTyped(word)}\` may be a program`, span: word.span })),
  reads: parsed.operands
    .filter((word) => !/^https?:/u.test(wordAsTyped(word)))
    .map((word) => path(word, 'read', 'file')),
  hosts: parsed.operands
    .map((word) => wordAsTyped(word))
    .filter((text) => /^https?:/u.test(text))
    .map((text) => ({ host: undefined, port: undefined, text })),
});

const csvOptions = [
  ...manual,
  ...flags('-t --tabs', '-S --skipinitialspace', '-H --no-header-row', '-l --linenumbers', '-v --verbose', '-I'),
  ...flags('-n --names', '-i --invert-match', '-a --any-match', '-r --reverse', '--zero', '--csv', '--count', '--json'),
  ...takes('text', '-d --delimiter', '-q --quotechar', '-e --encoding', '-c --columns', '-m --match', '--max-rows'),
  ...takes('text', '-K --skip-lines', '-y --snifflimit', '-C --not-columns', '--regex', '--max-columns'),
];

const csvFamily = (program: string, subcommands: string): ToolSpec =>
  toolFamily(
    program,
    subcommands.split(' ').map((name) =>
      tool(name, {
        options: [
          ...flags('-n --no-headers', '-i --ignore-case', '-v --invert-match', '-j --just-names', '-R --reverse'),
          ...flags('-N --numeric', '--nulls', '--everything', '--mode', '--cardinality', '--median'),
          ...takes('text', '-s --start --select', '-e --end', '-l --len --limit', '-d --delimiter'),
          ...takes('write', '-o --output'),
        ],
        operands: inOrder(name === 'select' || name === 'search' || name === 'sample' ? ['text'] : [], 'read'),
      }),
    ),
    { options: flags('--list', '--help', '--version') },
  );

/** More programs that show text and files. */
export const moreTextTools: readonly ToolSpec[] = [
  tool('fzf', {
    options: [
      ...flags(
        '-e --exact',
        '-i',
        '+i',
        '-x --extended',
        '+x',
        '+s --no-sort',
        '--tac',
        '--read0',
        '--print0',
        '--ansi',
      ),
      ...flags('--help', '--version', '--print-query', '--no-color', '-0 --exit-0', '-1 --select-1'),
      ...takes('text', '-f --filter', '-q --query', '-d --delimiter', '-n --nth', '--with-nth', '--algo', '--tiebreak'),
    ],
    refine: filtersOnly,
  }),
  tool('col colcrt colrm', {
    grammar: 'getopt',
    options: [...flags('-h --help', '--version', '-b', '-f', '-p', '-x', '-#'), ...takes('text', '-l')],
    operands: each('text'),
  }),
  tool('sdiff', {
    options: [
      ...flags('-s --suppress-common-lines', '-l --left-column', '-i --ignore-case', '-b --ignore-space-change', '-a'),
      ...flags('-W --ignore-all-space', '-B --ignore-blank-lines', '-t --expand-tabs', '-d --minimal', '--help', '-v'),
      ...takes('text', '-w --width', '-I --ignore-matching-lines'),
    ],
    operands: each('read'),
  }),
  tool('pkg-config pkgconf', {
    options: [
      ...flags('--modversion', '--cflags', '--cflags-only-I', '--cflags-only-other', '--libs', '--libs-only-l'),
      ...flags('--libs-only-L', '--libs-only-other', '--list-all', '--print-variables', '--version', '--help'),
      ...flags('--print-errors', '--silence-errors', '--static', '--exists'),
      ...takes('text', '--variable', '--define-variable'),
    ],
    operands: each('text'),
  }),
  tool('pandoc', {
    options: [
      ...flags('-s --standalone', '--toc --table-of-contents', '-N --number-sections', '-v --version', '-h --help'),
      ...flags('--list-input-formats', '--list-output-formats', '--list-extensions', '--no-highlight', '--ascii'),
      ...takes('text', '-f -r --from --read', '-t -w --to --write', '--wrap', '--columns', '-M --metadata', '--eol'),
      ...takes('text', '--toc-depth', '--tab-stop', '--markdown-headings', '--shift-heading-level-by'),
      ...takes('write', '-o --output'),
    ],
    operands: each('text'),
    refine: pandocFormats,
  }),
  ...alike('csvcut csvlook csvgrep csvstat csvsort csvjson csvformat', { options: csvOptions, operands: each('read') }),
  // `qsv stats` keeps its results beside the file, and `qsv sample` fetches URLs.
  csvFamily('xsv', 'headers count slice select frequency table flatten search sort sample stats'),
  csvFamily('qsv', 'headers count slice select frequency table flatten search sort'),
  tool('zipgrep', {
    options: flags('-i', '-n', '-c', '-l', '-h', '-v', '-w', '-E', '-F', '-o'),
    operands: inOrder(['text', 'read'], 'text'),
  }),
  tool('ctags', {
    grammar: 'long',
    options: [...flags('--version', '--help', '--list-languages'), ...maybe('text', '--list-kinds', '--list-fields')],
    operands: each('read'),
    refine: (parsed) =>
      parsed.options.length === 1 && parsed.operands.length === 0
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'reads options of the project, and writes tags', span: noSpan }] },
  }),
];
