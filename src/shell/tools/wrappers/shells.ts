import { alike, each, flags, inOrder, takes, tool } from '../notation.ts';
import type { ToolSpec } from '../types.ts';

/**
 * Shells and the builtins that run words. What they run is found by the analysis, which knows about their input; here stands
 * how rules see their options. Sources: `bash(1)`, `dash(1)`.
 */
export const shellTools: readonly ToolSpec[] = [
  ...alike('sh bash dash ash rbash zsh ksh mksh', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-c', '-a', '-b', '-e', '-f', '-h', '-i', '-k', '-l --login', '-m', '-n', '-p', '-r --restricted', '-s', '-t', '-u', '-v --verbose', '-x', '-B', '-C', '-D', '-E', '-H', '-P', '-T', '--norc', '--noprofile', '--noediting', '--posix', '--help', '--version'),
      ...takes('text', '-o', '-O'),
      ...takes('code-file', '--rcfile --init-file'),
    ],
    operands: each('text'),
  }),
  tool('command', { grammar: 'getopt-posix', options: [...flags('-p'), { names: ['-v', '-V'], operands: each('text') }], operands: inOrder(['command']) }),
  tool('builtin', { grammar: 'getopt-posix', operands: inOrder(['command']) }),
  tool('exec', { grammar: 'getopt-posix', options: [...flags('-c', '-l'), ...takes('text', '-a')], operands: inOrder(['command']) }),
  tool('eval', { grammar: 'words', operands: each('text') }),
  ...alike('source .', { grammar: 'getopt-posix', operands: each('text') }),
];
