import { createHash, verify } from 'node:crypto';
import { readBelow } from '../discover/open-below.ts';
import { bytesAsShown } from '../store/approvals-of.ts';
import type { FoundFile } from '../types.ts';
import { keyObject, type PublicKey } from './public-key.ts';
import { isBundledBy, strictBase64, type TrustedSigner } from './verify-bundle.ts';

/**
 * The first of these signers whose signature lies beside a file, over exactly the bytes that were found. A signature is
 * of one file: one that names scripts has none that counts.
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

/** Bytes: bundles have about ten thousand. */
const longest = 1 << 20;

function besides(root: string, path: string): readonly Uint8Array[] {
  const read = readBelow(root, path, longest);
  return read.kind === 'refused' ? [] : [read.bytes];
}

interface Signed {
  readonly content: Uint8Array;
  /** What lies in `FILE.minisig` or `FILE.sig`. */
  readonly signature: Uint8Array;
}

/**
 * Whether a detached signature is by this key over these bytes. By a key of minisign it is one of minisign; by another
 * 64 bytes as
 * `openssl pkeyutl -sign -rawin` makes them, or these in base64. Anything else is none; OpenSSL refuses an S that is
 * not reduced
 * (RFC 8032, section 5.1.7).
 */
export function isSignedBy(key: PublicKey, { content, signature }: Signed): boolean {
  const text = Buffer.from(signature).toString('latin1');
  if (text.startsWith('untrusted comment:')) return isMinisigned(key, content, text);
  // Attack: minisign signs digests and comments too, and these signatures, taken as plain ones, would approve a file
  // made of those.
  if (key.id !== undefined) return false;
  const bytes = signature.length === signatureLength ? signature : strictBase64(text.replace(/\r?\n$/u, ''));
  return bytes?.length === signatureLength && verify(null, content, keyObject(key), bytes);
}

const signatureLength = 64;

/**
 * Four lines: a comment, `ED` or `Ed` with the key's name and the signature, a trusted comment, and a signature over
 * both.
 * `ED` signs the BLAKE2b-512 of the content. https://jedisct1.github.io/minisign/#signature-format
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
  // Attack: nothing that is signed says which algorithm it was, and `Ed` over the 64 bytes of a digest is what `ED`
  // signs of the file.
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
