import { each, flags, inOrder, maybe, opaqueEffect, takes, tool } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

/** If an option gives the pattern, all operands are files. */
const pattern = (role: 'text' | 'read', names: string, operand: 'read' | 'read-tree' = 'read'): OptionSpec => ({
  names: names.split(' '),
  value: 'required',
  role,
  operands: each(operand),
});

/** With `-r` and no file, it searches the working directory. */
const searchesHere: Refine = (parsed, { path }) => {
  const isDeep = hasOption(parsed, '--recursive');
  const files = parsed.options.some(({ spec }) => spec.operands !== undefined)
    ? parsed.operands.length
    : parsed.operands.length - 1;
  return isDeep && files <= 0 ? { reads: [path(staticWord('.'), 'read', 'tree')] } : {};
};

const grepOptions: readonly OptionSpec[] = [
  ...flags(
    '-E --extended-regexp',
    '-F --fixed-strings',
    '-G --basic-regexp',
    '-P --perl-regexp',
    '-i --ignore-case',
    '--no-ignore-case',
    '-w --word-regexp',
    '-x --line-regexp',
    '-z --null-data',
  ),
  ...flags(
    '-s --no-messages',
    '-v --invert-match',
    '-V --version',
    '--help',
    '-b --byte-offset',
    '-n --line-number',
    '--line-buffered',
    '-H --with-filename',
    '-h --no-filename',
    '-o --only-matching',
  ),
  ...flags(
    '-q --quiet --silent',
    '-a --text',
    '-I',
    '-L --files-without-match',
    '-l --files-with-matches',
    '-c --count',
    '-T --initial-tab',
    '-Z --null',
    '-#',
    '--no-group-separator',
    '-U --binary',
  ),
  ...takes(
    'text',
    '-m --max-count',
    '--label',
    '--binary-files',
    '-D --devices',
    '--include',
    '--exclude',
    '--exclude-dir',
    '-B --before-context',
    '-A --after-context',
    '-C --context',
    '--group-separator',
  ),
  ...maybe('text', '--color --colour'),
  ...takes('read', '--exclude-from'),
  pattern('text', '-e --regexp'),
  pattern('read', '-f --file'),
  { names: ['-r', '--recursive', '-R', '--dereference-recursive'], deep: true },
  { names: ['-d', '--directories'], value: 'required', deep: true },
];

const grep = tool('grep egrep fgrep zgrep zegrep zfgrep', {
  operands: inOrder(['text'], 'read'),
  options: grepOptions,
  refine: searchesHere,
});

const decompresses = opaqueEffect('inline-code', '`--search-zip` runs programs that take files apart');
const rg = tool('rg', {
  operands: { kind: 'sequence', first: ['text'], rest: 'read-tree', absent: '.' },
  options: [
    ...flags(
      '-b --byte-offset',
      '-s --case-sensitive',
      '--column',
      '-c --count',
      '--count-matches',
      '--crlf',
      '--debug',
      '-l --files-with-matches',
      '--files-without-match',
      '-F --fixed-strings',
      '-L --follow',
    ),
    ...flags(
      '--glob-case-insensitive',
      '-h --help',
      '--heading',
      '-. --hidden',
      '-i --ignore-case',
      '--include-zero',
      '-v --invert-match',
      '--json',
      '--line-buffered',
      '--block-buffered',
      '-n --line-number',
    ),
    ...flags(
      '-x --line-regexp',
      '--max-columns-preview',
      '--mmap',
      '-U --multiline',
      '--multiline-dotall',
      '--no-config',
      '-I --no-filename',
      '--no-heading',
      '--no-ignore',
      '--no-ignore-dot',
      '--no-ignore-exclude',
    ),
    ...flags(
      '--no-ignore-files',
      '--no-ignore-global',
      '--no-ignore-parent',
      '--no-ignore-vcs',
      '-N --no-line-number',
      '--no-messages',
      '--no-mmap',
      '--no-require-git',
      '--no-unicode',
      '-0 --null',
      '--null-data',
      '--one-file-system',
    ),
    ...flags(
      '-o --only-matching',
      '--passthru',
      '-P --pcre2',
      '-p --pretty',
      '-q --quiet',
      '-S --smart-case',
      '--stats',
      '-a --text',
      '--trim',
      '-u --unrestricted',
      '-V --version',
      '--vimgrep',
      '-H --with-filename',
      '-w --word-regexp',
      '--binary',
    ),
    ...takes(
      'text',
      '-A --after-context',
      '-B --before-context',
      '-C --context',
      '--color',
      '--colors',
      '--context-separator',
      '-E --encoding',
      '--engine',
      '--field-context-separator',
      '--field-match-separator',
      '-g --glob',
      '--iglob',
    ),
    ...takes(
      'text',
      '-M --max-columns',
      '-m --max-count',
      '--max-depth',
      '--max-filesize',
      '--path-separator',
      '--pre-glob',
      '-r --replace',
      '--sort',
      '--sortr',
      '-j --threads',
      '-t --type',
      '--type-add',
      '--type-clear',
      '-T --type-not',
    ),
    ...takes('read', '--ignore-file'),
    pattern('text', '-e --regexp', 'read-tree'),
    pattern('read', '-f --file', 'read-tree'),
    { names: ['--files'], operands: { kind: 'each', role: 'read-tree', absent: '.' } },
    { names: ['--type-list'], operands: each('text') },
    // Newer versions have the second one.
    ...takes('program', '--pre', '--hostname-bin'),
    { names: ['-z', '--search-zip'], effect: decompresses },
  ],
});
const ag = tool('ag', {
  operands: { kind: 'sequence', first: ['text'], rest: 'read-tree', absent: '.' },
  options: [
    ...flags(
      '-a --all-types',
      '-c --count',
      '-f --follow',
      '-F --fixed-strings',
      '-Q --literal',
      '-H --heading',
      '--hidden',
      '-i --ignore-case',
      '-l --files-with-matches',
      '-L --files-without-matches',
      '-n --norecurse',
      '-s --case-sensitive',
    ),
    ...flags(
      '-S --smart-case',
      '-u --unrestricted',
      '-U --skip-vcs-ignores',
      '-v --invert-match',
      '-w --word-regexp',
      '--nocolor',
      '--color',
      '--nogroup',
      '--group',
      '--numbers',
      '--nonumbers',
      '--vimgrep',
      '-V --version',
      '-h --help',
    ),
    ...takes('text', '-m --max-count', '--depth', '-G --file-search-regex', '--ignore', '--ignore-dir'),
    ...takes('read', '-p --path-to-ignore'),
    ...takes('program', '--pager'),
  ],
});

/** It reads the project's .ackrc, which may hold options. */
const ack = tool('ack', {
  operands: { kind: 'sequence', first: ['text'], rest: 'read-tree', absent: '.' },
  always: [opaqueEffect('inline-code', "`ack` takes options from the project's .ackrc")],
  options: flags(
    '-i --ignore-case',
    '-w --word-regexp',
    '-l --files-with-matches',
    '-c --count',
    '-n --no-recurse',
    '-v --invert-match',
    '-Q --literal',
    '--help',
    '--version',
  ),
});

export const grepTools: readonly ToolSpec[] = [grep, rg, ag, ack];
