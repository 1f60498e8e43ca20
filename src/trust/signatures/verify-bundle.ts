import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { HoldfastError } from '../../errors/index.ts';
import { readBelow } from '../discover/open-below.ts';
import { bytesAsShown } from '../store/approvals-of.ts';
import type { FoundFile } from '../types.ts';

/** A signer that someone trusts, for the files of one workspace. */
export type TrustedSigner = Ed25519Signer | SigstoreSigner;

interface Named {
  /** The user's name for the signer. Unique within a workspace. */
  readonly name: string;
  /** Real path. */
  readonly workspace: string;
}

export interface Ed25519Signer extends Named {
  readonly kind: 'ed25519';
  /** 32 bytes, base64. RFC 8032. */
  readonly key: string;
  /** Eight bytes in hexadecimal, for a key made by minisign. Its signatures name their key. */
  readonly id?: string;
}

export interface SigstoreSigner extends Named {
  readonly kind: 'sigstore';
  /** The whole subject of the certificate: a mail address, or the URI of a workflow. */
  readonly identity: string;
  /** URL of the issuer that vouches for the identity. */
  readonly issuer: string;
  /** JSON of the trust root: certificates and keys of Fulcio, Rekor and time stamps. */
  readonly trustedRoot: string;
}

/**
 * Returns whether this identity signed these bytes with this Sigstore bundle. Its certificate must lead to the trust
 * root, and must have been valid at a time that a log or a time-stamp authority confirms. The log must have the bundle.
 * Uses no network.
 */
export function isBundledBy(
  { identity, issuer, trustedRoot }: SigstoreSigner,
  content: Uint8Array,
  bundle: Uint8Array,
): boolean {
  try {
    const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot))));
    // The package reads an identity as a pattern, in which `.` would match any character.
    const signer = verifier.verify(
      toSignedEntity(bundleFromJSON(JSON.parse(Buffer.from(bundle).toString())), Buffer.from(content)),
    );
    return signer.identity?.subjectAlternativeName === identity && signer.identity.extensions?.issuer === issuer;
  } catch {
    // A signature with any fault does not count.
    return false;
  }
}

/** Throws `HF_USAGE` for an invalid trust root, or one without any authority. */
export function checkTrustedRoot(text: string): void {
  let root: TrustedRoot;
  try {
    root = TrustedRoot.fromJSON(JSON.parse(text));
  } catch (cause) {
    throw unusableKey('its trust root is not JSON of Sigstore', cause);
  }
  if (root.certificateAuthorities.length === 0) throw unusableKey('its trust root has no certificate authority');
}

/**
 * Decodes base64. Undefined if another text decodes to the same bytes: two texts of one signature would look like two
 * signatures. RFC 4648, section 3.5.
 */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function unusableKey(why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_USAGE', `the key cannot be used: ${why}`, {
    remedy: 'name a public key: of minisign, or of Ed25519 in PEM as `openssl pkey -pubout` writes it',
    ...(cause === undefined ? {} : { cause }),
  });
}

export type PublicKey = Pick<Ed25519Signer, 'key' | 'id'>;

/**
 * Parses a public key of minisign (two lines) or a PEM of Ed25519. Throws `HF_USAGE` for others, and for keys under
 * which anyone could sign.
 */
export function parsePublicKey(text: string): PublicKey {
  const found = text.startsWith('untrusted comment:') ? minisignKey(text) : pemKey(text);
  if (isOfSmallOrder(Buffer.from(found.key, 'base64')))
    throw unusableKey('it has a small order, so anyone can make signatures under it');
  return found;
}

/** RFC 8410, section 4: the bytes before the 32 bytes of an Ed25519 key. */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

function keyObject({ key }: PublicKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([spkiHead, Buffer.from(key, 'base64')]), format: 'der', type: 'spki' });
}

/** `Ed`, eight bytes of key ID, 32 bytes of key: https://jedisct1.github.io/minisign/ */
function minisignKey(text: string): PublicKey {
  const [, line = '', ...more] = text.trimEnd().split(/\r?\n/u);
  const bytes = strictBase64(line);
  if (more.length > 0 || bytes?.length !== 42 || bytes.toString('latin1', 0, 2) !== 'Ed')
    throw unusableKey('it is not a public key of minisign');
  return { key: bytes.toString('base64', 10), id: bytes.toString('hex', 2, 10) };
}

function pemKey(text: string): PublicKey {
  // Otherwise Node would accept a private key, and use its public half.
  if (!/^-----BEGIN PUBLIC KEY-----\r?\n/u.test(text)) throw unusableKey('it is not a PEM of a public key');
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
 * The encodings of points whose order divides eight, without the sign. Under such a key one signature can hold for many
 * texts.
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

/**
 * Returns the first of these signers with a signature beside a file, over exactly the found bytes. A signature covers
 * one file, so it does not count for a file that names scripts.
 */
export function signerOf(root: string, found: FoundFile, signers: readonly TrustedSigner[]): TrustedSigner | undefined {
  if (signers.length === 0 || found.sha256 === '' || found.scripts.some(({ sha256 }) => sha256 !== undefined))
    return undefined;
  const path = found.target ?? found.path;
  const signatures = {
    ed25519: ['.minisig', '.sig'].flatMap((ending) => besides(root, `${path}${ending}`)),
    sigstore: besides(root, `${path}.sigstore.json`),
  };
  if (signatures.ed25519.length === 0 && signatures.sigstore.length === 0) return undefined;
  const content = bytesAsShown(root, { path, sha256: found.sha256 });
  return signers.find((signer) =>
    signatures[signer.kind].some((signature) =>
      signer.kind === 'ed25519' ? isSignedBy(signer, { content, signature }) : isBundledBy(signer, content, signature),
    ),
  );
}

/** Bytes. Bundles have about ten thousand. */
const longest = 1 << 20;

function besides(root: string, path: string): readonly Uint8Array[] {
  const read = readBelow(root, path, longest);
  return read.kind === 'refused' ? [] : [read.bytes];
}

interface Signed {
  readonly content: Uint8Array;
  /** Content of `FILE.minisig` or `FILE.sig`. */
  readonly signature: Uint8Array;
}

/**
 * Returns whether a detached signature is by this key over these bytes. A minisign key needs a minisign signature.
 * Another key needs 64 bytes as `openssl pkeyutl -sign -rawin` makes them, raw or in base64. OpenSSL refuses an S that
 * is not reduced (RFC 8032, section 5.1.7).
 */
export function isSignedBy(key: PublicKey, { content, signature }: Signed): boolean {
  const text = Buffer.from(signature).toString('latin1');
  if (text.startsWith('untrusted comment:')) return isMinisigned(key, content, text);
  // Attack: minisign also signs digests and comments. As plain signatures, these would approve a file with that
  // content.
  if (key.id !== undefined) return false;
  const bytes = signature.length === signatureLength ? signature : strictBase64(text.replace(/\r?\n$/u, ''));
  return bytes?.length === signatureLength && verify(null, content, keyObject(key), bytes);
}

const signatureLength = 64;

/**
 * Four lines: a comment, `ED` or `Ed` with the key's ID and the signature, a trusted comment, and a signature over
 * both. `ED` signs the BLAKE2b-512 of the content. https://jedisct1.github.io/minisign/#signature-format
 */
function isMinisigned(key: PublicKey, content: Uint8Array, text: string): boolean {
  const [, first = '', trusted = '', last = '', ...more] = text.replace(/\r?\n$/u, '').split(/\r?\n/u);
  const line = strictBase64(first);
  const global = strictBase64(last);
  if (
    more.length > 0 ||
    line?.length !== 10 + signatureLength ||
    global?.length !== signatureLength ||
    !trusted.startsWith(trustedPrefix)
  )
    return false;
  const [algorithm, id, signature] = [line.toString('latin1', 0, 2), line.toString('hex', 2, 10), line.subarray(10)];
  if (key.id !== id || (algorithm !== 'ED' && algorithm !== 'Ed')) return false;
  // Attack: the signed bytes do not name the algorithm. An `ED` signature of a file is also an `Ed` signature over the
  // 64 bytes of its digest.
  if (algorithm === 'Ed' && content.length === digestLength) return false;
  const object = keyObject(key);
  const message = algorithm === 'ED' ? createHash('blake2b512').update(content).digest() : content;
  return (
    verify(null, message, object, signature) &&
    verify(null, Buffer.concat([signature, Buffer.from(trusted.slice(trustedPrefix.length), 'latin1')]), object, global)
  );
}

/** Bytes of BLAKE2b-512. */
const digestLength = 64;
const trustedPrefix = 'trusted comment: ';
