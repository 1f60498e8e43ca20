/** Editors and clients of databases. Specifications and their refinements only: nothing is looked up on the machine. */
import { alike, each, flags, maybe, noSpan, opaqueEffect, takes, tool, warnsTaking } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { databaseTools } from './database-clients.ts';
import { modelines } from './database-options.ts';
import { screen } from './screen-editors.ts';

const vi: readonly ToolSpec[] = alike('vi vim nvim view vimdiff rvim gvim ex', {
  options: [
    ...flags(
      '-R',
      '-n',
      '-d',
      '-o',
      '-O',
      '-p',
      '-e',
      '-E',
      '-y',
      '-Z',
      '-b',
      '-l',
      '-m',
      '-M',
      '-N',
      '-C',
      '--version',
      '-h --help',
      '--clean',
      '--noplugin',
      '--headless',
    ),
    ...takes('code', '-c', '--cmd'),
    ...takes('code-file', '-S', '-u', '-U', '-s'),
    ...takes('read', '-t', '-q', '-r', '-L'),
    ...takes('write', '-w', '-W', '-i'),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--remote` drives an editor that is open'),
      '--remote',
      '--remote-send',
      '--remote-expr',
      '--listen',
      '--server',
      '--servername',
    ),
    ...maybe('text', '-V'),
  ],
  operands: each('write'),
  always: [modelines],
});

const emacs = tool('emacs emacsclient', {
  grammar: 'long',
  options: [
    ...flags(
      '-nw',
      '--no-window-system',
      '-q',
      '--no-init-file',
      '-Q',
      '--quick',
      '--batch',
      '--version',
      '--help',
      '-t',
      '-n',
      '-c',
    ),
    ...takes('code', '--eval', '--execute'),
    ...takes('code-file', '-l', '--load', '--script'),
    ...takes('code', '-f', '--funcall'),
    ...takes('directory', '--chdir'),
    ...takes('text', '--display'),
  ],
  operands: each('write'),
  always: [modelines],
});

/** They read commands from their input, including `!`, which is the shell. */
const line: readonly ToolSpec[] = [
  tool('ed red', {
    options: [
      ...flags(
        '-G --traditional',
        '-E --extended-regexp',
        '-l --loose-exit-status',
        '-r --restricted',
        '-s --quiet --silent',
        '-v --verbose',
        '-V --version',
        '-h --help',
        '--strip-trailing-cr',
      ),
      ...takes('text', '-p --prompt'),
    ],
    operands: each('write'),
    refine: (parsed) => ({
      opaque: [
        {
          kind: 'stdin-code',
          message: 'takes commands from its input, and `!` runs a program',
          span: parsed.operands[0]?.span ?? noSpan,
        },
      ],
    }),
  }),
];

const editorTools: readonly ToolSpec[] = [...vi, emacs, ...line, ...screen];

export const editorsTools: readonly ToolSpec[] = [...editorTools, ...databaseTools];
