import type { HostEffect, Word } from '../../types.ts';
import { hostOf, locationOfRemote } from '../hosts.ts';
import {
  each,
  flags,
  inOrder,
  opaqueEffect,
  takes,
  tool,
  unknownHost,
  warns,
  warnsTaking,
  noSpan,
} from '../notation.ts';
import type { OptionSpec, ParsedArguments, Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { hasOption, optionValues } from '../parsed-options.ts';

const copying = flags('-3', '-4', '-6', '-A', '-B', '-C', '-p', '-q', '-v', '-O', '-T', '-R').concat(
  flags('-r').map((option) => ({ ...option, deep: true as const })),
);

/** Options of ssh_config(5) that neither run nor read nor listen. */
const harmless =
  /^(?:addressfamily|batchmode|bindaddress|checkhostip|ciphers|compression|connectionattempts|connecttimeout|connectionattempts|fingerprinthash|forwardagent|gssapiauthentication|hashknownhosts|hostkeyalgorithms|hostkeyalias|identitiesonly|kbdinteractiveauthentication|kexalgorithms|loglevel|macs|numberofpasswordprompts|passwordauthentication|port|preferredauthentications|pubkeyauthentication|requesttty|sendenv|serveralivecountmax|serveraliveinterval|stricthostkeychecking|tcpkeepalive|updatehostkeys|user|verifyhostkeydns|visualhostkey|controlpersist)$/u;

/**
 * `ProxyCommand`, `LocalCommand`, `KnownHostsCommand` and `Match exec` run here; `Include` and file options read here.
 */
const sshOptions: readonly OptionSpec[] = [
  ...takes('text', '-o'),
  ...takes('host', '-J'),
  ...warnsTaking(opaqueEffect('inline-code', '`-F` names a configuration, which can run programs here'), '-F'),
];

const refineOptions = (parsed: ParsedArguments) =>
  parsed.options
    .filter(({ spelled, value }) => spelled === '-o' && value !== undefined)
    .flatMap(({ value }) => sshOfOption(value as Word));

/** The remote command runs on the other side, so it is no invocation here. */
const withSshOptions: Refine = (parsed) => ({ opaque: refineOptions(parsed) });

/** The last operand is written: a directory here, or a path on a host. */
export const scp = tool('scp', {
  grammar: 'getopt-posix',
  options: [
    ...copying,
    ...takes('text', '-c', '-l', '-P', '-X'),
    ...takes('read', '-i'),
    ...takes('program', '-S', '-D'),
    ...sshOptions,
  ],
  operands: inOrder([], 'remote', 'remote-write'),
  refine: withSshOptions,
});

export const sftp = tool('sftp', {
  grammar: 'getopt-posix',
  options: [
    ...flags('-4', '-6', '-A', '-a', '-C', '-f', '-N', '-p', '-q', '-r', '-v'),
    ...takes('text', '-B', '-c', '-l', '-P', '-R', '-X'),
    ...takes('read', '-i'),
    ...takes('program', '-S', '-D', '-s'),
    ...warnsTaking(
      opaqueEffect('stdin-code', '`-b` takes commands, and `!` among them runs a program, from a file'),
      '-b',
    ),
    ...sshOptions,
  ],
  operands: each('text'),
  refine: (parsed, context) => ({ ...withSshOptions(parsed, context), hosts: parsed.operands.map(sftpHost) }),
});

export const ssh = tool('ssh slogin', {
  grammar: 'getopt-posix',
  options: [
    ...flags(
      '-4',
      '-6',
      '-A',
      '-a',
      '-C',
      '-f',
      '-g',
      '-K',
      '-k',
      '-N',
      '-n',
      '-q',
      '-s',
      '-T',
      '-t',
      '-V',
      '-v',
      '-X',
      '-x',
      '-Y',
      '-y',
    ),
    // It prints its settings, and connects to nothing.
    { names: ['-G'], operands: each('text') },
    ...takes('text', '-B', '-b', '-c', '-e', '-l', '-m', '-O', '-p', '-Q'),
    ...takes('read', '-i'),
    ...takes('write', '-E'),
    ...takes('host', '-W'),
    ...takes('program', '-I'),
    ...warnsTaking(
      opaqueEffect('unknown-option', '`-L`, `-R`, `-D` and `-w` open ways between networks'),
      '-L',
      '-R',
      '-D',
      '-w',
    ),
    ...warnsTaking(opaqueEffect('unknown-option', '`-S` talks to a socket that someone else may hold'), '-S'),
    ...warns(opaqueEffect('unknown-option', '`-M` leaves a connection open for others'), '-M'),
    ...sshOptions,
  ],
  operands: inOrder(['host'], 'text'),
  refine: withSshOptions,
});

export const keys: readonly ToolSpec[] = [
  tool('ssh-keygen', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-q', '-l', '-L', '-v', '-B', '-y', '-e', '-i', '-H'),
      ...takes('text', '-t', '-b', '-C', '-N', '-P', '-E', '-m', '-F', '-a', '-f'),
      ...warnsTaking(opaqueEffect('inline-code', '`-D` and `-w` load a library'), '-D', '-w'),
    ],
    refine: (parsed, { path }) => {
      const named = optionValues(parsed, '-f');
      const usual = { kind: 'static', lead: 'home', value: '/.ssh/id', span: noSpan } as const;
      const files = named.length > 0 || hasOption(parsed, '-D') ? named : [usual];
      return hasOption(parsed, '-l', '-L', '-B', '-y', '-e', '-F') && !hasOption(parsed, '-H')
        ? { reads: files.map((file) => path(file, 'read', 'file')) }
        : { writes: files.map((file) => path(file, 'write', 'file')) };
    },
  }),
  tool('ssh-keyscan', {
    options: [
      ...flags('-4', '-6', '-H', '-D', '-c', '-q', '-v'),
      ...takes('text', '-p', '-T', '-t'),
      ...takes('read', '-f'),
    ],
    operands: { kind: 'each', role: 'host' },
  }),
  tool('ssh-add', {
    options: [
      ...flags('-l', '-L', '-q', '-v'),
      ...warns(opaqueEffect('unknown-option', 'takes keys from the agent, or locks it'), '-D', '-d', '-x', '-X'),
      ...takes('text', '-t', '-E'),
      ...warnsTaking(opaqueEffect('inline-code', '`-s` and `-S` load a library'), '-s', '-S'),
    ],
    operands: { kind: 'each', role: 'read' },
  }),
  tool('ssh-copy-id', {
    options: [...flags('-n', '-f'), ...takes('read', '-i'), ...takes('text', '-p'), ...sshOptions],
    operands: inOrder(['host']),
    refine: withSshOptions,
  }),
];

/** `host`, `host:path` and `sftp://host/path`: never a file here. */
function sftpHost(word: Word): HostEffect {
  const where = locationOfRemote(plainText(word) ?? '');
  if (plainText(word) === undefined) return unknownHost(wordAsTyped(word));
  return where.kind === 'host' ? where.host : hostOf(where.path);
}

function sshOfOption(word: Word) {
  const name = /^\s*(\w+)/u.exec(plainText(word) ?? '')?.[1]?.toLowerCase() ?? '';
  return harmless.test(name)
    ? []
    : [
        {
          kind: 'inline-code' as const,
          message: `\`-o ${wordAsTyped(word)}\` can run a program here`,
          span: word.span,
        },
      ];
}
