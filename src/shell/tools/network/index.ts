/**
 * Programs that talk to other hosts. Specifications and their refinements only: nothing is looked up on the machine.
 */
import type { HostEffect, Word } from '../../types.ts';
import { hostOf, locationOfRemote } from '../hosts.ts';
import {
  each,
  flags,
  inOrder,
  maybe,
  opaqueEffect,
  takes,
  tool,
  unknownHost,
  warns,
  warnsTaking,
} from '../notation.ts';
import type { OptionSpec, ParsedArguments, Refine, RefineContext, Refinement, ToolSpec } from '../types.ts';
import { wordAsTyped, staticWord, plainText } from '../words.ts';
import { socketTools } from './sockets.ts';

const options: readonly OptionSpec[] = [
  ...flags(
    '-s --silent',
    '-S --show-error',
    '-f --fail',
    '--fail-with-body',
    '--fail-early',
    '-L --location',
    '--no-location',
    '-i --include --show-headers',
    '-I --head',
    '-k --insecure',
    '-v --verbose',
    '-O --remote-name',
    '--remote-name-all',
    '-J --remote-header-name',
    '-g --globoff',
    '-G --get',
    '-# --progress-bar',
    '--no-progress-meter',
    '--compressed',
    '-4 --ipv4',
    '-6 --ipv6',
    '--http1.0 -0',
    '--http1.1',
    '--http2',
    '--http2-prior-knowledge',
    '--http3',
    '-N --no-buffer',
    '--tcp-nodelay',
    '--tcp-fastopen',
    '-n --netrc',
    '--netrc-optional',
    '--create-dirs',
    '-a --append',
    '--anyauth',
    '--basic',
    '--digest',
    '--negotiate',
    '--ntlm',
    '--retry-all-errors',
    '--retry-connrefused',
    '-Z --parallel',
    '--parallel-immediate',
    '-j --junk-session-cookies',
    '-l --list-only',
    '-1 --tlsv1',
    '--tlsv1.0',
    '--tlsv1.1',
    '--tlsv1.2',
    '--tlsv1.3',
    '-2 --sslv2',
    '-3 --sslv3',
    '--ssl',
    '--ssl-reqd',
    '--cert-status',
    '--path-as-is',
    '--raw',
    '--styled-output',
    '--no-styled-output',
    '-R --remote-time',
    '-q --disable',
    '-V --version',
    '--no-keepalive',
    '--disallow-username-in-url',
    '-: --next',
    '--post301',
    '--post302',
    '--post303',
    '--ftp-pasv',
    '--xattr',
    '-M --manual',
    '--skip-existing',
    '--no-clobber',
    '--ca-native',
    '--proxy-insecure',
    '--tr-encoding',
    '-p --proxytunnel',
    '--ignore-content-length',
  ),
  ...takes(
    'text',
    '-X --request',
    '-A --user-agent',
    '-e --referer',
    '-u --user',
    '-U --proxy-user',
    '-m --max-time',
    '--connect-timeout',
    '--retry',
    '--retry-delay',
    '--retry-max-time',
    '-r --range',
    '-C --continue-at',
    '--limit-rate',
    '-y --speed-time',
    '-Y --speed-limit',
    '-z --time-cond',
    '--max-filesize',
    '--max-redirs',
    '-w --write-out',
    '--request-target',
    '--ciphers',
    '--tls-max',
    '--tls13-ciphers',
    '--interface',
    '--local-port',
    '--keepalive-time',
    '--expect100-timeout',
    '--parallel-max',
    '--oauth2-bearer',
    '--aws-sigv4',
    '-t --telnet-option',
    '--delegation',
    '--proto',
    '--proto-default',
    '--proto-redir',
    '--rate',
    '--noproxy',
    '--pass',
    '--cert-type',
    '--key-type',
    '--pinnedpubkey',
    '-Q --quote',
    '--data-raw',
    '--form-string',
    '--url-query',
    '--happy-eyeballs-timeout-ms',
  ),
  ...takes(
    'text',
    '-d --data --data-ascii',
    '--data-binary',
    '--data-urlencode',
    '--json',
    '-H --header',
    '--proxy-header',
    '-F --form',
    '-T --upload-file',
    '-b --cookie',
    '-o --output',
    '--output-dir',
  ),
  ...takes(
    'write',
    '-c --cookie-jar',
    '-D --dump-header',
    '--trace',
    '--trace-ascii',
    '--stderr',
    '--etag-save',
    '--hsts',
    '--alt-svc',
    '--libcurl',
  ),
  ...takes(
    'read',
    '-E --cert',
    '--key',
    '--cacert',
    '--crlfile',
    '--netrc-file',
    '--etag-compare',
    '--proxy-cacert',
    '--proxy-cert',
    '--proxy-key',
    '--unix-socket',
    '--abstract-unix-socket',
  ),
  ...takes('read-tree', '--capath'),
  ...takes(
    'url',
    '--url',
    '-x --proxy',
    '--preproxy',
    '--socks4',
    '--socks4a',
    '--socks5',
    '--socks5-hostname',
    '--doh-url',
  ),
  ...takes('host', '--dns-servers', '--dns-ipv4-addr', '--dns-ipv6-addr'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--config` takes options, and with them files and hosts, from a file'),
    '-K --config',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`--engine` loads a library'), '--engine'),
  ...warnsTaking(
    opaqueEffect('unknown-option', '`--resolve` and `--connect-to` say which address a name has'),
    '--resolve',
    '--connect-to',
  ),
  ...warnsTaking(
    opaqueEffect('unknown-option', '`--variable` puts files into other options'),
    '--variable',
    '--expand-url',
    '--expand-data',
  ),
  ...warns(opaqueEffect('unknown-option', '`--ftp-create-dirs` makes directories on the server'), '--ftp-create-dirs'),
  ...maybe('text', '-h --help'),
];

/** Option values that are a file if they begin with `@` (or `<`), from curl(1). */
const refine: Refine = (parsed, context) => {
  const all = parsed.options.map((option) => ofOption(option.spec, option.value, context));
  const outputs = outputOf(parsed, context);
  return {
    reads: all.flatMap(({ reads }) => reads ?? []),
    opaque: [...all.flatMap(({ opaque: found }) => found ?? []), ...globs(parsed)],
    writes: outputs,
  };
};

const after =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.exec(text)?.[1];

const filePart = {
  '--data-ascii': after(/^@(.+)$/su),
  '--data-binary': after(/^@(.+)$/su),
  '--data-urlencode': after(/^[^=@]*@(.+)$/su),
  '--json': after(/^@(.+)$/su),
  '--header': after(/^@(.+)$/su),
  '--proxy-header': after(/^@(.+)$/su),
  '--form': after(/^[^=]*=[@<]"?([^";,]+)/su),
  '--upload-file': after(/^(.+)$/su),
  '--cookie': after(/^([^=]+)$/su),
};

const curl = tool('curl', { options, operands: each('url'), refine });

/** Without `-O` or `-P`, files go to the working directory under names from the URLs. */
const wgetWrites: Refine = (parsed, context) =>
  parsed.operands.length === 0 ||
  parsed.options.some(({ spec }) => spec.names.some((name) => ['-O', '-P', '--spider'].includes(name)))
    ? {}
    : { writes: [context.path(staticWord('.'), 'write', 'tree')] };

const wget = tool('wget', {
  options: [
    ...flags(
      '-q --quiet',
      '-v --verbose',
      '-n',
      '--no-verbose',
      '-c --continue',
      '-N --timestamping',
      '--no-check-certificate',
      '-r --recursive',
      '-k --convert-links',
      '-p --page-requisites',
      '-m --mirror',
      '--no-parent',
      '--no-clobber',
      '--no-directories',
      '-x --force-directories',
      '--no-host-directories',
      '-S --server-response',
      '--spider',
      '-4 --inet4-only',
      '-6 --inet6-only',
      '--content-disposition',
      '--trust-server-names',
      '--no-cache',
      '--no-cookies',
      '--no-proxy',
      '--show-progress',
      '-b --background',
      '-d --debug',
      '-E --adjust-extension',
      '-K --backup-converted',
      '--no-hsts',
      '--https-only',
      '--no-netrc',
      '-V --version',
      '-h --help',
      '--random-wait',
      '--no-dns-cache',
      '--no-config',
      '--delete-after',
      '-L --relative',
      '--keep-session-cookies',
    ),
    ...takes(
      'text',
      '-l --level',
      '-t --tries',
      '-T --timeout',
      '--dns-timeout',
      '--connect-timeout',
      '--read-timeout',
      '-w --wait',
      '--waitretry',
      '-Q --quota',
      '--limit-rate',
      '-U --user-agent',
      '--referer',
      '--header',
      '--user',
      '--password',
      '--post-data',
      '--method',
      '--body-data',
      '-A --accept',
      '-R --reject',
      '--accept-regex',
      '--reject-regex',
      '-I --include-directories',
      '-X --exclude-directories',
      '--cut-dirs',
      '--progress',
      '--max-redirect',
      '--restrict-file-names',
      '--secure-protocol',
      '--compression',
      '--http-user',
      '--http-password',
      '--retry-on-http-error',
      '--local-encoding',
      '--remote-encoding',
    ),
    ...takes(
      'write',
      '-O --output-document',
      '-o --output-file',
      '-a --append-output',
      '--save-cookies',
      '--warc-file',
      '--hsts-file',
      '--rejected-log',
    ),
    ...takes('write-tree', '-P --directory-prefix'),
    ...takes(
      'read',
      '--post-file',
      '--body-file',
      '--load-cookies',
      '--ca-certificate',
      '--certificate',
      '--private-key',
      '--crl-file',
    ),
    ...takes('program', '--use-askpass'),
    ...takes('text', '-D --domains', '--exclude-domains'),
    ...warnsTaking(
      opaqueEffect('dynamic-word', '`--input-file` takes URLs from a file'),
      '-i --input-file',
      '-B --base',
    ),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--execute` is a line of `.wgetrc`, which can name programs'),
      '-e --execute',
    ),
    ...warnsTaking(opaqueEffect('inline-code', '`--config` takes options from a file'), '--config'),
    ...warns(opaqueEffect('dynamic-word', '`--span-hosts` follows links to any host'), '-H --span-hosts'),
  ],
  operands: each('url'),
  refine: wgetWrites,
});

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
const scp = tool('scp', {
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

const sftp = tool('sftp', {
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

const rsyncFlags: readonly OptionSpec[] = flags(
  '-v --verbose',
  '-q --quiet',
  '-c --checksum',
  '-a --archive',
  '-r --recursive',
  '-R --relative',
  '-b --backup',
  '-u --update',
  '--inplace',
  '--append',
  '--append-verify',
  '-d --dirs',
  '-l --links',
  '-L --copy-links',
  '--copy-unsafe-links',
  '--safe-links',
  '-k --copy-dirlinks',
  '-K --keep-dirlinks',
  '-H --hard-links',
  '-p --perms',
  '-E --executability',
  '-A --acls',
  '-X --xattrs',
  '-o --owner',
  '-g --group',
  '--devices',
  '--specials',
  '-D',
  '-t --times',
  '-O --omit-dir-times',
  '-S --sparse',
  '-n --dry-run',
  '-W --whole-file',
  '-x --one-file-system',
  '--existing',
  '--ignore-existing',
  '--delete --del',
  '--delete-before',
  '--delete-during',
  '--delete-delay',
  '--delete-after',
  '--delete-excluded',
  '--ignore-errors',
  '--force',
  '--partial',
  '-P',
  '--progress',
  '--stats',
  '-z --compress',
  '-C --cvs-exclude',
  '-h --human-readable',
  '-i --itemize-changes',
  '-I --ignore-times',
  '--size-only',
  '-m --prune-empty-dirs',
  '--numeric-ids',
  '-y --fuzzy',
  '-8 --8-bit-output',
  '-4 --ipv4',
  '-6 --ipv6',
  '--no-owner',
  '--no-group',
  '--no-perms',
  '--no-times',
  '--no-links',
  '-s --protect-args --secluded-args',
  '-0 --from0',
  '-F',
  '--list-only',
  '--mkpath',
  '--no-motd',
  '--version',
  '--no-inc-recursive',
);

/** `--remove-source-files` deletes, `--rsh` and `--rsync-path` run, `--daemon` listens. */
const rsync = tool('rsync', {
  options: [
    ...rsyncFlags,
    ...takes(
      'text',
      '--exclude',
      '--include',
      '-f --filter',
      '--chmod',
      '--max-size',
      '--min-size',
      '--max-delete',
      '--bwlimit',
      '--timeout',
      '--contimeout',
      '-B --block-size',
      '--compress-level',
      '--compress-choice',
      '--suffix',
      '--modify-window',
      '--port',
      '--out-format',
      '--info',
      '--debug',
      '--chown',
      '--iconv',
      '--outbuf',
      '--skip-compress',
      '--sockopts',
      '-T --temp-dir',
      '--checksum-choice',
      '--stop-after',
    ),
    ...takes('read', '--exclude-from', '--include-from', '--files-from', '--password-file'),
    ...takes('read-tree', '--compare-dest', '--copy-dest', '--link-dest'),
    ...takes('write-tree', '--backup-dir', '--partial-dir'),
    ...takes('write', '--log-file', '--write-batch', '--only-write-batch'),
    ...takes('script', '-e --rsh', '--rsync-path'),
    ...takes('host', '--address'),
    ...warnsTaking(opaqueEffect('unknown-option', '`--read-batch` writes what a file says'), '--read-batch'),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--remote-option` gives options to the other side'),
      '-M --remote-option',
    ),
    ...warns(
      opaqueEffect('unknown-option', '`--remove-source-files` deletes what was copied'),
      '--remove-source-files',
    ),
    ...warns(
      opaqueEffect('inline-code', '`--daemon` listens, and its configuration runs programs'),
      '--daemon',
      '--server',
      '--sender',
    ),
  ],
  operands: inOrder([], 'remote', 'remote-write'),
  // With one operand rsync lists. The plan takes the only one for the last, which is stricter.
});

const transferTools: readonly ToolSpec[] = [wget, scp, sftp, rsync];

const ssh = tool('ssh slogin', {
  grammar: 'getopt-posix',
  options: [
    ...flags(
      '-4',
      '-6',
      '-A',
      '-a',
      '-C',
      '-f',
      '-G',
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

const keys: readonly ToolSpec[] = [
  tool('ssh-keygen', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-q', '-l', '-v', '-B', '-y', '-e', '-i', '-H'),
      ...takes('text', '-t', '-b', '-C', '-N', '-P', '-E', '-m', '-F', '-a'),
      ...takes('write', '-f'),
      ...warnsTaking(opaqueEffect('inline-code', '`-D` and `-w` load a library'), '-D', '-w'),
    ],
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
      ...flags('-l', '-L', '-D', '-d', '-q', '-x', '-X', '-v'),
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

const sshTools: readonly ToolSpec[] = [ssh, ...keys];

export const networkTools: readonly ToolSpec[] = [curl, ...transferTools, ...sshTools, ...socketTools];

function ofOption(spec: OptionSpec, value: Word | undefined, context: RefineContext): Refinement {
  const name = spec.names.at(-1) ?? '';
  if (value === undefined || !(name in filePart)) return {};
  const text = plainText(value);
  if (text === undefined)
    return {
      opaque: [
        { kind: 'dynamic-word', message: `\`${wordAsTyped(value)}\` of \`${name}\` may name a file`, span: value.span },
      ],
    };
  const file = filePart[name as keyof typeof filePart](text);
  return file === undefined || file === '-' || file === '.'
    ? {}
    : { reads: [context.path(staticWord(file, value.span), 'read', 'file')] };
}

/** `-O` writes a name from the URL, in the working directory or in that of `--output-dir`. */
function outputOf(parsed: ParsedArguments, context: RefineContext): NonNullable<Refinement['writes']> {
  const valueOf = (name: string) =>
    parsed.options.flatMap(({ spec, value }) => (spec.names.includes(name) && value !== undefined ? [value] : []));
  const directory = valueOf('--output-dir').at(-1);
  const named = valueOf('--output').filter((word) => plainText(word) !== '-');
  const isRemoteNamed = parsed.options.some(
    ({ spec }) => spec.names.includes('--remote-name') || spec.names.includes('--remote-name-all'),
  );
  if (directory !== undefined)
    return [
      context.path(directory, 'write', 'tree'),
      ...named.filter((word) => wordAsTyped(word).includes('..')).map((word) => context.path(word, 'write', 'file')),
    ];
  return [
    ...named.map((word) => context.path(word, 'write', 'file')),
    ...(isRemoteNamed ? [context.path(staticWord('.'), 'write', 'tree')] : []),
  ];
}

/** `http://{a,b}.example.com`: curl expands this to several URLs. */
function globs(parsed: ParsedArguments): NonNullable<Refinement['opaque']> {
  const isOff = parsed.options.some(({ spec }) => spec.names.includes('--globoff'));
  return parsed.operands
    .filter((word) => !isOff && /^[^/]*:\/\/[^/]*[{[]/u.test(wordAsTyped(word)))
    .map((word) => ({
      kind: 'dynamic-word',
      message: `\`${wordAsTyped(word)}\` names several hosts`,
      span: word.span,
    }));
}

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
