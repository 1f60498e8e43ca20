import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { unusableKey } from './failure.ts';
import type { SigstoreSigner } from './types.ts';

/**
 * Whether a Sigstore bundle is by this identity over these bytes: its certificate leads to the trust root, it was valid at a time
 * that a log or a time-stamp authority vouches for, and the log has it. Nothing is asked over the network.
 */
export function isBundledBy({ identity, issuer, trustedRoot }: SigstoreSigner, content: Uint8Array, bundle: Uint8Array): boolean {
  try {
    const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot))));
    // The package takes an identity for a pattern: `.` in one would stand for any character.
    const signer = verifier.verify(toSignedEntity(bundleFromJSON(JSON.parse(Buffer.from(bundle).toString())), Buffer.from(content)));
    return signer.identity?.subjectAlternativeName === identity && signer.identity.extensions?.issuer === issuer;
  } catch {
    // Whatever it is that is wrong with a signature, it is none.
    return false;
  }
}

/** Throws `HF_USAGE` for a text that is no trust root, or one that vouches for nobody. */
export function checkTrustedRoot(text: string): void {
  let root: TrustedRoot;
  try {
    root = TrustedRoot.fromJSON(JSON.parse(text));
  } catch (cause) {
    throw unusableKey('its trust root is no JSON of Sigstore', cause);
  }
  if (root.certificateAuthorities.length === 0) throw unusableKey('its trust root has no certificate authority');
}
