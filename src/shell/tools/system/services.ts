import {
  alike,
  each,
  flags,
  maybe,
  noSpan,
  opaqueEffect,
  takes,
  tool,
  toolFamily,
  warns,
  warnsTaking,
} from '../notation.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { modelines } from '../editors/database-options.ts';
import { formatters } from './formatters.ts';
import { later, schedulers } from './schedulers.ts';
import { terminalTools } from './terminals.ts';
import { change, machine } from './machine-changes.ts';
import { moreFacts } from './more-facts.ts';
import { ifconfig, ip, showers } from './system-facts.ts';

const unitOptions = [
  ...flags(
    '-a --all',
    '-l --full',
    '--no-pager',
    '--no-legend',
    '-q --quiet',
    '--user',
    '--system',
    '--failed',
    '--now',
    '--plain',
    '--recursive',
    '-f --force',
    '--runtime',
    '--no-block',
    '--version',
    '--value',
    '-r --reverse',
  ),
  ...flags('-h --help', '-T --show-transaction', '--show-types', '--with-dependencies', '--no-ask-password'),
  ...flags('--global', '--wait'),
  ...takes('text', '-t --type', '--state', '-p --property', '-n --lines', '-o --output', '-s --signal'),
  ...takes('text', '-P', '--timestamp', '--legend', '--what'),
];

const systemctl = toolFamily(
  'systemctl',
  [
    tool(
      'status is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets list-dependencies show cat get-default show-environment is-system-running',
      { options: unitOptions, operands: each('text') },
    ),
    tool(
      'start stop restart reload try-restart daemon-reload daemon-reexec kill mask set-property isolate reset-failed poweroff reboot halt suspend set-environment import-environment',
      { options: unitOptions, operands: each('text'), always: [change('starts, stops or changes services')] },
    ),
    tool('edit', { options: unitOptions, operands: each('text'), always: [modelines] }),
    tool('enable disable reenable unmask link preset', {
      options: unitOptions,
      operands: each('text'),
      always: [change('decides which services start later')],
    }),
  ],
  {
    options: [
      ...unitOptions,
      ...warnsTaking(
        opaqueEffect('unknown-option', '`--host` and `--machine` change another machine'),
        '-H --host',
        '-M --machine',
      ),
    ],
  },
);

const journalctl = tool('journalctl', {
  options: [
    ...flags(
      '-e --pager-end',
      '-f --follow',
      '-r --reverse',
      '-a --all',
      '-x --catalog',
      '-k --dmesg',
      '-q --quiet',
      '-m --merge',
      '--no-pager',
      '--no-tail',
      '--utc',
      '--no-hostname',
      '--no-full',
      '-l --full',
      '--disk-usage',
      '--list-boots',
      '--user',
      '--system',
      '--header',
      '-N --fields',
      '--verify',
      '--show-cursor',
      '--list-catalog',
      '--dump-catalog',
      '-h --help',
      '--version',
    ),
    ...takes(
      'text',
      '-u --unit',
      '-n --lines',
      '-p --priority',
      '-S --since',
      '-U --until',
      '-o --output',
      '-g --grep',
      '-t --identifier',
      '-c --cursor',
      '--user-unit',
      '--output-fields',
      '-F --field',
      '--facility',
      '--after-cursor',
      '--namespace',
    ),
    ...maybe('text', '-b --boot', '--case-sensitive'),
    ...flags('-#'),
    ...takes('read', '--file'),
    ...takes('read-tree', '-D --directory', '--root'),
    ...warnsTaking(change('`--vacuum` deletes records'), '--vacuum-size', '--vacuum-time', '--vacuum-files'),
    ...warns(change('changes the journal'), '--rotate', '--flush', '--sync', '--setup-keys'),
  ],
  operands: each('text'),
});

/** A lingering user keeps services without a session. */
const loginctl = toolFamily(
  'loginctl',
  [
    tool(
      'list-sessions list-users list-seats show-session show-user show-seat session-status user-status seat-status',
      { options: unitOptions, operands: each('text') },
    ),
    tool('enable-linger disable-linger', { operands: each('text'), always: [later] }),
    tool(
      'terminate-session terminate-user terminate-seat kill-session kill-user lock-session lock-sessions unlock-session unlock-sessions activate attach flush-devices',
      { options: unitOptions, operands: each('text'), always: [machine] },
    ),
  ],
  { options: unitOptions },
);

interface Question {
  /** Options that ask. Others are options of the answer. */
  readonly options?: readonly OptionSpec[];
  /** First operands that ask. The empty word: no operand. */
  readonly words?: readonly string[];
  readonly answer?: readonly OptionSpec[];
  /** `none`: with an operand it is no question. `service nginx stop --status-all` stops nginx. */
  readonly operands: 'none' | 'plain';
}

/** They change the machine, unless they are asked a question. */
const question = (names: string, { options: asks = [], words = [], answer = [], operands: allowed }: Question) =>
  alike(names, {
    options: [...flags('--version', '--help'), ...asks, ...answer],
    operands: each('text'),
    refine: ({ options, operands }) => {
      const typed = operands.map(wordAsTyped);
      const asked = options.some(({ spec }) => asks.includes(spec)) || words.includes(typed[0] ?? '');
      // `nft list ruleset ';' flush ruleset` is two commands.
      const isPlain = typed.every((word) => /^[\w./:-]+$/u.test(word));
      return asked && isPlain && (allowed === 'plain' || typed.length === 0)
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'changes the machine', span: noSpan }] };
    },
  });

const numeric = flags('-n --numeric', '-v --verbose', '--line-numbers');

const questions: readonly ToolSpec[] = [
  ...question('iptables ip6tables', {
    options: flags('-L --list', '-S --list-rules'),
    answer: [...numeric, ...takes('text', '-t --table')],
    operands: 'plain',
  }),
  ...question('nft', { words: ['list'], answer: flags('-n --numeric', '-j --json'), operands: 'plain' }),
  ...question('visudo', {
    options: flags('-c --check'),
    answer: [...flags('-q --quiet', '-s --strict'), ...takes('read', '-f --file')],
    operands: 'plain',
  }),
  ...question('ufw', { words: ['status'], operands: 'plain' }),
  ...question('swapon', { options: flags('-s --summary', '--show'), answer: flags('--noheadings'), operands: 'none' }),
  ...question('losetup', { options: flags('-a --all', '-l --list'), answer: flags('--json'), operands: 'none' }),
  ...question('ldconfig', { options: flags('-p --print-cache'), operands: 'none' }),
  ...question('fdisk gdisk', { options: flags('-l --list'), operands: 'plain' }),
  ...question('sfdisk', { options: flags('-l --list', '-d --dump'), operands: 'plain' }),
  ...question('cryptsetup', { words: ['status', 'luksDump', 'isLuks', 'luksUUID'], operands: 'plain' }),
  ...question('parted', { options: flags('-l --list'), operands: 'none' }),
  ...question('sgdisk', { options: flags('-p --print', '-i --info'), operands: 'plain' }),
  ...question('mdadm', { options: flags('-D --detail', '-E --examine', '-Q --query'), operands: 'plain' }),
  ...question('hdparm', { options: flags('-I', '-i', '-g'), operands: 'plain' }),
  ...question('zpool', { words: ['status', 'list'], answer: flags('-v'), operands: 'plain' }),
  ...question('zfs', {
    words: ['list', 'get'],
    answer: [...flags('-r', '-H', '-p'), ...takes('text', '-t', '-o', '-s', '-S', '-d')],
    operands: 'plain',
  }),
  ...question('nvme', { words: ['list'], operands: 'plain' }),
  ...question('iptables-save', { words: [''], answer: flags('-c --counters'), operands: 'none' }),
  ...question('firewall-cmd', {
    options: flags(
      '--state',
      '--list-all',
      '--list-all-zones',
      '--list-ports',
      '--list-services',
      '--get-zones',
      '--get-active-zones',
      '--get-default-zone',
    ),
    answer: takes('text', '--zone'),
    operands: 'none',
  }),
  ...question('defaults', { words: ['read', 'domains', 'find'], operands: 'plain' }),
  ...question('launchctl', { words: ['list', 'print'], operands: 'plain' }),
  ...question('service', { options: flags('--status-all'), operands: 'none' }),
  ...question('hostnamectl', {
    words: ['', 'status'],
    answer: flags('--no-pager', '--static', '--pretty', '--transient'),
    operands: 'plain',
  }),
  ...question('timedatectl', {
    words: ['', 'status', 'show', 'list-timezones', 'timesync-status', 'show-timesync'],
    answer: [...flags('--no-pager', '-a --all', '--value'), ...takes('text', '-p --property', '-P')],
    operands: 'plain',
  }),
  ...question('localectl', {
    words: ['', 'status', 'list-locales', 'list-keymaps'],
    answer: flags('--no-pager'),
    operands: 'plain',
  }),
];

/** They change the machine with any arguments. A query such as `--version` needs no question. */
const changers: readonly ToolSpec[] = alike(
  'chkconfig update-rc.d umount insmod modprobe rmmod useradd adduser usermod userdel groupadd groupmod passwd chpasswd vipw reboot shutdown halt poweroff init telinit swapoff lvm fsck setcap setfacl chattr semanage setenforce update-alternatives grub-install update-grub hwclock dmsetup kexec depmod bpftool pivot_root dscl csrutil spctl pmset systemsetup networksetup',
  { options: flags('--version', '--help'), operands: each('text'), always: [machine] },
);

export const systemTools: readonly ToolSpec[] = [
  systemctl,
  journalctl,
  loginctl,
  ...formatters,
  ...terminalTools,
  ...schedulers,
  ...changers,
  ...questions,
  ...showers,
  ...moreFacts,
  ip,
  ifconfig,
];
