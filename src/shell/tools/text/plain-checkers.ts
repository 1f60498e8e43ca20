import { alike, each, fetchesUrls, flags, maybe, noSpan, takes, tool } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { ToolSpec } from '../types.ts';
import { plainText } from '../words.ts';

/** Programs that check sources or show files, and read no plugins of the project. */
export const plainCheckers: readonly ToolSpec[] = [
  // No option of these writes or runs anything.
  ...alike('pyflakes pycodestyle pydocstyle vulture', { grammar: 'words', operands: each('read-tree') }),
  ...alike('lzcat funzip ul ansi2txt wasm-validate pg_controldata zcmp', {
    grammar: 'words',
    operands: each('read'),
  }),
  // Images of disks may be at a URL of the store that AFF knows.
  ...alike('mmls mmstat fls ffind ifind ils istat fsstat img_stat blkcat blkstat jls', {
    grammar: 'words',
    operands: each('read'),
    refine: fetchesUrls,
  }),
  tool('cpp', {
    grammar: 'long',
    options: [
      ...flags('-dM', '-dD', '-P', '-C', '-undef', '-nostdinc', '-w', '-M', '-MM', '--version', '--help'),
      ...takes('text', '-D*', '-U*', '-x', '-std'),
      ...takes('read-tree', '-I*', '-isystem'),
      ...takes('write', '-o'),
    ],
    operands: { kind: 'sequence', first: ['read', 'write'] },
  }),
  tool('cppcheck', {
    options: [
      ...flags('-q --quiet', '-v --verbose', '--inline-suppr', '-f --force', '--version', '-h --help', '--errorlist'),
      ...maybe('text', '--enable', '--std', '--language', '--error-exitcode', '--suppress', '--platform', '--template'),
      ...takes('text', '-j', '-D', '-U', '-i'),
      ...takes('read-tree', '-I'),
    ],
    operands: each('read-tree'),
  }),
  tool('diffstat', {
    options: [...flags('-s', '-t', '-l', '-c', '-C', '-q', '-V'), ...takes('text', '-p', '-w', '-n')],
    operands: each('read'),
  }),
  tool('lsdiff', {
    options: [
      ...flags('-n --line-number', '-s --status', '-v --verbose', '--version', '--help'),
      ...takes('text', '-p --strip-match', '-i --include', '-x --exclude', '--strip'),
    ],
    operands: each('read'),
  }),
  tool('filterdiff', {
    options: [
      ...flags('-v --verbose', '--clean', '--remove-timestamps', '--version', '--help'),
      ...takes('text', '-p --strip-match', '-i --include', '-x --exclude', '--strip'),
    ],
    operands: each('read'),
  }),
  tool('interdiff', {
    options: [
      ...flags('-q --quiet', '-i --ignore-case', '-w --ignore-all-space', '-b --ignore-space-change'),
      ...flags('-B --ignore-blank-lines', '--version', '--help'),
      ...takes('text', '-p --strip-match', '-U --unified'),
    ],
    operands: each('read'),
  }),
  tool('wdiff', {
    options: [
      ...flags('-h --help', '-v --version'),
      ...flags('-1 --no-deleted', '-2 --no-inserted', '-3 --no-common', '-i --ignore-case', '-n --avoid-wraps'),
      ...flags('-p --printer', '-s --statistics', '-t --terminal', '-l --less-mode', '-C --copyright'),
      ...takes('text', '-w --start-delete', '-x --end-delete', '-y --start-insert', '-z --end-insert'),
    ],
    operands: each('read'),
  }),
  tool('aspell', {
    options: [...flags('-v --version', '--help'), ...takes('text', '-l --lang', '--mode')],
    operands: each('text'),
    refine: ({ operands: [verb] }) =>
      verb === undefined || plainText(verb) === 'list'
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'this command of `aspell` changes files', span: noSpan }] },
  }),
  tool('hunspell', {
    options: [...flags('-l', '-D', '-v --version', '-h --help'), ...takes('text', '-d', '-i')],
    operands: each('read'),
    refine: (parsed) =>
      hasOption(parsed, '-l', '-D', '--version', '--help')
        ? {}
        : { opaque: [{ kind: 'inline-code', message: '`hunspell` without `-l` takes keys', span: noSpan }] },
  }),
];
