import { alike, each, flags, noSpan, opaqueEffect, takes, tool, toolFamily, warns } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { ToolSpec } from '../types.ts';
import { versionOnly } from '../version-question.ts';
import { desktops } from './desktops.ts';
import { devices } from './devices.ts';
import { plainEffects } from './plain-effects.ts';
import { machine } from './machine-changes.ts';

const manual = flags('--help', '--version');

/** Programs of the system that show, with the options that only show. */
export const moreFacts: readonly ToolSpec[] = [
  tool('blkid', {
    options: [
      ...flags('-p --probe', '-i --info', '-k --list-filesystems', '-l --list-one', '-h --help', '-V --version'),
      ...takes('text', '-o --output', '-s --match-tag', '-t --match-token', '-L --label', '-U --uuid'),
    ],
    operands: each('text'),
  }),
  tool('dmidecode', { options: [...manual, ...flags('-q --quiet'), ...takes('text', '-t --type', '-s --string')] }),
  tool('lshw', {
    options: flags(
      '-short',
      '-json',
      '-html',
      '-xml',
      '-quiet',
      '-sanitize',
      '-numeric',
      '-businfo',
      '-version',
    ).concat(takes('text', '-class', '-C', '-c')),
    grammar: 'long',
  }),
  tool('sensors', { options: [...manual, ...flags('-A', '-f', '-u', '-j', '-v', '-h')], operands: each('text') }),
  tool('sar', {
    options: [
      ...flags('-A', '-B', '-b', '-d', '-F', '-H', '-h', '-p', '-q', '-r', '-S', '-u', '-v', '-W', '-w', '-V'),
      ...takes('text', '-n', '-P', '-m', '-I', '-s', '-e', '-i'),
      ...takes('read', '-f'),
    ],
    operands: each('text'),
  }),
  tool('iotop', {
    options: [
      ...manual,
      ...flags(
        '-o --only',
        '-b --batch',
        '-a --accumulated',
        '-k --kilobytes',
        '-t --time',
        '-q --quiet',
        '-P --processes',
      ),
      ...takes('text', '-n --iter', '-d --delay', '-p --pid', '-u --user'),
    ],
    // On a terminal it takes keys, and some of them change priorities.
    refine: (parsed) =>
      hasOption(parsed, '-b', '--help', '--version')
        ? {}
        : { opaque: [{ kind: 'inline-code', message: '`iotop` without `-b` takes keys', span: noSpan }] },
  }),
  tool('fuser', {
    options: [
      ...flags('-a --all', '-m --mount', '-v --verbose', '-u --user', '-4 --ipv4', '-6 --ipv6', '-V --version'),
      ...takes('text', '-n --namespace'),
      ...warns(machine, '-k --kill'),
    ],
    operands: each('text'),
  }),
  tool('ethtool', {
    options: flags(
      '-i --driver',
      '-S --statistics',
      '-k --show-features',
      '-g --show-ring',
      '-a --show-pause',
      '-h --help',
      '--version',
    ),
    operands: each('text'),
  }),
  ...alike('getenforce sestatus aa-status vm_stat dnsdomainname systemd-detect-virt uuidgen', {
    options: flags('--version', '--help'),
  }),
  tool('sw_vers', { grammar: 'long', options: flags('-productName', '-productVersion', '-buildVersion') }),
  tool('system_profiler', {
    grammar: 'long',
    options: [...flags('-json', '-xml'), ...takes('text', '-detailLevel')],
    operands: each('text'),
  }),
  tool('systemd-cgls', {
    options: [...manual, ...flags('--no-pager', '-a --all', '-l --full', '-k')],
    operands: each('text'),
  }),
  toolFamily(
    'systemd-analyze',
    [
      tool(
        'time blame critical-chain dot dump plot unit-paths unit-files calendar timespan timestamp security verify cat-config',
        {
          options: [...flags('--no-pager', '--user', '--system'), ...takes('text', '--fuzz')],
          operands: each('text'),
        },
      ),
    ],
    { options: [...manual, ...flags('--no-pager', '--user', '--system')] },
  ),
  toolFamily('resolvectl', [tool('status statistics', { operands: each('text') })], {
    options: [...manual, ...flags('--no-pager')],
  }),
  toolFamily('networkctl', [tool('list status lldp', { options: flags('-a --all'), operands: each('text') })], {
    options: [...manual, ...flags('--no-pager', '-a --all')],
  }),
  toolFamily('coredumpctl', [tool('list info', { options: flags('-r --reverse'), operands: each('text') })], {
    options: [...manual, ...flags('--no-pager')],
  }),
  tool('gpg gpg2', {
    options: [
      ...flags(
        '-k --list-keys --list-public-keys',
        '-K --list-secret-keys',
        '--fingerprint',
        '--list-sigs',
        '--verify',
        '--show-keys',
      ),
      ...flags(
        '--with-colons',
        '--with-fingerprint',
        '--batch',
        '--no-tty',
        '-v --verbose',
        '-q --quiet',
        '--version',
        '-h --help',
      ),
      ...takes('text', '--keyid-format'),
    ],
    operands: each('read'),
    refine: (parsed) =>
      hasOption(
        parsed,
        '--list-keys',
        '--list-secret-keys',
        '--fingerprint',
        '--list-sigs',
        '--verify',
        '--show-keys',
        '--version',
        '--help',
      )
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'signs, encrypts, or changes keys', span: noSpan }] },
  }),
  tool('keytool', {
    grammar: 'long',
    options: [
      ...flags('-v', '-rfc', '-list', '-printcert'),
      ...takes('text', '-alias', '-storepass', '-storetype'),
      ...takes('read', '-keystore', '-file'),
    ],
    refine: (parsed) =>
      hasOption(parsed, '-list', '-printcert')
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'changes a store of keys', span: noSpan }] },
  }),
  ...alike(versionOnly.join(' '), {
    grammar: 'words',
    operands: each('text'),
    always: [opaqueEffect('unknown-tool', 'only the question for its version is known')],
  }),
  ...desktops,
  ...plainEffects,
  ...devices,
];
