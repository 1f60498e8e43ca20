import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { HoldfastError } from '../../errors/index.ts';

/** Whose signature somebody trusts, for the files of one workspace. */
export type TrustedSigner = Ed25519Signer | SigstoreSigner;

interface Named {
  /** What the user calls it. Unique within a workspace. */
  readonly name: string;
  /** Real path. */
  readonly workspace: string;
}

export interface Ed25519Signer extends Named {
  readonly kind: 'ed25519';
  /** 32 bytes, base64. RFC 8032. */
  readonly key: string;
  /** Eight bytes in hexadecimal, of a key that minisign made: its signatures say which key they are by. */
  readonly id?: string;
}

export interface SigstoreSigner extends Named {
  readonly kind: 'sigstore';
  /** The whole subject of the certificate: a mail address, or the URI of a workflow. */
  readonly identity: string;
  /** URL of who vouched for that identity. */
  readonly issuer: string;
  /** JSON of the trust root: certificates and keys of Fulcio, Rekor and time stamps. */
  readonly trustedRoot: string;
}

/**
 * Whether a Sigstore bundle is by this identity over these bytes: its certificate leads to the trust root, it was valid
 * at a time that a log or a time-stamp authority vouches for, and the log has it. Nothing is asked over the network.
 */
export function isBundledBy(
  { identity, issuer, trustedRoot }: SigstoreSigner,
  content: Uint8Array,
  bundle: Uint8Array,
): boolean {
  try {
    const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot))));
    // The package takes an identity for a pattern: `.` in one would stand for any character.
    const signer = verifier.verify(
      toSignedEntity(bundleFromJSON(JSON.parse(Buffer.from(bundle).toString())), Buffer.from(content)),
    );
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

/**
 * The bytes of a base64 text, or undefined where another text could be made of them: two texts of one signature would
 * look like two. RFC 4648, section 3.5.
 */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

export function unusableKey(why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_USAGE', `the key cannot be used: ${why}`, {
    remedy: 'name a public key: of minisign, or of Ed25519 in PEM as `openssl pkey -pubout` writes it',
    ...(cause === undefined ? {} : { cause }),
  });
}
