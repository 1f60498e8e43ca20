import {
  alike,
  each,
  toolFamily,
  flags,
  inOrder,
  maybe,
  noSpan,
  opaqueEffect,
  takes,
  tool,
  warns,
  warnsTaking,
} from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { formatters } from './formatters.ts';
import { terminalTools } from './terminals.ts';

const change = (what: string) => opaqueEffect('inline-code', what);
const later = change('leaves something that runs later, outside of this command');
const machine = change('changes the machine');

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
  ...takes('text', '-t --type', '--state', '-p --property', '-n --lines', '-o --output', '-s --signal'),
];

const systemctl = toolFamily(
  'systemctl',
  [
    tool(
      'status is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets list-dependencies show cat get-default show-environment is-system-running',
      { options: unitOptions, operands: each('text') },
    ),
    tool(
      'start stop restart reload try-restart daemon-reload kill edit mask set-property isolate reset-failed poweroff reboot halt suspend set-environment import-environment',
      { options: unitOptions, operands: each('text'), always: [change('starts, stops or changes services')] },
    ),
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
    ),
    ...maybe('text', '-b --boot'),
    ...takes('read', '--file'),
    ...takes('read-tree', '-D --directory', '--root'),
    ...warnsTaking(change('`--vacuum` deletes what was recorded'), '--vacuum-size', '--vacuum-time', '--vacuum-files'),
    ...warns(change('changes the journal'), '--rotate', '--flush', '--sync', '--setup-keys'),
  ],
  operands: each('text'),
});

const startsLater: Refine = (parsed) => {
  if (parsed.operands.length > 0 || parsed.options.length === 0)
    return {
      opaque: [
        { kind: 'inline-code', message: 'installs commands that run later', span: parsed.operands[0]?.span ?? noSpan },
      ],
    };
  return {};
};
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

const schedulers: readonly ToolSpec[] = [
  tool('crontab', {
    options: [...flags('-l', '-i'), ...takes('text', '-u'), ...warns(later, '-e', '-r')],
    operands: each('code-file'),
    refine: startsLater,
  }),
  tool('at batch', {
    options: [
      ...flags('-l', '-m', '-v', '-V', '-b'),
      ...takes('text', '-q', '-t'),
      ...takes('code-file', '-f'),
      ...takes('text', '-c'),
      ...warns(change('removes jobs'), '-d', '-r'),
    ],
    operands: each('text'),
    refine: (parsed) =>
      parsed.options.some(({ spelled }) => ['-l', '-V', '-c'].includes(spelled))
        ? {}
        : {
            opaque: [
              {
                kind: 'stdin-code',
                message: 'runs later what arrives on its input',
                span: parsed.operands[0]?.span ?? noSpan,
              },
            ],
          },
  }),
  tool('atq'),
  tool('launchctl', { operands: inOrder(['text'], 'text'), always: [later] }),
  tool('systemd-run', {
    grammar: 'getopt-posix',
    options: [
      ...flags('--user', '--scope', '--system', '-t --pty', '-P --pipe', '-d --same-dir', '-G --collect', '-q --quiet'),
      ...flags('-r --remain-after-exit', '--wait', '--no-block', '--no-ask-password', '-S --shell'),
      ...takes('text', '-u --unit', '--description', '--slice', '--nice', '--on-active', '--on-boot', '--on-calendar'),
      ...takes('text', '--on-startup', '--on-unit-active', '--on-unit-inactive', '--timer-property', '--uid', '--gid'),
      ...takes('directory', '--working-directory'),
    ],
    operands: inOrder(['command']),
    always: [change('runs a command outside of the box, as a service')],
  }),
];

/** They change the machine whatever their arguments. A query such as `--version` needs no question. */
const changers: readonly ToolSpec[] = alike(
  'service chkconfig update-rc.d umount insmod modprobe rmmod iptables ip6tables iptables-save nft ufw firewall-cmd useradd adduser usermod userdel groupadd groupmod passwd chpasswd visudo vipw reboot shutdown halt poweroff init telinit swapon swapoff losetup lvm fsck setcap setfacl chattr semanage setenforce update-alternatives ldconfig grub-install update-grub hwclock dmsetup kexec depmod tc bpftool pivot_root hostnamectl timedatectl localectl machinectl dscl defaults csrutil spctl pmset systemsetup networksetup',
  { options: flags('--version', '--help'), operands: each('text'), always: [machine] },
);

/** With arguments they change; without any, or with those listed, they show. */
const showers: readonly ToolSpec[] = [
  tool('mount', {
    options: [
      ...flags('-l --show-labels', '-v --verbose', '-V --version', '-h --help'),
      ...takes('text', '-t --types'),
      ...warns(machine, '-a --all', '-B --bind', '-R --rbind', '-M --move', '-r --read-only', '-w --rw'),
      ...warnsTaking(machine, '-o --options', '-L --label', '-U --uuid', '-N --namespace', '-T --fstab'),
    ],
    operands: each('refused'),
  }),
  tool('findmnt', {
    options: [
      ...flags(
        '-l --list',
        '-J --json',
        '-a --ascii',
        '-n --noheadings',
        '-r --raw',
        '-D --df',
        '-R --submounts',
        '-A --all',
      ),
      ...takes('text', '-o --output', '-t --types', '-T --target'),
    ],
    operands: each('text'),
  }),
  tool('sysctl', {
    options: [
      ...flags('-a --all', '-A', '-n --values', '-e --ignore', '-N --names', '-q --quiet', '-b --binary'),
      ...takes('text', '-r --pattern'),
      ...warns(machine, '-w --write', '--system'),
      { names: ['-p', '--load'], value: 'optional', effect: machine },
    ],
    operands: each('text'),
    refine: (parsed) => ({
      opaque: parsed.operands
        .filter((word) => word.kind !== 'static' || word.value.includes('='))
        .map((word) => ({
          kind: 'inline-code',
          message: 'sets a parameter of the kernel, and some of those are programs',
          span: word.span,
        })),
    }),
  }),
  tool('lsmod'),
  tool('lsblk', {
    options: [
      ...flags(
        '-a --all',
        '-f --fs',
        '-p --paths',
        '-J --json',
        '-l --list',
        '-n --noheadings',
        '-b --bytes',
        '-d --nodeps',
      ),
      ...takes('text', '-o --output'),
    ],
    operands: each('text'),
  }),
  tool('lscpu', { options: flags('-J --json', '-e --extended', '-p --parse', '-a --all') }),
  tool('lspci', { options: flags('-v', '-n', '-k', '-t') }),
  tool('lsusb', { options: flags('-v', '-t') }),
  tool('dmesg', {
    options: [
      ...flags('-T --ctime', '-H --human', '-w --follow', '-k --kernel', '-x --decode', '-r --raw', '-t --notime'),
      ...takes('text', '-l --level', '-f --facility', '-s --buffer-size'),
      ...takes('read', '-F --file'),
      ...warns(machine, '-c --read-clear', '-C --clear', '-D', '-E'),
    ],
  }),
  tool('ss', {
    options: [
      ...flags(
        '-a --all',
        '-l --listening',
        '-t --tcp',
        '-u --udp',
        '-n --numeric',
        '-p --processes',
        '-x --unix',
        '-s --summary',
        '-e --extended',
        '-i --info',
        '-m --memory',
        '-o --options',
        '-4 --ipv4',
        '-6 --ipv6',
        '-H --no-header',
        '-r --resolve',
        '-w --raw',
      ),
      ...warns(machine, '-K --kill'),
      ...takes('read', '-F --filter'),
    ],
    operands: each('text'),
  }),
  tool('netstat', {
    options: flags(
      '-a --all',
      '-l --listening',
      '-t --tcp',
      '-u --udp',
      '-n --numeric',
      '-p --programs',
      '-r --route',
      '-i --interfaces',
      '-s --statistics',
      '-x --unix',
      '-e --extend',
      '-c',
    ),
  }),
  tool('lsof', {
    options: [
      ...flags('-n', '-P', '-l', '-t', '-a', '-b', '-w', '-U', '-R', '-v', '-h'),
      ...maybe('text', '-i', '-s', '-F'),
      ...takes('text', '-p', '-u', '-c', '-d', '-g'),
    ],
    operands: each('text'),
  }),
  tool('vmstat iostat mpstat', {
    options: flags('-a', '-d', '-s', '-t', '-w', '-x', '-n', '-m', '-c', '-k'),
    operands: each('text'),
  }),
];

const networkShow = tool('show list ls lst get', { operands: each('text') });
const ip = toolFamily(
  'ip',
  [
    ...['address', 'addr', 'a', 'link', 'l', 'route', 'r', 'neighbour', 'neigh', 'n', 'rule', 'maddress', 'tunnel'].map(
      (name) =>
        toolFamily(name, [
          networkShow,
          tool('add del delete set change replace flush append prepend up down', {
            grammar: 'words',
            operands: each('text'),
            always: [machine],
          }),
        ]),
    ),
    toolFamily('netns', [
      tool('list identify pids', { operands: each('text') }),
      tool('add del delete set attach', { operands: each('text'), always: [machine] }),
      tool('exec', { grammar: 'words', operands: inOrder(['text', 'command']), always: [machine] }),
    ]),
  ],
  {
    options: [
      ...flags(
        '-4',
        '-6',
        '-br -brief',
        '-j -json',
        '-p -pretty',
        '-s -stats',
        '-d -details',
        '-o -oneline',
        '-c -color',
        '-V -Version',
      ),
      ...warnsTaking(opaqueEffect('inline-code', '`-batch` takes commands from a file'), '-b -batch'),
      ...takes('text', '-n -netns'),
    ],
    grammar: 'long',
  },
);
const ifconfig = tool('ifconfig route arp', {
  options: flags('-a', '-n', '-v', '-s', '-e'),
  operands: each('text'),
  refine: (parsed) => ({
    opaque: parsed.operands
      .slice(1)
      .map((word) => ({ kind: 'inline-code', message: 'changes the network of the machine', span: word.span })),
  }),
});

export const systemTools: readonly ToolSpec[] = [
  systemctl,
  journalctl,
  loginctl,
  ...formatters,
  ...terminalTools,
  ...schedulers,
  ...changers,
  ...showers,
  ip,
  ifconfig,
];
