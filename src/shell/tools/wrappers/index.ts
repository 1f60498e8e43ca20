import { loadsCode } from '../../loads-code.ts';
import { alike, each, flags, inOrder, maybe, opaqueEffect, takes, tool } from '../notation.ts';
import type { ParsedArguments, RefineContext, Refinement, ToolSpec } from '../types.ts';
import { environmentTools } from './environment.ts';
import { inputTools } from './input.ts';
import { placeTools } from './places.ts';
import { privilegeTools } from './privilege.ts';
import { schedulingTools } from './scheduling.ts';
import { shellTextTools } from './texts.ts';
import { because } from './texts-of-words.ts';

/**
 * Shells, and builtins that run words. The analysis finds their commands, because it knows their input; this table
 * shows their options to rules. Sources: `bash(1)`, `dash(1)`.
 */
const shellTools: readonly ToolSpec[] = [
  ...alike('sh bash dash ash rbash zsh ksh mksh', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-c',
        '-a',
        '-b',
        '-e',
        '-f',
        '-h',
        '-i',
        '-k',
        '-l --login',
        '-m',
        '-n',
        '-p',
        '-r --restricted',
        '-s',
        '-t',
        '-u',
        '-v --verbose',
        '-x',
        '-B',
        '-C',
        '-D',
        '-E',
        '-H',
        '-P',
        '-T',
        '--norc',
        '--noprofile',
        '--noediting',
        '--posix',
        '--help',
        '--version',
      ),
      ...takes('text', '-o', '-O'),
      ...takes('code-file', '--rcfile --init-file'),
    ],
    operands: each('text'),
  }),
  tool('command', {
    grammar: 'getopt-posix',
    options: [...flags('-p'), { names: ['-v', '-V'], operands: each('text') }],
    operands: inOrder(['command']),
  }),
  tool('builtin', { grammar: 'getopt-posix', operands: inOrder(['command']) }),
  tool('exec', {
    grammar: 'getopt-posix',
    options: [...flags('-c', '-l'), ...takes('text', '-a')],
    operands: inOrder(['command']),
  }),
  tool('eval', { grammar: 'words', operands: each('text') }),
  ...alike('source .', { grammar: 'getopt-posix', operands: each('text') }),
];

/** Programs that trace another one. Sources: `strace(1)`, `ltrace(1)`, `valgrind(1)`. */
const tracingTools: readonly ToolSpec[] = [
  tool('strace', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-A --output-append-mode',
        '-c --summary-only',
        '-C --summary',
        '-d --debug',
        '-f --follow-forks',
        '-ff',
        '-h --help',
        '-i --instruction-pointer',
        '-k --stack-traces',
        '-n --syscall-number',
        '-q',
        '-qq',
        '-r',
        '-t',
        '-tt',
        '-ttt',
        '-T',
        '-v --no-abbrev',
        '-V --version',
        '-w --summary-wall-clock',
        '-x',
        '-xx',
        '-y',
        '-yy',
        '-z --successful-only',
        '-Z --failed-only',
        '--seccomp-bpf',
      ),
      ...takes(
        'text',
        '-a --columns',
        '-b --detach-on',
        '-e',
        '-E --env',
        '-I --interruptible',
        '-o --output',
        '-O --summary-syscall-overhead',
        '-p --attach',
        '-P --trace-path',
        '-s --string-limit',
        '-S --summary-sort-by',
        '-u --user',
        '-U --summary-columns',
        '-X --const-print-style',
        '--trace',
        '--signal',
        '--status',
      ),
    ],
    operands: inOrder(['command']),
    refine: strace,
  }),
  tool('ltrace', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-c', '-C', '-f', '-h --help', '-i', '-r', '-S', '-t', '-tt', '-ttt', '-T', '-V --version'),
      ...takes('text', '-a', '-A', '-e', '-l', '-n', '-p', '-s', '-u', '-x'),
      ...takes('write', '-o'),
    ],
    operands: inOrder(['command']),
  }),
  tool('valgrind', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-h --help', '--version', '-q --quiet', '-v --verbose', '-s'),
      ...maybe(
        'text',
        '--tool',
        '--leak-check',
        '--error-exitcode',
        '--track-origins',
        '--show-leak-kinds',
        '--gen-suppressions',
        '--trace-children',
        '--num-callers',
        '--track-fds',
        '--time-stamp',
        '--xml',
        '--demangle',
        '--errors-for-leak-kinds',
        '--undef-value-errors',
        '--show-reachable',
        '--read-var-info',
      ),
      ...maybe('read', '--suppressions'),
      ...maybe(
        'write',
        '--log-file',
        '--xml-file',
        '--massif-out-file',
        '--callgrind-out-file',
        '--cachegrind-out-file',
      ),
    ],
    operands: inOrder(['command']),
  }),
  ...['gdb', 'lldb', 'rr'].map((name) =>
    tool(name, {
      grammar: 'words',
      operands: each('text'),
      always: [opaqueEffect('inline-code', 'a debugger runs commands of its scripts, its input and the project')],
    }),
  ),
];

/**
 * Programs that run other programs. Each says where in its words the other program is. Only wrappers may enter. A
 * wrapper with ambiguous words says so and shows nothing.
 */
export const wrappersTools: readonly ToolSpec[] = [
  ...privilegeTools,
  ...schedulingTools,
  ...environmentTools,
  ...inputTools,
  ...tracingTools,
  ...placeTools,
  ...shellTextTools,
  ...shellTools,
];

/** `-o '|COMMAND'` sends the output to a command; `-E` sets a variable of the traced program. */
function strace({ options }: ParsedArguments, context: RefineContext): Refinement {
  const outputs = options
    .filter(({ spec }) => spec.names.includes('-o'))
    .flatMap(({ value }) => (value === undefined ? [] : [value]));
  const variables = options
    .filter(({ spec }) => spec.names.includes('-E'))
    .flatMap(({ value }) => (value === undefined ? [] : [value]));
  const commands = outputs.filter((word) => word.kind !== 'static' || /^[|!]/u.test(word.value));
  return {
    writes: outputs.filter((word) => !commands.includes(word)).map((word) => context.path(word, 'write', 'file')),
    opaque: [
      ...commands.map((word) => because('inline-code', '`-o` of `strace` gives its output to a command', [word])),
      ...variables
        .filter((word) => word.kind !== 'static' || loadsCode(word.value.split('=')[0] ?? ''))
        .map((word) => because('inline-code', '`-E` of `strace` sets a variable that loads code', [word])),
    ],
  };
}
