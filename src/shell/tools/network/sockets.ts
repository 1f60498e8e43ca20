import type { Word } from '../../types.ts';
import {
  each,
  fetchesUrls,
  flags,
  inOrder,
  noSpan,
  opaqueEffect,
  takes,
  tool,
  unknownHost,
  warns,
} from '../notation.ts';
import { runsInput } from '../languages/runs-input.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { hostOf } from '../hosts.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { codeHost, ownOfGitHub } from './code-hosts.ts';
import { openssl } from './openssl.ts';
import { hasOption } from '../parsed-options.ts';

const listening = opaqueEffect('unknown-option', '`-l` listens for connections');

/** `nc HOST PORT`: two operands are one destination. */
const hostAndPort: Refine = (parsed) => {
  const [host, port] = parsed.operands;
  if (host === undefined || hasOption(parsed, '-l')) return {};
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
    // Without a host it takes commands, and `!` among them runs a program.
    refine: (parsed, context) => (parsed.operands.length > 0 ? hostAndPort : runsInput())(parsed, context),
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

/** Without a file it captures. Without `-n`, it looks up the names of addresses. */
const tcpdump = tool('tcpdump', {
  options: [
    ...flags('-n', '-N', '-q', '-e', '-t', '-v', '-x', '-X', '-A', '-S', '-K', '-#', '--version', '-h --help'),
    ...takes('text', '-c', '-s', '-T'),
    ...takes('read', '-r', '-F'),
  ],
  operands: each('text'),
  refine: (parsed, context) => {
    const shows = hasOption(parsed, '-r', '--version', '--help');
    if (!shows) return { opaque: [{ kind: 'inline-code', message: 'listens to the network', span: noSpan }] };
    return hasOption(parsed, '-n', '--version', '--help')
      ? fetchesUrls(parsed, context)
      : { hosts: [unknownHost('the name server')] };
  },
});

export const socketTools: readonly ToolSpec[] = [
  ...netcat,
  socat,
  tcpdump,
  openssl,
  codeHost('gh', 'api.github.com', { groups: 'pr issue repo run release workflow label gist', own: ownOfGitHub }),
  codeHost('glab', 'gitlab.com', { groups: 'mr issue repo ci release label' }),
];
