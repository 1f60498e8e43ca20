import { alike, each, flags, maybe, noSpan, opaqueEffect, takes, tool, toolFamily } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { plainText, wordAsTyped } from '../words.ts';
import { machine } from './machine-changes.ts';

const manual = flags('-h --help', '-V --version');

/** The words that only show, from the first on. Every other command changes the machine. */
const showsOnly =
  (shown: RegExp): Refine =>
  ({ operands }) =>
    operands.length === 0 || shown.test(operands.map((word) => plainText(word) ?? '$').join(' '))
      ? {}
      : {
          opaque: [
            {
              kind: 'inline-code',
              message: `\`${operands.map(wordAsTyped).slice(0, 2).join(' ')}\` may change the machine`,
              span: operands[0]?.span ?? noSpan,
            },
          ],
        };

/** With one of these options it shows, and otherwise it changes. */
const asked =
  (...options: readonly string[]): Refine =>
  (parsed) =>
    hasOption(parsed, ...options)
      ? {}
      : { opaque: [{ kind: 'inline-code', message: 'without a question it changes the machine', span: noSpan }] };

const table = [
  ...manual,
  ...flags('-J --json', '-n --noheadings', '-r --raw', '-l --list', '-b --bytes', '-u --notruncate', '-t', '-e', '-c'),
  ...flags('-a --all', '-m --shmems', '-q --queues', '-s --semaphores', '-S --summary', '-i --noinaccessible'),
  ...takes('text', '-o --output', '-p --pid', '-T --tree'),
];

/** Volumes of LVM: `lvm.conf` may come as `--config`, which is no option here. */
const volumes = [
  ...manual,
  ...flags('-a --all', '-v --verbose', '--noheadings', '--segments', '-P --partial', '--nameprefixes', '--unbuffered'),
  ...takes('text', '-o --options', '-O --sort', '--units', '--separator', '--reportformat', '-S --select'),
];

/** Programs that show disks, devices, buses and connections. Sources: their manuals in Debian 12. */
export const devices: readonly ToolSpec[] = [
  ...alike('lslocks lsns lsipc lsmem ipcs', { options: table, operands: each('text') }),
  ...alike('lvs vgs pvs lvdisplay vgdisplay pvdisplay', { options: volumes, operands: each('text') }),
  ...alike('pwdx upower systemd-cgtop lsinitramfs quota', { grammar: 'words', operands: each('text') }),
  tool('pmap', {
    options: [...manual, ...flags('-x --extended', '-X', '-d --device', '-q --quiet', '-p --show-path')],
    operands: each('text'),
  }),
  tool('pidstat', {
    options: [
      ...flags('-d', '-h', '-H', '-I', '-l', '-r', '-R', '-s', '-t', '-u', '-v', '-V', '-w'),
      ...takes('text', '-p', '-C', '-G', '-T', '-U'),
    ],
    operands: each('text'),
  }),
  tool('hwinfo', {
    options: flags(
      '--short',
      '--cpu',
      '--disk',
      '--memory',
      '--gfxcard',
      '--network',
      '--usb',
      '--pci',
      '--all',
      '--help',
    ),
  }),
  tool('rocm-smi', {
    options: [...flags('-a --showallinfo', '-u --showuse', '-t --showtemp', '-i --showid'), ...manual],
  }),
  tool('smartctl', {
    options: [
      ...manual,
      ...flags('-a --all', '-x --xall', '-i --info', '-H --health', '-A --attributes', '-c --capabilities', '--scan'),
      ...takes('text', '-d --device', '-n --nocheck'),
      ...maybe('text', '-j --json'),
    ],
    operands: each('read'),
  }),
  tool('tune2fs', { options: flags('-l'), operands: each('read'), refine: asked('-l') }),
  tool('dumpe2fs', { options: flags('-b', '-f', '-h', '-x', '-V'), operands: each('read') }),
  tool('xfs_info', { options: [...flags('-V'), ...takes('read', '-t')], operands: each('read') }),
  tool('nfsstat', { options: flags('-m', '-s', '-c', '-n', '-r', '-l', '-v', '-2', '-3', '-4', '--version') }),
  tool('btrfs', {
    operands: each('text'),
    options: [...manual, ...flags('-a', '-p', '-c', '-g', '-u', '-q', '-t', '-s', '-r', '-d', '-m', '-H', '-k', '-T')],
    refine: showsOnly(
      /^(?:subvolume (?:list|show|get-default)|filesystem (?:df|show|usage|du)|fi (?:df|show|usage|du)|device usage|scrub status|balance status|qgroup show|property get|version|help)\b/u,
    ),
  }),
  tool('nmcli', {
    options: [
      ...flags(
        '-t --terse',
        '-p --pretty',
        '-e --escape',
        '-s --show-secrets',
        '--active',
        '-v --version',
        '-h --help',
      ),
      ...takes('text', '-f --fields', '-g --get-values', '-m --mode', '-c --colors', '-w --wait'),
    ],
    operands: each('text'),
    refine: showsOnly(
      /^(?:g|general|general status|general hostname|general permissions|d|dev|device|(?:d|dev|device) (?:status|show)(?: [\w.-]+)?|c|con|connection|(?:c|con|connection) show(?: [\w. -]+)?|networking|radio|(?:d|dev|device) wifi(?: list(?: --rescan no)?)?|monitor|help)$/u,
    ),
  }),
  tool('iw', {
    operands: each('text'),
    refine: showsOnly(
      /^(?:dev|list|phy|help|features|commands|reg get|phy \w+ info|dev \w+ (?:info|link|station dump))$/u,
    ),
  }),
  toolFamily(
    'udevadm',
    [
      tool('info', {
        options: [
          ...flags('-a --attribute-walk', '-e --export-db', '-r --root', '-x --export', '-t --tree', '--no-pager'),
          ...manual,
          ...takes('text', '-q --query', '-p --path', '-n --name', '-P --export-prefix', '-d --device-id-of-file'),
        ],
        operands: each('text'),
      }),
      tool('monitor', { options: [...manual, ...flags('-k --kernel', '-u --udev', '-p --property')] }),
      tool('version help', { operands: each('text') }),
      tool('trigger settle control test test-builtin wait lock', {
        grammar: 'words',
        operands: each('text'),
        always: [opaqueEffect('inline-code', 'runs the rules of udev')],
      }),
    ],
    { options: manual },
  ),
  toolFamily(
    'busctl',
    [
      tool('list status tree help', {
        options: [...manual, ...flags('--list', '--acquired', '--no-pager')],
        operands: each('text'),
      }),
    ],
    { options: [...manual, ...flags('--user', '--system', '--no-pager', '--list', '-l --full', '--acquired')] },
  ),
  tool('capsh', {
    options: [...flags('--print', '--help', '--modes', '--current'), ...maybe('text', '--decode', '--explain')],
    operands: each('refused'),
    refine: asked('--print', '--help', '--modes', '--current', '--decode', '--explain'),
  }),
  tool('renice', {
    options: [...manual, ...takes('text', '-n', '--priority'), ...flags('-p', '-g', '-u')],
    operands: each('refused'),
  }),
  tool('ipcrm', { grammar: 'words', operands: each('text'), always: [machine] }),
];
