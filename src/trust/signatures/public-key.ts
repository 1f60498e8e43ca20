import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Ed25519Signer, strictBase64, unusableKey } from './verify-bundle.ts';

export type PublicKey = Pick<Ed25519Signer, 'key' | 'id'>;

/**
 * A public key of minisign (two lines) or a PEM of Ed25519. Throws `HF_USAGE` for others, and for keys under which
 * anybody could sign.
 */
export function parsePublicKey(text: string): PublicKey {
  const found = text.startsWith('untrusted comment:') ? minisignKey(text) : pemKey(text);
  if (isOfSmallOrder(Buffer.from(found.key, 'base64')))
    throw unusableKey('it has a small order, so that signatures under it can be made by anybody');
  return found;
}

/** RFC 8410, section 4: what stands before the 32 bytes of an Ed25519 key. */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

export function keyObject({ key }: PublicKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([spkiHead, Buffer.from(key, 'base64')]), format: 'der', type: 'spki' });
}

/** `Ed`, eight bytes of a name, 32 of the key: https://jedisct1.github.io/minisign/ */
function minisignKey(text: string): PublicKey {
  const [, line = '', ...more] = text.trimEnd().split(/\r?\n/u);
  const bytes = strictBase64(line);
  if (more.length > 0 || bytes?.length !== 42 || bytes.toString('latin1', 0, 2) !== 'Ed')
    throw unusableKey('it is no public key of minisign');
  return { key: bytes.toString('base64', 10), id: bytes.toString('hex', 2, 10) };
}

function pemKey(text: string): PublicKey {
  // A private key would be taken for its public half, and be named here by mistake.
  if (!/^-----BEGIN PUBLIC KEY-----\r?\n/u.test(text)) throw unusableKey('it is no PEM of a public key');
  let object: KeyObject;
  try {
    object = createPublicKey({ key: text, format: 'pem' });
  } catch (cause) {
    throw unusableKey('it is damaged', cause);
  }
  if (object.asymmetricKeyType !== 'ed25519')
    throw unusableKey(`it is of ${object.asymmetricKeyType ?? 'an unknown kind'}, not of Ed25519`);
  return { key: object.export({ format: 'der', type: 'spki' }).toString('base64', spkiHead.length) };
}

/**
 * The encodings of points whose order divides eight, the sign left out. Under such a key one signature can hold for
 * many texts.
 * https://github.com/jedisct1/libsodium/blob/1.0.20-RELEASE/src/libsodium/crypto_core/ed25519/ref10/ed25519_ref10.c
 * (`ge25519_has_small_order`)
 */
export const smallOrders: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

function isOfSmallOrder(key: Buffer): boolean {
  const unsigned = Buffer.from(key);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return smallOrders.includes(unsigned.toString('hex'));
}
