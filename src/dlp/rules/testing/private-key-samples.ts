import { chars } from './material.ts';
import type { Samples } from '../types.ts';

const data = chars('lower-base36', 200)
  .replaceAll(/[1bio]/gu, '')
  .slice(0, 52);

/** The checksum of `data` by BIP 173. */
const checksum = '4gasrq';

export const ageSamples: Samples = {
  found: [
    {
      why: 'with its checksum',
      text: `age-secret-key-1${data}${checksum}`.toUpperCase(),
    },
  ],
  ignored: [
    { why: 'its checksum is another one', text: `age-secret-key-1${data}qqqqqq`.toUpperCase() },
    { why: 'in lower case', text: `age-secret-key-1${data}${checksum}` },
    { why: 'only its beginning', text: 'AGE-SECRET-KEY-1' },
  ],
};

const dashes = '-----';

function key(kind: string, length: number, lineEnd = '\n'): string {
  const lines = chars('base64', length, kind).match(/.{1,64}/gu) ?? [];
  return [`${dashes}BEGIN ${kind}${dashes}`, ...lines, `${dashes}END ${kind}${dashes}`].join(lineEnd);
}

export const samples: Samples = {
  found: [
    ...[
      'PRIVATE KEY',
      'RSA PRIVATE KEY',
      'EC PRIVATE KEY',
      'DSA PRIVATE KEY',
      'OPENSSH PRIVATE KEY',
      'ENCRYPTED PRIVATE KEY',
      'PGP PRIVATE KEY BLOCK',
    ].map((kind) => ({ why: kind, text: key(kind, 800) })),
    { why: 'of Ed25519', text: key('PRIVATE KEY', 64) },
    { why: 'in a string of JSON', before: '{"private_key": "', text: key('PRIVATE KEY', 1600, '\\n'), after: '\\n"}' },
    { why: 'with ends of lines of Windows', text: key('RSA PRIVATE KEY', 800, '\r\n') },
    { why: 'added in a diff', before: '+', text: key('RSA PRIVATE KEY', 800, '\n+') },
    { why: 'indented in YAML', before: 'key: |\n    ', text: key('PRIVATE KEY', 800, '\n    ') },
    {
      why: 'put together in source code',
      before: "key = '",
      text: key('PRIVATE KEY', 800, "\\n' +\n  '"),
      after: "';",
    },
    {
      why: 'protected by a password',
      text: key('RSA PRIVATE KEY', 800).replace(
        'KEY-----\n',
        `KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${chars('hex', 32)}\n\n`,
      ),
    },
    { why: 'without its end', before: 'x ', text: key('EC PRIVATE KEY', 200).slice(0, 190), after: '…' },
  ],
  ignored: [
    { why: 'a public key', text: key('PUBLIC KEY', 400) },
    { why: 'a certificate', text: key('CERTIFICATE', 800) },
    {
      why: 'dots in place of a key',
      text: `${dashes}BEGIN PRIVATE KEY${dashes}\n...\n${dashes}END PRIVATE KEY${dashes}`,
    },
    {
      why: 'source code that looks for one',
      text: `if (text.includes('${dashes}BEGIN RSA PRIVATE KEY${dashes}')) return readKey(text);`,
    },
    { why: 'too short for a key', text: key('PRIVATE KEY', 36) },
    {
      why: 'a placeholder',
      text: `${dashes}BEGIN PRIVATE KEY${dashes}\n${'x'.repeat(64)}\n${dashes}END PRIVATE KEY${dashes}`,
    },
  ],
};

const lines = [chars('base64', 64, 'a'), chars('base64', 64, 'b'), `${chars('base64', 43)}=`];

export const puttySamples: Samples = {
  found: [
    {
      why: 'in its file',
      before: 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
      text: `Private-Lines: 3\n${lines.join('\n')}\n`,
      after: 'Private-MAC: 0\n',
    },
    {
      why: 'within a string',
      before: '"',
      text: `Private-Lines: 3\\n${lines.join('\\n')}\\n`,
      after: 'Private-MAC: 0"',
    },
  ],
  ignored: [
    { why: 'a public part', text: `Public-Lines: 3\n${lines.join('\n')}\n` },
    { why: 'no key stands in it', text: 'Private-Lines: 1\nnone\n' },
  ],
};

const wireguardKey = `${chars('base64', 43)}=`;

export const wireguardSamples: Samples = {
  found: [
    { why: 'of an interface', before: '[Interface]\nPrivateKey = ', text: wireguardKey },
    { why: 'of two peers', before: 'PresharedKey=', text: wireguardKey },
  ],
  ignored: [
    { why: 'a public key', before: 'PublicKey = ', text: wireguardKey },
    { why: 'a placeholder', before: 'PrivateKey = ', text: `${'x'.repeat(43)}=` },
    { why: 'a call in source code', before: 'PrivateKey = ', text: 'loadPrivateKeyFromFile(path)' },
  ],
};
