import type { Word } from '../../types.ts';
import { each, flags, inOrder, maybe, opaqueEffect, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

/**
 * For two directories it compares their content, with or without `-r`. For a file and a directory it compares the file
 * of that name.
 */
const diff = tool('diff', {
  operands: inOrder(['read-tree', 'read-tree']),
  options: [
    ...flags(
      '--normal',
      '-q --brief',
      '-s --report-identical-files',
      '-c',
      '-u',
      '-#',
      '-e --ed',
      '-n --rcs',
      '-y --side-by-side',
      '--left-column',
      '--suppress-common-lines',
      '-p --show-c-function',
      '-t --expand-tabs',
      '-T --initial-tab',
    ),
    ...flags(
      '--suppress-blank-empty',
      '--no-dereference',
      '-N --new-file',
      '--unidirectional-new-file',
      '--ignore-file-name-case',
      '--no-ignore-file-name-case',
      '-i --ignore-case',
      '-E --ignore-tab-expansion',
      '-Z --ignore-trailing-space',
    ),
    ...flags(
      '-b --ignore-space-change',
      '-w --ignore-all-space',
      '-B --ignore-blank-lines',
      '-a --text',
      '--strip-trailing-cr',
      '-d --minimal',
      '--speed-large-files',
      '--help',
      '-v --version',
    ),
    ...takes(
      'text',
      '-C',
      '-U',
      '-W --width',
      '-F --show-function-line',
      '--label',
      '--tabsize',
      '-x --exclude',
      '-S --starting-file',
      '-I --ignore-matching-lines',
      '-D --ifdef',
      '--line-format',
      '--horizon-lines',
      '--palette',
    ),
    ...maybe('text', '--context', '--unified', '--color'),
    ...takes('read', '-X --exclude-from'),
    { names: ['--from-file', '--to-file'], value: 'required', role: 'read-tree', operands: each('read-tree') },
    ...flags('-r --recursive'),
  ],
});

const cmp = tool('cmp', {
  operands: inOrder(['read', 'read', 'text', 'text']),
  options: [
    ...flags('-b --print-bytes', '-l --verbose', '-s --quiet --silent', '--help', '-v --version'),
    ...takes('text', '-i --ignore-initial', '-n --bytes'),
  ],
});

/** The patch names the files that it changes. A patch in ed's form was for years a way to run commands. */
const patches: Refine = (parsed, { path }) => {
  const hasForm = parsed.options.some(({ spec }) => spec.names.some((name) => /^-[ucn]$/u.test(name)));
  // Rejected parts and the old version are written beside the file.
  const file = parsed.operands[0];
  const places = [staticWord('.'), ...(file === undefined ? [] : [besides(file)])];
  const isDry = hasOption(parsed, '--dry-run');
  return {
    reads: places.map((word) => path(word, 'read', 'tree')),
    writes: isDry ? [] : places.map((word) => path(word, 'write', 'tree')),
    opaque:
      // A dry run starts no ed.
      hasForm || isDry
        ? []
        : [
            {
              kind: 'inline-code',
              message: '`patch` without `-u`, `-c` or `-n` may run ed',
              span: { start: 0, end: 0 },
            },
          ],
  };
};

function besides(file: Word): Word {
  return file.kind === 'static' ? { ...file, value: `${file.value}/..` } : file;
}

const patch = tool('patch', {
  operands: inOrder(['write', 'read']),
  options: [
    ...flags(
      '-l --ignore-whitespace',
      '-c --context',
      '-n --normal',
      '-u --unified',
      '-N --forward',
      '-R --reverse',
      '-E --remove-empty-files',
      '-t --batch',
      '-f --force',
      '-s --quiet --silent',
      '--verbose',
      '--dry-run',
      '--binary',
      '--posix',
      '-v --version',
      '--help',
    ),
    ...takes('text', '-p --strip', '-F --fuzz'),
    ...takes('read', '-i --input'),
    ...takes('write', '-o --output', '-r --reject-file'),
    ...takes('directory', '-d --directory'),
    { names: ['-e', '--ed'], effect: opaqueEffect('inline-code', '`-e` runs ed with the patch') },
  ],
  refine: patches,
});

/** It colours what diff prints. */
const colordiff: ToolSpec = { ...diff, names: ['colordiff'] };

export const compareTools: readonly ToolSpec[] = [diff, colordiff, cmp, patch];
