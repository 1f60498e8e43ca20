import { each, flags, inOrder, maybe, opaqueEffect, takes, tool, noSpan } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { hasOption, optionValues } from '../parsed-options.ts';

const takesCommands = (name: string) =>
  opaqueEffect('inline-code', `\`${name}\` runs typed commands, and the program in LESSOPEN`);

const less = tool('less', {
  operands: each('read'),
  always: [takesCommands('less')],
  options: flags('-E', '-e', '-F', '-g', '-i', '-I', '-m', '-M', '-N', '-n', '-q', '-R', '-r', '-S', '-s', '-X'),
});
const more = tool('more', {
  operands: each('read'),
  always: [takesCommands('more')],
  options: [
    ...flags('-d', '-f', '-l', '-c', '-p', '-e', '-s', '-u', '-#', '-h --help', '-V --version'),
    ...takes('text', '-n --lines'),
  ],
});

/** A page name with a slash is a file. */
const pages: Refine = ({ operands }, { path }) => ({
  reads: operands.filter((word) => wordAsTyped(word).includes('/')).map((word) => path(word, 'read', 'file')),
});

const man = tool('man', {
  operands: each('text'),
  options: [
    ...flags(
      '-a --all',
      '-f --whatis',
      '-k --apropos',
      '-w --where --path --location',
      '-d --debug',
      '-i --ignore-case',
      '-I --match-case',
      '--help',
      '-V --version',
    ),
    ...takes('text', '-s -S --sections'),
    ...takes('program', '-P --pager'),
    { names: ['-H', '--html'], value: 'optional', role: 'program' },
  ],
  refine: pages,
});

/** After the first file, a word with a dash is the second file, which is written. */
const xxd = tool('xxd', {
  grammar: 'long-posix',
  operands: inOrder(['read', 'write']),
  options: [
    ...flags('-a', '-b', '-C', '-E', '-e', '-h', '-i', '-p -ps', '-r', '-d', '-u', '-v'),
    ...takes('text', '-c', '-g', '-l', '-n', '-o', '-s'),
  ],
});
const hexdump = tool('hexdump hd', {
  operands: each('read'),
  options: [
    ...flags(
      '-b --one-byte-octal',
      '-c --one-byte-char',
      '-C --canonical',
      '-d --two-bytes-decimal',
      '-o --two-bytes-octal',
      '-x --two-bytes-hex',
      '-v --no-squeezing',
      '-h --help',
      '-V --version',
    ),
    ...maybe('text', '-L --color'),
    ...takes('text', '-e --format', '-n --length', '-s --skip'),
    ...takes('read', '-f --format-file'),
  ],
});
const strings = tool('strings', {
  operands: each('read'),
  options: [
    ...flags(
      '-#',
      '-a --all',
      '-d --data',
      '-f --print-file-name',
      '-w --include-all-whitespace',
      '-o',
      '-h --help',
      '-v -V --version',
    ),
    ...takes('text', '-n --bytes', '-t --radix', '-e --encoding', '-s --output-separator', '-U --unicode'),
  ],
});
const file = tool('file', {
  operands: each('read'),
  options: [
    ...flags(
      '--help',
      '-v --version',
      '-b --brief',
      '-i --mime',
      '--apple',
      '--extension',
      '--mime-type',
      '--mime-encoding',
      '-k --keep-going',
      '-l --list',
      '-L --dereference',
      '-h --no-dereference',
      '-n --no-buffer',
      '-N --no-pad',
      '-0 --print0',
      '-r --raw',
      '-s --special-files',
    ),
    ...takes('text', '-e --exclude', '--exclude-quiet', '-F --separator', '-P --parameter'),
    {
      names: ['-f', '--files-from'],
      value: 'required',
      role: 'read',
      effect: opaqueEffect('dynamic-word', 'reads files that another file lists'),
    },
  ],
});
const column = tool('column', {
  operands: each('read'),
  options: [
    ...flags(
      '-t --table',
      '-d --table-noheadings',
      '-e --table-header-repeat',
      '-L --keep-empty-lines',
      '-J --json',
      '-x --fillrows',
      '-h --help',
      '-V --version',
    ),
    ...takes(
      'text',
      '-n --table-name',
      '-O --table-order',
      '-N --table-columns',
      '-l --table-columns-limit',
      '-E --table-noextreme',
      '-H --table-hide',
      '-R --table-right',
      '-T --table-truncate',
      '-W --table-wrap',
      '-r --tree',
      '-i --tree-id',
      '-p --tree-parent',
    ),
    ...takes('text', '-c --output-width', '-o --output-separator', '-s --separator'),
  ],
});
const rev = tool('rev', { operands: each('read'), options: flags('-h --help', '-V --version') });
const bat = tool('bat batcat', {
  operands: each('read'),
  options: [
    ...flags('-A --show-all', '-p --plain', '-pp', '-n --number', '-P', '-h --help', '-V --version'),
    ...flags('-d --diff', '-u --unbuffered', '-L --list-languages', '--list-themes', '-f --force-colorization'),
    ...takes(
      'text',
      '-l --language',
      '-H --highlight-line',
      '--color',
      '--paging',
      '--decorations',
      '--style',
      '--theme',
      '-r --line-range',
      '--tabs',
      '--wrap',
      '--terminal-width',
    ),
    ...takes('program', '--pager'),
  ],
  refine: (parsed) => {
    const paging = optionValues(parsed, '--paging').map(wordAsTyped);
    // The last one counts.
    return (paging.length > 0 || hasOption(parsed, '-P', '-pp')) && paging.every((value) => value === 'never')
      ? {}
      : { opaque: [{ kind: 'inline-code', message: '`bat` may start a pager that takes commands', span: noSpan }] };
  },
});

const cleared = tool('clear', { operands: each('text'), options: [...flags('-V', '-x'), ...takes('text', '-T')] });
const tput = tool('tput', { operands: each('text'), options: [...flags('-V', '-x'), ...takes('text', '-T')] });

const hexyl = tool('hexyl', {
  operands: each('read'),
  options: [
    ...flags('-v --no-squeezing', '-h --help', '-V --version'),
    ...takes(
      'text',
      '-n --length',
      '-c --bytes',
      '-s --skip',
      '--block-size',
      '--color',
      '--border',
      '-o --display-offset',
    ),
  ],
});

export const viewTools: readonly ToolSpec[] = [
  less,
  more,
  man,
  xxd,
  hexdump,
  hexyl,
  strings,
  file,
  column,
  rev,
  bat,
  cleared,
  tput,
];
