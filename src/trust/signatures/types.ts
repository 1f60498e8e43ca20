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
