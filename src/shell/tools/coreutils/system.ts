import { each, flags, inOrder, looksUpWith, maybe, none, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { gnu } from './gnu.ts';

/** The only operand that sets nothing is a format. */
const onlyFormat: Refine = (parsed) => ({
  opaque: parsed.operands
    .filter((word) => !(plainText(word)?.startsWith('+') ?? (word.kind === 'dynamic' && /^"?\+/u.test(word.text))))
    .map((word) => ({ kind: 'inline-code', message: `\`date ${wordAsTyped(word)}\` sets the clock`, span: word.span })),
});

const date = gnu('date', {
  operands: each('text'),
  options: [
    ...flags('--debug', '--resolution', '-R --rfc-email', '-u --utc --universal'),
    ...takes('text', '-d --date', '--rfc-3339'),
    ...takes('read', '-f --file', '-r --reference'),
    ...takes('refused', '-s --set'),
    ...maybe('text', '-I --iso-8601'),
  ],
  refine: onlyFormat,
});

const setsName: Refine = (parsed) => ({
  opaque: parsed.operands.map((word) => ({
    kind: 'inline-code',
    message: `\`hostname ${wordAsTyped(word)}\` renames the machine`,
    span: word.span,
  })),
});
const hostname = tool('hostname', {
  operands: each('text'),
  options: flags(
    '-a --alias',
    '-A --all-fqdns',
    '-d --domain',
    '-f --fqdn --long',
    '-i --ip-address',
    '-I --all-ip-addresses',
    '-s --short',
    '-y --yp --nis',
    '-h --help',
    '-V --version',
  ),
  refine: setsName,
});

const texts = (names: string, spellings: readonly string[] = [], withValue: readonly string[] = []): ToolSpec =>
  gnu(names, { operands: each('text'), options: [...flags(...spellings), ...takes('text', ...withValue)] });
const words = (names: string): ToolSpec => tool(names, { grammar: 'words', operands: each('text') });

/** A device in an option is a file that is opened. Everything else changes the terminal's settings. */
const onTerminal: Refine = (parsed) => ({
  opaque: parsed.operands
    .filter((word) => /^-(?:F|-f)/u.test(wordAsTyped(word)))
    .map((word) => ({
      kind: 'unknown-option',
      message: `\`stty ${wordAsTyped(word)}\` opens a device`,
      span: word.span,
    })),
});

export const coreSystemTools: readonly ToolSpec[] = [
  date,
  hostname,
  texts('basename', ['-a --multiple', '-z --zero'], ['-s --suffix']),
  texts('dirname', ['-z --zero']),
  texts('seq', ['-#', '-w --equal-width'], ['-f --format', '-s --separator']),
  texts('sleep'),
  texts('factor'),
  texts(
    'numfmt',
    ['-#', '--debug', '--grouping', '-z --zero-terminated'],
    [
      '-d --delimiter',
      '--field',
      '--format',
      '--from',
      '--from-unit',
      '--invalid',
      '--padding',
      '--round',
      '--suffix',
      '--to',
      '--to-unit',
    ],
  ),
  texts('nproc', ['--all'], ['--ignore']),
  texts('tty', ['-s --silent --quiet']),
  texts('id', ['-a', '-Z --context', '-g --group', '-G --groups', '-n --name', '-r --real', '-u --user', '-z --zero']),
  ...['whoami', 'logname', 'hostid', 'arch', 'groups'].map((name) => texts(name)),
  texts('uname', [
    '-a --all',
    '-s --kernel-name',
    '-n --nodename',
    '-r --kernel-release',
    '-v --kernel-version',
    '-m --machine',
    '-p --processor',
    '-i --hardware-platform',
    '-o --operating-system',
  ]),
  texts('printenv', ['-0 --null']),
  texts('pathchk', ['-p', '-P', '--portability']),
  gnu('who', {
    operands: inOrder(['read', 'text']),
    options: flags(
      '-a --all',
      '-b --boot',
      '-d --dead',
      '-H --heading',
      '--ips',
      '-l --login',
      '--lookup',
      '-m',
      '-p --process',
      '-q --count',
      '-r --runlevel',
      '-s --short',
      '-t --time',
      '-T -w --mesg',
      '-u --users',
      '--message',
      '--writable',
    ),
    refine: looksUpWith('--lookup'),
  }),
  gnu('users', { operands: inOrder(['read']) }),
  tool('uptime', { operands: none, options: flags('-p --pretty', '-s --since', '-h --help', '-V --version') }),
  tool('stty', { grammar: 'words', operands: each('text'), refine: onTerminal }),
  words('yes'),
];
