import { alike, each, flags, opaqueEffect, takes, tool, warnsTaking } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { modelines } from './database-options.ts';

export const screen: readonly ToolSpec[] = [
  tool('nano pico', {
    options: [
      ...flags(
        '-B --backup',
        '-l --linenumbers',
        '-i --autoindent',
        '-w',
        '-x --nohelp',
        '-R --restricted',
        '-v --view',
        '-V --version',
        '-h --help',
        '-m --mouse',
        '-E --tabstospaces',
        '-I --ignorercfiles',
      ),
      ...takes('text', '-T --tabsize', '-Y --syntax', '-r --fill'),
      ...takes('program', '-s --speller'),
      ...takes('code-file', '-f --rcfile'),
      ...takes('write-tree', '-C --backupdir'),
    ],
    operands: each('write'),
    always: [modelines],
  }),
  ...alike('micro joe mcedit hx helix kak kakoune', {
    options: flags('--version', '--help'),
    operands: each('write'),
    always: [modelines],
  }),
  ...alike('code code-insiders codium cursor subl zed idea webstorm pycharm', {
    options: [
      ...flags(
        '-v --version',
        '-h --help',
        '-n --new-window',
        '-r --reuse-window',
        '-w --wait',
        '-d --diff',
        '-g --goto',
        '--list-extensions',
        '--status',
      ),
      ...warnsTaking(
        opaqueEffect('inline-code', 'extensions are programs'),
        '--install-extension',
        '--uninstall-extension',
        '--extensions-dir',
        '--user-data-dir',
      ),
    ],
    operands: each('write-tree'),
    always: [opaqueEffect('inline-code', 'opens an editor outside of the box, which runs tasks and extensions')],
  }),
];
