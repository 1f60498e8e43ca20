import {
  each,
  toolFamily,
  flags,
  inOrder,
  looksUpWith,
  maybe,
  opaqueEffect,
  takes,
  tool,
  warns,
  warnsTaking,
} from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { machine } from './machine-changes.ts';

/** With arguments they change; without any, or with those listed, they show. */
export const showers: readonly ToolSpec[] = [
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
      ...flags('-s --fstab', '-m --mtab', '-k --kernel', '-b --bytes', '-C --nocanonicalize', '-c --canonicalize'),
      ...flags('-e --evaluate', '-f --first-only', '-i --invert', '-P --pairs', '-u --notruncate', '-U --uniq'),
      ...flags('-v --nofsroot', '-y --shell', '-x --verify', '-h --help', '-V --version', '--real', '--pseudo'),
      ...flags('--output-all', '--verbose', '--tree', '--vfs-all'),
      ...takes('text', '-o --output', '-t --types', '-T --target', '-S --source', '-M --mountpoint', '-O --options'),
      ...takes('text', '-d --direction', '-N --task'),
      ...takes('read', '-F --tab-file'),
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
      ...flags(
        '-A --noempty',
        '-D --discard',
        '-M --merge',
        '-O --output-all',
        '-P --pairs',
        '-S --scsi',
        '-i --ascii',
      ),
      ...flags('-m --perms', '-r --raw', '-s --inverse', '-t --topology', '-y --shell', '-z --zoned'),
      ...flags('-h --help', '-V --version'),
      ...takes('text', '-o --output', '-E --dedup', '-I --include', '-e --exclude', '-w --width', '-x --sort'),
      ...maybe('text', '-T --tree'),
    ],
    operands: each('text'),
  }),
  tool('lscpu', {
    options: [
      ...flags('-J --json', '-a --all', '-b --online', '-B --bytes', '-c --offline', '-x --hex', '-y --physical'),
      ...flags('--output-all', '-h --help', '-V --version'),
      ...maybe('text', '-e --extended', '-p --parse', '-C --caches'),
    ],
  }),
  tool('lspci', {
    options: [
      ...flags('-v', '-n', '-k', '-t', '-m', '-b', '-D', '-x', '-P', '--version'),
      ...takes('text', '-s', '-d'),
    ],
  }),
  tool('lsusb', {
    options: [...flags('-v --verbose', '-t --tree', '-V --version', '-h'), ...takes('text', '-s', '-d')],
  }),
  tool('dmesg', {
    options: [
      ...flags('-T --ctime', '-H --human', '-w --follow', '-k --kernel', '-x --decode', '-r --raw', '-t --notime'),
      ...flags('-J --json', '-P --nopager', '-p --force-prefix', '-S --syslog', '-u --userspace', '-W --follow-new'),
      ...flags('-d --show-delta', '-e --reltime', '-h --help', '-V --version', '--noescape'),
      ...takes('text', '-l --level', '-f --facility', '-s --buffer-size', '--time-format', '--since', '--until'),
      ...maybe('text', '-L --color'),
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
      ...flags('-h --help', '-V --version', '-T --threads', '-b --bpf', '-E --events', '-Z --context', '-z --contexts'),
      ...flags('-0 --packet', '-M --mptcp', '-S --sctp', '-d --dccp', '--tipc', '--vsock', '--xdp', '-O --oneline'),
      ...flags('--tos', '--cgroup', '--tipcinfo', '--inet-sockopt'),
      ...takes('text', '-f --family', '-A --query --socket', '-N --net'),
      ...takes('write', '-D --diag'),
      ...warns(machine, '-K --kill'),
      ...takes('read', '-F --filter'),
    ],
    operands: each('text'),
    refine: looksUpWith('--resolve'),
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
      '-c --continuous',
      '-g --groups',
      '-o --timers',
      '-v --verbose',
      '-W --wide',
      '-w --raw',
      '-F --fib',
      '-C --cache',
      '-N --symbolic',
      '-4 --inet',
      '-6 --inet6',
      '--numeric-hosts',
      '--numeric-ports',
      '--numeric-users',
      '-h --help',
      '-V --version',
    ),
  }),
  tool('lsof', {
    options: [
      ...flags(
        '-n',
        '-P',
        '-l',
        '-t',
        '-a',
        '-b',
        '-w',
        '-U',
        '-R',
        '-v',
        '-h',
        '-H',
        '-N',
        '-X',
        '-E',
        '-C',
        '-M',
        '-V',
      ),
      ...maybe('text', '-i', '-s', '-F', '-L', '-T', '-r', '-o', '-K', '-Q'),
      ...takes('text', '-p', '-u', '-c', '-d', '-g', '-S'),
      ...takes('read-tree', '+d', '+D'),
    ],
    operands: each('text'),
  }),
  tool('vmstat iostat mpstat', {
    options: [
      ...flags('-a --active', '-d --disk', '-s --stats', '-t --timestamp', '-w --wide', '-x', '-n --one-header', '-c'),
      ...flags(
        '-m --slabs',
        '-k',
        '-f --forks',
        '-D --disk-sum',
        '-y --no-first',
        '-h --help',
        '-V --version',
        '-z',
        '-N',
      ),
      ...takes('text', '-p --partition', '-S --unit', '-P'),
    ],
    operands: each('text'),
  }),
];

const networkShow = tool('show list ls lst get', { operands: each('text') });

export const ip = toolFamily(
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

export const ifconfig = tool('ifconfig route arp', {
  options: flags('-a', '-n', '-v', '-s', '-e'),
  operands: each('text'),
  refine: (parsed) => ({
    opaque: parsed.operands
      .filter((word, at) => at > 0 || /^(?:add|change|delete|del|flush)$/u.test(wordAsTyped(word)))
      .map((word) => ({ kind: 'inline-code', message: 'changes the network of the machine', span: word.span })),
  }),
});
