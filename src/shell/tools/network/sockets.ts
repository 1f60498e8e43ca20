import type { Word } from '../../types.ts';
import {
  each,
  toolFamily,
  flags,
  inOrder,
  opaqueEffect,
  reaches,
  repositoryCode,
  takes,
  tool,
  unknownHost,
  warns,
  warnsTaking,
} from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { hostOf } from '../hosts.ts';
import { wordAsTyped, plainText } from '../words.ts';

const listening = opaqueEffect('unknown-option', '`-l` listens for connections');

/** `nc HOST PORT`: two operands are one destination. */
const hostAndPort: Refine = (parsed) => {
  const [host, port] = parsed.operands;
  if (host === undefined || parsed.options.some(({ spec }) => spec.names.includes('-l'))) return {};
  const found = plainText(host) === undefined ? unknownHost(wordAsTyped(host)) : hostOf(plainText(host) ?? '');
  const number = Number(plainText(port) ?? Number.NaN);
  return { hosts: [{ ...found, port: Number.isInteger(number) ? number : undefined }] };
};

const netcat: readonly ToolSpec[] = [
  tool('nc netcat', {
    options: [
      ...flags('-4', '-6', '-n', '-u', '-v', '-z', '-N', '-d', '-h', '-C', '-k', '-r', '-t', '-D', '-S', '-b'),
      ...takes('text', '-w', '-i', '-p', '-s', '-q', '-I', '-O', '-T', '-V', '-X', '-m', '-M'),
      ...takes('program', '-e'),
      ...takes('script', '-c'),
      ...takes('host', '-x'),
      ...warns(listening, '-l'),
      ...warns(opaqueEffect('unknown-option', '`-U` talks to a socket of this machine'), '-U', '-F'),
    ],
    operands: inOrder(['text', 'text'], 'text'),
    refine: hostAndPort,
  }),
  tool('ncat', {
    options: [
      ...flags(
        '-4',
        '-6',
        '-n',
        '-u --udp',
        '-v --verbose',
        '-z',
        '-C --crlf',
        '--ssl',
        '--ssl-verify',
        '-k --keep-open',
        '--recv-only',
        '--send-only',
        '--no-shutdown',
      ),
      ...takes(
        'text',
        '-w --wait',
        '-i --idle-timeout',
        '-p --source-port',
        '-s --source',
        '--ssl-servername',
        '-d --delay',
      ),
      ...takes('write', '-o --output', '-x --hex-dump'),
      ...takes('program', '-e --exec'),
      ...takes('script', '-c --sh-exec'),
      ...takes('code-file', '--lua-exec'),
      ...takes('host', '--proxy'),
      ...warns(listening, '-l --listen'),
      ...warns(opaqueEffect('unknown-option', '`-U` talks to a socket of this machine'), '-U --unixsock'),
    ],
    operands: inOrder(['text', 'text'], 'text'),
    refine: hostAndPort,
  }),
  tool('telnet', {
    options: [
      ...flags('-4', '-6', '-8', '-E', '-a', '-d', '-K'),
      ...takes('text', '-l', '-e', '-b'),
      ...takes('write', '-n'),
    ],
    operands: inOrder(['text', 'text']),
    refine: hostAndPort,
  }),
  tool('ftp', {
    options: [...flags('-4', '-6', '-p', '-i', '-n', '-g', '-v', '-d', '-e')],
    operands: inOrder(['text', 'text']),
    always: [opaqueEffect('stdin-code', '`ftp` takes commands from its input, and `!` among them runs a program')],
    refine: hostAndPort,
  }),
];

const addresses: Readonly<Record<string, 'host' | 'file' | 'exec' | 'system' | 'none' | 'listen'>> = {
  tcp: 'host',
  tcp4: 'host',
  tcp6: 'host',
  'tcp-connect': 'host',
  udp: 'host',
  'udp-connect': 'host',
  openssl: 'host',
  'openssl-connect': 'host',
  ssl: 'host',
  exec: 'exec',
  system: 'system',
  shell: 'system',
  'tcp-listen': 'listen',
  'tcp-l': 'listen',
  'tcp4-listen': 'listen',
  'udp-listen': 'listen',
  'openssl-listen': 'listen',
  stdio: 'none',
  '-': 'none',
  stdin: 'none',
  stdout: 'none',
  fd: 'none',
};

/** An address of socat: `KIND:VALUE,OPTIONS`. `!!` may join two of them. */
const socatAddress: Refine = (parsed) => {
  const parts = parsed.operands.flatMap((word) =>
    (isShort(word) ? (plainText(word) ?? '\0') : '\0').split('!!').map((text) => ({ word, text })),
  );
  const found = parts.map(({ word, text }) => ofAddress(word, text));
  return {
    hosts: found.flatMap(({ hosts }) => hosts ?? []),
    scripts: found.flatMap(({ scripts }) => scripts ?? []),
    opaque: found.flatMap(({ opaque: reasons }) => reasons ?? []),
  };
};

const isShort = (word: Word): boolean => wordAsTyped(word).length <= 4096;

function ofAddress(word: Word, text: string): ReturnType<Refine> {
  const [, kind = '', value = '', options = ''] = /^([\w-]+)(?::([^,]*))?(,.*)?$/su.exec(text) ?? [];
  const why = (message: string) =>
    [{ kind: 'inline-code', message: `\`${wordAsTyped(word)}\` ${message}`, span: word.span }] as const;
  switch (addresses[kind.toLowerCase()]) {
    case 'host':
      return { hosts: [hostOf(value)], opaque: options === '' ? [] : why('has options that are not read') };
    case 'none':
      return options === '' ? {} : { opaque: why('has options that are not read') };
    case 'exec':
    case 'system':
      return { scripts: [{ kind: 'static', value, span: word.span }], opaque: why('runs a program') };
    case 'listen':
      return { opaque: why('listens for connections') };
    default:
      return { opaque: why('is an address whose kind is not known') };
  }
}

const socat = tool('socat', {
  grammar: 'long',
  options: [
    ...flags('-v', '-x', '-d', '-dd', '-ddd', '-u', '-U', '-V', '-h', '-4', '-6', '-s', '-g'),
    ...takes('text', '-b*', '-t*', '-T*'),
    ...takes('write', '-lf', '-r', '-R'),
  ],
  operands: each('text'),
  refine: socatAddress,
});

const certificate = [
  ...flags(
    '-text',
    '-noout',
    '-subject',
    '-issuer',
    '-dates',
    '-enddate',
    '-startdate',
    '-fingerprint',
    '-serial',
    '-pubkey',
    '-modulus',
    '-check',
    '-verify',
    '-pubout',
    '-pubin',
    '-sha256',
    '-sha1',
    '-sha512',
    '-md5',
    '-new',
    '-x509',
    '-nodes',
    '-noenc',
    '-ext',
    '-purpose',
    '-hex',
    '-base64',
    '-a',
    '-d',
    '-e',
    '-A',
    '-salt',
    '-pbkdf2',
    '-r',
    '-binary',
    '-aes-256-cbc',
    '-aes256',
    '-p',
    '-batch',
    '-nameopt',
  ),
  ...takes(
    'text',
    '-passin',
    '-passout',
    '-k',
    '-pass',
    '-iter',
    '-days',
    '-subj',
    '-addext',
    '-newkey',
    '-inform',
    '-outform',
    '-keyform',
    '-algorithm',
    '-pkeyopt',
    '-checkend',
    '-name',
  ),
  ...takes(
    'read',
    '-in',
    '-key',
    '-CAfile',
    '-CA',
    '-CAkey',
    '-inkey',
    '-certfile',
    '-kfile',
    '-signature',
    '-sigfile',
    '-untrusted',
  ),
  ...takes('write', '-out', '-keyout', '-CAserial'),
  ...takes('read-tree', '-CApath'),
];
const loads = [
  ...warnsTaking(
    opaqueEffect('inline-code', '`-engine` and `-provider` load a library'),
    '-engine',
    '-provider',
    '-provider-path',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`-config` can load libraries'), '-config'),
];

const openssl = toolFamily('openssl', [
  tool('version ciphers list help', {
    grammar: 'long',
    options: flags('-a', '-v', '-V', '-d', '-s', '-tls1_3', '-digest-commands', '-cipher-commands', '-disabled'),
    operands: each('text'),
  }),
  tool('s_client', {
    grammar: 'long',
    options: [
      ...flags(
        '-showcerts',
        '-quiet',
        '-brief',
        '-tls1_2',
        '-tls1_3',
        '-verify_return_error',
        '-status',
        '-msg',
        '-debug',
        '-state',
        '-no_ign_eof',
        '-ign_eof',
        '-prexit',
        '-noservername',
      ),
      ...takes(
        'text',
        '-servername',
        '-starttls',
        '-alpn',
        '-verify',
        '-cipher',
        '-ciphersuites',
        '-verify_hostname',
        '-port',
      ),
      ...takes('host', '-connect', '-host', '-proxy'),
      ...takes('read', '-CAfile', '-cert', '-key'),
      ...takes('write', '-keylogfile', '-sess_out'),
      ...loads,
    ],
    operands: each('host'),
  }),
  tool('x509 req rsa ec pkey pkcs12 pkcs8 genrsa genpkey ecparam rand passwd crl verify asn1parse', {
    grammar: 'long',
    options: [...certificate, ...loads],
    operands: each('read'),
  }),
  tool('dgst sha256 sha1 md5 sha512 base64 enc', {
    grammar: 'long',
    options: [...certificate, ...takes('read', '-sign', '-verify', '-prverify'), ...loads].filter(
      (option, place, all) => all.findLastIndex(({ names }) => names[0] === option.names[0]) === place,
    ),
    operands: each('read'),
  }),
]);

/** Hosts that the tools of code hosts reach. `--hostname` and `GH_HOST` name others. */
const codeHost = (names: string, host: string, groups: string): ToolSpec =>
  toolFamily(
    names,
    groups.split(' ').map((group) =>
      toolFamily(group, [
        tool('list view status diff checks ls show', {
          options: [
            ...flags('-c --comments', '--log', '--log-failed', '--name-only', '-v --verbose'),
            ...takes(
              'text',
              '-R --repo',
              '-L --limit',
              '-s --state',
              '-l --label',
              '-A --author',
              '-a --assignee',
              '-S --search',
              '--json',
              '-q --jq',
              '-t --template',
              '-B --base',
              '-H --head',
              '--job',
              '-b --branch',
            ),
          ],
          operands: each('text'),
          always: [reaches(host)],
        }),
        tool('create edit close reopen comment merge review delete rerun cancel', {
          options: [
            ...flags(
              '-d --draft',
              '-f --fill',
              '-m --merge',
              '-r --rebase',
              '-s --squash',
              '-y --yes',
              '--approve',
              '--auto',
              '--private',
              '--public',
              '--failed',
            ),
            ...takes(
              'text',
              '-t --title',
              '-b --body',
              '-R --repo',
              '-B --base',
              '-H --head',
              '-l --label',
              '-a --assignee',
              '--add-label',
            ),
            ...takes('read', '-F --body-file'),
          ],
          operands: each('text'),
          always: [
            reaches(host),
            opaqueEffect('unknown-option', `changes something on ${host}`),
            ...repositoryCode('git, with what the repository configures'),
          ],
        }),
      ]),
    ),
    { options: flags('--version', '--help') },
  );

export const socketTools: readonly ToolSpec[] = [
  ...netcat,
  socat,
  openssl,
  codeHost('gh', 'api.github.com', 'pr issue repo run release workflow label gist'),
  codeHost('glab', 'gitlab.com', 'mr issue repo ci release label'),
];
