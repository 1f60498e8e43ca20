/**
 * Programs that query the machine and the network about processes, programs and names. Data and pure refinements only.
 */
import { each, flags, inOrder, none, takes, tool } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { hasOption } from '../parsed-options.ts';
import { dnsTools } from './name-lookups.ts';

/** It reads only the system's facts about processes, in all three dialects of its options. */
const ps = tool('ps', { grammar: 'words', operands: each('text') });

/** On a terminal it reads keys, and its settings may bind commands to them. */
const onlyBatch: Refine = ({ options }) =>
  hasOption({ options }, '-b')
    ? {}
    : {
        opaque: [
          {
            kind: 'inline-code',
            message: '`top` without `-b` takes typed commands',
            span: { start: 0, end: 0 },
          },
        ],
      };

const top = tool('top', {
  operands: none,
  options: [
    ...flags(
      '-b --batch-mode',
      '-c --cmdline-toggle',
      '-H --threads-show',
      '-i --idle-toggle',
      '-O --list-fields',
      '-S --accum-time-toggle',
      '-s --secure-mode',
      '-1 --single-cpu-toggle',
      '-h --help',
      '-V --version',
    ),
    ...takes(
      'text',
      '-d --delay',
      '-E --scale-summary-mem',
      '-e --scale-task-mem',
      '-n --iterations',
      '-o --sort-override',
      '-p --pid',
      '-U --filter-any-user',
      '-u --filter-only-euser',
    ),
  ],
  refine: onlyBatch,
});

const matching: readonly OptionSpec[] = [
  ...flags(
    '-c --count',
    '-f --full',
    '-i --ignore-case',
    '-n --newest',
    '-o --oldest',
    '-x --exact',
    '-L --logpidfile',
    '-A --ignore-ancestors',
    '-h --help',
    '-V --version',
  ),
  ...takes(
    'text',
    '-g --pgroup',
    '-G --group',
    '-O --older',
    '-P --parent',
    '-s --session',
    '-t --terminal',
    '-u --euid',
    '-U --uid',
    '-r --runstates',
    '--cgroup',
    '--ns',
    '--nslist',
  ),
  ...takes('read', '-F --pidfile'),
];

const pgrep = tool('pgrep', {
  operands: inOrder(['text']),
  options: [
    ...matching,
    ...flags('-l --list-name', '-a --list-full', '-v --inverse', '-w --lightweight'),
    ...takes('text', '-d --delimiter'),
  ],
});

const pidof = tool('pidof', { operands: each('text'), options: flags('-s', '-c', '-x', '-q') });

/** Signals come first, as names or numbers. `-NAME` is a signal too. */
const signals: Refine = ({ operands }) => ({
  opaque: operands
    .filter(
      (word) =>
        word.kind === 'static' &&
        word.value.startsWith('-') &&
        !/^-(?:\d+|(?:SIG)?[A-Z][A-Z\d+-]*|[lLsn]|-)$/u.test(word.value),
    )
    .map((word) => ({
      kind: 'unknown-option',
      message: `\`${wordAsTyped(word)}\` is no signal that is known`,
      span: word.span,
    })),
});

const kill = tool('kill', { grammar: 'words', operands: each('text'), refine: signals });

const signalNames = flags(
  ...'HUP INT QUIT KILL TERM USR1 USR2 STOP CONT'.split(' ').map((name) => `-${name} -SIG${name}`),
);

const pkill = tool('pkill', {
  operands: inOrder(['text']),
  options: [...matching, ...signalNames, ...flags('-#', '-e --echo'), ...takes('text', '--signal', '-q --queue')],
});

const killall = tool('killall', {
  operands: each('text'),
  options: [
    ...signalNames,
    ...flags(
      '-#',
      '-e --exact',
      '-I --ignore-case',
      '-i --interactive',
      '-q --quiet',
      '-r --regexp',
      '-v --verbose',
      '-w --wait',
    ),
    ...takes('text', '-s --signal', '-u --user', '-y --younger-than', '-o --older-than'),
  ],
});

const free = tool('free', {
  operands: none,
  options: [
    ...flags(
      '-b --bytes',
      '--kilo',
      '--mega',
      '--giga',
      '--tera',
      '--peta',
      '-k --kibi',
      '-m --mebi',
      '-g --gibi',
      '--tebi',
      '--pebi',
      '-h --human',
      '--si',
      '-l --lohi',
      '-t --total',
      '-w --wide',
      '-v --committed',
      '--help',
      '-V --version',
    ),
    ...takes('text', '-s --seconds', '-c --count'),
  ],
});

const w = tool('w', {
  operands: inOrder(['text']),
  options: flags(
    '-h --no-header',
    '-u --no-current',
    '-s --short',
    '-f --from',
    '-o --old-style',
    '-i --ip-addr',
    '--help',
    '-V --version',
  ),
});

const which = tool('which', { operands: each('text'), options: flags('-a') });

const whereis = tool('whereis', {
  grammar: 'long',
  operands: each('text'),
  options: flags('-b', '-m', '-s', '-u', '-l', '-h', '--help', '-V', '--version'),
});

const processTools: readonly ToolSpec[] = [ps, top, pgrep, pidof, kill, pkill, killall, free, w, which, whereis];

export const machineTools: readonly ToolSpec[] = [...processTools, ...dnsTools];
