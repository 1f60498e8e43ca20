import { alike, each, flags, maybe, noSpan, opaque, takes, tool, warnsTaking } from '../notation.ts';
import type { ToolSpec } from '../types.ts';

/** A file's last lines can set options, and a person at the keys can run anything. */
const modelines = opaque('inline-code', 'an editor runs what is typed, and what modelines and its configuration say');

const vi: readonly ToolSpec[] = alike('vi vim nvim view vimdiff rvim gvim ex', {
  options: [...flags('-R', '-n', '-d', '-o', '-O', '-p', '-e', '-E', '-y', '-Z', '-b', '-l', '-m', '-M', '-N', '-C', '--version', '-h --help', '--clean', '--noplugin', '--headless'), ...takes('code', '-c', '--cmd'), ...takes('code-file', '-S', '-u', '-U', '-s'), ...takes('read', '-t', '-q', '-r', '-L'), ...takes('write', '-w', '-W', '-i'), ...warnsTaking(opaque('inline-code', '`--remote` drives an editor that is open'), '--remote', '--remote-send', '--remote-expr', '--listen', '--server', '--servername'), ...maybe('text', '-V')],
  operands: each('write'),
  always: [modelines],
});

const emacs = tool('emacs emacsclient', { grammar: 'long', options: [...flags('-nw', '--no-window-system', '-q', '--no-init-file', '-Q', '--quick', '--batch', '--version', '--help', '-t', '-n', '-c'), ...takes('code', '--eval', '--execute'), ...takes('code-file', '-l', '--load', '--script'), ...takes('code', '-f', '--funcall'), ...takes('directory', '--chdir'), ...takes('text', '--display')], operands: each('write'), always: [modelines] });

/** They read commands from their input, and `!` among those is the shell. */
const line: readonly ToolSpec[] = [
  tool('ed red', { options: [...flags('-G --traditional', '-E --extended-regexp', '-l --loose-exit-status', '-r --restricted', '-s --quiet --silent', '-v --verbose', '-V --version', '-h --help', '--strip-trailing-cr'), ...takes('text', '-p --prompt')], operands: each('write'), refine: (parsed) => ({ opaque: [{ kind: 'stdin-code', message: 'takes commands from its input, and `!` runs a program', span: parsed.operands[0]?.span ?? noSpan }] }) }),
];

const screen: readonly ToolSpec[] = [
  tool('nano pico', { options: [...flags('-B --backup', '-l --linenumbers', '-i --autoindent', '-w', '-x --nohelp', '-R --restricted', '-v --view', '-V --version', '-h --help', '-m --mouse', '-E --tabstospaces', '-I --ignorercfiles'), ...takes('text', '-T --tabsize', '-Y --syntax', '-r --fill'), ...takes('program', '-s --speller'), ...takes('code-file', '-f --rcfile'), ...takes('write-tree', '-C --backupdir')], operands: each('write'), always: [modelines] }),
  ...alike('micro joe mcedit hx helix kak kakoune', { options: flags('--version', '--help'), operands: each('write'), always: [modelines] }),
  ...alike('code code-insiders codium cursor subl zed idea webstorm pycharm', { options: [...flags('-v --version', '-h --help', '-n --new-window', '-r --reuse-window', '-w --wait', '-d --diff', '-g --goto', '--list-extensions', '--status'), ...warnsTaking(opaque('inline-code', 'extensions are programs'), '--install-extension', '--uninstall-extension', '--extensions-dir', '--user-data-dir')], operands: each('write-tree'), always: [opaque('inline-code', 'opens an editor outside of the box, which runs tasks and extensions')] }),
];

export const editorTools: readonly ToolSpec[] = [...vi, emacs, ...line, ...screen];
