import { readBelow } from '../discover/open-below.ts';
import { bytesAsShown } from '../store/approvals-of.ts';
import type { FoundFile } from '../types.ts';
import type { TrustedSigner } from './types.ts';
import { isBundledBy } from './verify-bundle.ts';
import { isSignedBy } from './verify-detached.ts';

/**
 * The first of these signers whose signature lies beside a file, over exactly the bytes that were found. A signature is of
 * one file: one that names scripts has none that counts.
 */
export function signerOf(root: string, found: FoundFile, signers: readonly TrustedSigner[]): TrustedSigner | undefined {
  if (signers.length === 0 || found.sha256 === '' || found.scripts.some(({ sha256 }) => sha256 !== undefined)) return undefined;
  const path = found.target ?? found.path;
  const signatures = { ed25519: ['.minisig', '.sig'].flatMap((ending) => besides(root, `${path}${ending}`)), sigstore: besides(root, `${path}.sigstore.json`) };
  if (signatures.ed25519.length === 0 && signatures.sigstore.length === 0) return undefined;
  const content = bytesAsShown(root, { path, sha256: found.sha256 });
  return signers.find((signer) => signatures[signer.kind].some((signature) => (signer.kind === 'ed25519' ? isSignedBy(signer, { content, signature }) : isBundledBy(signer, content, signature))));
}

/** Bytes: bundles have about ten thousand. */
const longest = 1 << 20;

function besides(root: string, path: string): readonly Uint8Array[] {
  const read = readBelow(root, path, longest);
  return read.kind === 'refused' ? [] : [read.bytes];
}
