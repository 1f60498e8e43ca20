import { alike, each, fetchesUrls, flags, inOrder, takes, tool, unknownHost } from '../notation.ts';
import { argumentFiles } from '../languages/project-code.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';

const manual = flags('--help', '--version');

const besideIt: Refine = ({ operands: [file, to] }, { path }) =>
  file === undefined || to !== undefined
    ? {}
    : { writes: [path(file.kind === 'static' ? { ...file, value: `${file.value}/..` } : file, 'write', 'tree')] };

/** Programs that compare, sum up, format or unpack documents. */
export const documentTools: readonly ToolSpec[] = [
  tool('shasum', {
    options: [
      ...manual,
      ...flags('-b --binary', '-c --check', '-t --text', '-q --quiet', '-s --status', '-w --warn', '--tag', '-0'),
      ...takes('text', '-a --algorithm'),
    ],
    operands: each('read'),
  }),
  ...alike('xxhsum xxh64sum xxh32sum xxh128sum', {
    options: [...manual, ...flags('-c --check', '-q --quiet')],
    operands: each('read'),
  }),
  tool('diff3', {
    options: [
      ...manual,
      ...flags(
        '-A --show-all',
        '-e --ed',
        '-E --show-overlap',
        '-3 --easy-only',
        '-x --overlap-only',
        '-m --merge',
        '-a --text',
      ),
      ...flags('-T --initial-tab', '--strip-trailing-cr', '-v'),
      ...takes('text', '-L --label'),
    ],
    operands: each('read'),
  }),
  tool('difft difftastic', {
    options: [
      ...manual,
      ...flags('--skip-unchanged', '--ignore-comments', '--check-only', '--exit-code', '--list-languages'),
    ].concat(takes('text', '--display', '--color', '--context', '--width', '--tab-width', '--background')),
    operands: each('read-tree'),
  }),
  tool('look', {
    options: [...manual, ...flags('-a --alternative', '-d --alphanum', '-f --ignore-case')],
    operands: inOrder(['text', 'read']),
  }),
  tool('pdftotext', {
    grammar: 'long',
    options: [...flags('-layout', '-raw', '-nopgbrk', '-q', '-v', '-h'), ...takes('text', '-f', '-l', '-enc', '-eol')],
    operands: inOrder(['read', 'write']),
    // Without a name, the text goes beside the document.
    refine: (parsed, context) => ({ ...fetchesUrls(parsed, context), ...besideIt(parsed, context) }),
  }),
  tool('shfmt', {
    options: [
      ...flags('-l --list', '-d --diff', '-s --simplify', '-f --find'),
      ...flags('--version', '-h --help'),
      ...takes('text', '-i --indent', '--filename'),
      { names: ['-w', '--write'], operands: each('write-tree') },
    ],
    operands: each('read-tree'),
  }),
  tool('clang-format', {
    grammar: 'long',
    options: [
      ...flags('--dry-run -n', '-Werror --Werror', '--verbose', '--dump-config -dump-config', '--version', '--help'),
      ...takes('text', '--style -style', '--assume-filename -assume-filename', '--lines -lines', '--fallback-style'),
      { names: ['-i'], operands: each('write') },
    ],
    operands: each('read'),
    refine: (parsed) => ({ opaque: argumentFiles(parsed) }),
  }),
  tool('actionlint', {
    grammar: 'long',
    options: [
      ...flags('-no-color', '-color', '-oneline', '-verbose', '-version', '-h'),
      ...takes('text', '-ignore', '-format'),
    ],
    operands: each('read'),
  }),
  tool('ffprobe', {
    grammar: 'long',
    options: [
      ...flags('-hide_banner', '-show_format', '-show_streams', '-show_chapters', '-show_packets', '-count_frames'),
      ...flags('-version', '-h', '-pretty'),
      ...takes('text', '-v', '-loglevel', '-of', '-print_format', '-select_streams', '-show_entries'),
    ],
    operands: each('read'),
    refine: ({ operands }) => ({
      hosts: operands
        .filter((word) => word.kind !== 'static' || word.value.includes(':'))
        .map((word) => unknownHost(wordAsTyped(word))),
    }),
  }),
  tool('exiftool', {
    grammar: 'long',
    options: [...flags('-a', '-G', '-G1', '-s', '-s3', '-S', '-j', '-json', '-n', '-v', '-r', '-ee', '-ver', '-q')],
    operands: each('read'),
    // `-TAG=VALUE` is an option that is not known, and `-@` takes more from a file.
  }),
  tool('cloc', {
    options: [
      ...flags(
        '--by-file',
        '--by-file-by-lang',
        '--quiet',
        '--json',
        '--csv',
        '--md',
        '--yaml',
        '--hide-rate',
        '--version',
        '--help',
        '--skip-uniqueness',
        '--not-match-d',
        '--show-lang',
        '--show-ext',
        '--sum-one',
        '--fullpath',
      ),
      ...takes('read', '--list-file', '--exclude-list-file'),
      ...takes('write', '--out --report-file', '--ignored', '--counted'),
      ...takes(
        'text',
        '--exclude-dir',
        '--include-lang',
        '--exclude-lang',
        '--exclude-ext',
        '--include-ext',
        '--timeout',
        '--match-f',
        '--not-match-f',
        '--match-d',
      ),
    ],
    operands: each('read-tree'),
  }),
  tool('scc', {
    options: [
      ...manual,
      ...flags('-h', '--by-file', '-w --wide', '--no-cogen', '--no-cocomo', '-c --no-complexity', '-d --no-duplicates'),
      ...flags('--ci', '-l --languages', '--no-ignore', '--no-gitignore', '-p --percent', '-u --uloc', '--no-size'),
      ...takes('text', '-f --format', '-i --include-ext', '-x --exclude-ext', '-s --sort', '-n --not-match'),
      ...takes('text', '--exclude-dir', '-M'),
      ...takes('write', '-o --output'),
    ],
    operands: { kind: 'each', role: 'read-tree', absent: '.' },
  }),
];
