import { each, fetchesUrls, toolFamily, flags, opaqueEffect, takes, tool, warnsTaking } from '../notation.ts';
import { runsInputWhenBare } from '../languages/runs-input.ts';
import { hasOption, optionValues } from '../parsed-options.ts';
import type { Word } from '../../types.ts';
import type { Refine } from '../types.ts';
import { staticWord } from '../words.ts';

const certificate = [
  ...flags(
    '-text',
    '-noout',
    '-info',
    '-nokeys',
    '-nocerts',
    '-clcerts',
    '-cacerts',
    '-legacy',
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
    '-print_certs',
    '-nocrl',
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

/** A request without a key gets a new one. Without `-keyout`, its file has this name. */
const newKey: Refine = (parsed, { path }) => {
  const makesKey = hasOption(parsed, '-newkey') || (hasOption(parsed, '-new', '-x509') && !hasOption(parsed, '-key'));
  return makesKey && !hasOption(parsed, '-keyout')
    ? { writes: [path(staticWord('privkey.pem'), 'write', 'file')] }
    : {};
};

/** It counts serial numbers in a file beside the authority's certificate. */
const serial: Refine = (parsed, { path }) => ({
  writes: optionValues(parsed, '-CA', '--CA').map((word) => path(besides(word), 'write', 'tree')),
});

const besides = (word: Word): Word => (word.kind === 'static' ? { ...word, value: `${word.value}/..` } : word);

export const openssl = toolFamily(
  'openssl',
  [
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
    tool('req', {
      grammar: 'long',
      options: [...certificate, ...loads],
      operands: each('read'),
      refine: (parsed, context) => ({ ...newKey(parsed, context), ...fetchesUrls(parsed, context) }),
    }),
    tool('x509', {
      grammar: 'long',
      options: [...certificate, ...loads],
      operands: each('read'),
      refine: (parsed, context) => ({ ...serial(parsed, context), ...fetchesUrls(parsed, context) }),
    }),
    // Proved with OpenSSL 3: certificates and lists of revoked ones may be at `http://`.
    tool('crl verify', {
      grammar: 'long',
      options: [...certificate, ...loads],
      operands: each('read'),
      refine: fetchesUrls,
    }),
    tool('rsa ec pkey pkcs7 crl2pkcs7 pkcs12 pkcs8 genrsa genpkey ecparam rand passwd asn1parse', {
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
  ],
  { refine: runsInputWhenBare() },
);
