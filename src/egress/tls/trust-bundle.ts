import type { HostTrustFile } from './host-trust.ts';
import { certificatesIn, holdsCertificate } from './pem.ts';
import { trustStore } from './pkcs12.ts';

/** A file to mount into the box. */
export interface TrustFile {
  /** In the box, links followed. */
  readonly target: string;
  readonly content: Uint8Array;
}

/** Everything a box needs to believe the session's authority. */
export interface TrustBundle {
  /** Over each of the host's trust files: what stood there, and the authority. */
  readonly replacements: readonly TrustFile[];
  /** For the variables of `trustVariables`, wherever the session puts them. */
  readonly bundle: Uint8Array;
  readonly authority: Uint8Array;
  readonly java: Uint8Array;
}

/**
 * Adds the session's authority to what the host trusts. Pure. `roots` are asked for, and stand for the host's, where it has no bundle at all:
 * without them, the variables would leave the box with nobody else to believe.
 */
export function trustBundle(authorityPem: string, files: readonly HostTrustFile[], roots: () => readonly string[]): TrustBundle {
  const bundle = withAuthority(bundleOf(files) ?? roots().join('\n'), authorityPem);
  const java = trustStore(certificatesIn(bundle));
  return { replacements: replacements(authorityPem, files, java), bundle: text(bundle), authority: text(authorityPem), java };
}

/** One file for each of the host's: PEM bundles with the authority at their end, and for Java's stores one of the same authorities. */
export function trustFiles(authorityPem: string, files: readonly HostTrustFile[]): readonly TrustFile[] {
  return trustBundle(authorityPem, files, () => []).replacements;
}

function replacements(authorityPem: string, files: readonly HostTrustFile[], java: Uint8Array): readonly TrustFile[] {
  return files.map(({ target, format, content }) => ({ target, content: format === 'java' ? java : text(withAuthority(content, authorityPem)) }));
}

function bundleOf(files: readonly HostTrustFile[]): string | undefined {
  return files.find(({ format, content }) => format === 'pem' && holdsCertificate(content))?.content;
}

function withAuthority(bundle: string, authorityPem: string): string {
  return bundle === '' || bundle.endsWith('\n') ? bundle + authorityPem : `${bundle}\n${authorityPem}`;
}

function text(content: string): Uint8Array {
  return Buffer.from(content, 'utf8');
}
