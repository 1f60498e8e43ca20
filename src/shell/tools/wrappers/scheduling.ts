import { alike, each, flags, inOrder, takes, tool, writes } from '../notation.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';

const command = inOrder(['command']);
const manual = flags('--help', '--version');
const shortManual = flags('-h --help', '-V --version');

/** With these options the words are processes, and nothing runs. */
const onProcesses = (...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' '), operands: each('text') }));

/**
 * Programs that run another one with a priority, a time limit, other buffers or another session. Sources: the manuals
 * of coreutils, util-linux, time and numactl.
 */
export const schedulingTools: readonly ToolSpec[] = [
  tool('nice', {
    grammar: 'getopt-posix',
    options: [...takes('text', '-n --adjustment'), ...flags('-#'), ...manual],
    operands: command,
  }),
  tool('ionice', {
    grammar: 'getopt-posix',
    options: [
      ...takes('text', '-c --class', '-n --classdata'),
      ...flags('-t --ignore'),
      ...onProcesses('-p --pid', '-P --pgid', '-u --uid'),
      ...shortManual,
    ],
    operands: command,
  }),
  /** Output that would go to a terminal goes to a file. */
  tool('nohup', { grammar: 'getopt-posix', options: manual, operands: command, always: [writes('nohup.out', 'file')] }),
  tool('timeout', {
    grammar: 'getopt-posix',
    options: [
      ...flags('--preserve-status', '--foreground', '-v --verbose'),
      ...takes('text', '-k --kill-after', '-s --signal'),
      ...manual,
    ],
    operands: inOrder(['text', 'command']),
  }),
  tool('setsid', {
    grammar: 'getopt-posix',
    options: [...flags('-c --ctty', '-f --fork', '-w --wait'), ...shortManual],
    operands: command,
  }),
  tool('stdbuf', {
    grammar: 'getopt-posix',
    options: [...takes('text', '-i --input', '-o --output', '-e --error'), ...manual],
    operands: command,
  }),
  tool('chrt', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-b --batch',
        '-d --deadline',
        '-f --fifo',
        '-i --idle',
        '-o --other',
        '-r --rr',
        '-R --reset-on-fork',
        '-a --all-tasks',
        '-m --max',
        '-v --verbose',
      ),
      ...takes('text', '-T --sched-runtime', '-P --sched-period', '-D --sched-deadline'),
      ...onProcesses('-p --pid'),
      ...shortManual,
    ],
    operands: inOrder(['text', 'command']),
  }),
  tool('taskset', {
    grammar: 'getopt-posix',
    options: [...flags('-a --all-tasks', '-c --cpu-list'), ...onProcesses('-p --pid'), ...shortManual],
    operands: inOrder(['text', 'command']),
  }),
  tool('numactl', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-a --all', '-b --balancing', '-l --localalloc', '-s --show', '-H --hardware'),
      ...takes('text', '-i --interleave', '-p --preferred', '-C --physcpubind', '-N --cpunodebind', '-m --membind'),
    ],
    operands: command,
  }),
  tool('time', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-a --append', '-p --portability', '-q --quiet', '-v --verbose', '-V --version', '--help'),
      ...takes('text', '-f --format'),
      ...takes('write', '-o --output'),
    ],
    operands: command,
  }),
  tool('caffeinate', {
    grammar: 'getopt-posix',
    options: [...flags('-d', '-i', '-m', '-s', '-u'), ...takes('text', '-t', '-w')],
    operands: command,
  }),
  ...alike('chronic unbuffer', { grammar: 'getopt-posix', options: flags('-v', '-e', '-p'), operands: command }),
];
