import type { Word } from '../../types.ts';
import { each, flags, opaqueEffect, takes, tool, warns, warnsTaking } from '../notation.ts';
import type { OptionSpec, ParsedArguments, Refine, RefineContext, Refinement } from '../types.ts';
import { mayBeSeveral, wordAsTyped, staticWord, plainText } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

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
  // Behind it stands a subject.
  { names: ['-h', '--help'], value: 'optional', operands: each('text') },
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

export const curl = tool('curl', { options, operands: each('url'), refine });

/** One word, which begins with something else than `@`, or an expansion. */
const isLiteral = (word: Word): boolean => !mayBeSeveral(word) && /^"?[^"@$`\\'<{*?~]/u.test(wordAsTyped(word));

function ofOption(spec: OptionSpec, value: Word | undefined, context: RefineContext): Refinement {
  const name = spec.names.at(-1) ?? '';
  if (value === undefined || !(name in filePart)) return {};
  const text = plainText(value);
  // `-H "Authorization: Bearer $T"`: a value that begins otherwise names no file.
  if (text === undefined && /^--(?:proxy-)?header$|^--data-(?:ascii|binary)$|^--json$/u.test(name) && isLiteral(value))
    return {};
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
  const isOff = hasOption(parsed, '--globoff');
  return parsed.operands
    .filter((word) => !isOff && /^[^/]*:\/\/[^/]*[{[]/u.test(wordAsTyped(word)))
    .map((word) => ({
      kind: 'dynamic-word',
      message: `\`${wordAsTyped(word)}\` names several hosts`,
      span: word.span,
    }));
}
