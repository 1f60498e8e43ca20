import type { HostTrustFile } from './host-trust.ts';
import { certificatesIn, holdsCertificate } from './pem.ts';
import { storeBags, trustStore, type StoreBags } from './pkcs12.ts';

/** A file to mount into the box. */
export interface TrustFile {
  /** In the box, links followed. */
  readonly target: string;
  /** Text, or the bytes of a store. */
  readonly content: string | Uint8Array;
}

/** Everything a box needs to believe the session's authority. */
export interface TrustBundle {
  /** Over each of the host's trust files: what stood there, and the authority. */
  readonly replacements: readonly TrustFile[];
  /** For the variables of `trustVariables`, wherever the session puts them. */
  readonly bundle: string;
  readonly authority: string;
  readonly java: Uint8Array;
}

/**
 * Adds the session's authority to what the host trusts. Pure. `roots` are asked for, and stand for the host's, where it has no bundle at all:
 * without them, the variables would leave the box with nobody else to believe.
 */
export function trustBundle(authorityPem: string, files: readonly HostTrustFile[], roots: () => readonly string[]): TrustBundle {
  const host = bundleOf(files) ?? roots().join('\n');
  const java = javaStore(host, authorityPem);
  return { replacements: replacements(authorityPem, files, java), bundle: withAuthority(host, authorityPem), authority: authorityPem, java };
}

/** Of the same bundle as last time the greater part is there already: a supervisor makes such a store for each session. */
function javaStore(host: string, authorityPem: string): Uint8Array {
  if (lastHost?.text !== host) lastHost = { text: host, bags: storeBags(certificatesIn(host)) };
  return trustStore(lastHost.bags, certificatesIn(authorityPem));
}

let lastHost: { readonly text: string; readonly bags: StoreBags } | undefined;

/** One file for each of the host's: PEM bundles with the authority at their end, and for Java's stores one of the same authorities. */
function replacements(authorityPem: string, files: readonly HostTrustFile[], java: Uint8Array): readonly TrustFile[] {
  return files.map(({ target, format, content }) => ({ target, content: format === 'java' ? java : withAuthority(content, authorityPem) }));
}

function bundleOf(files: readonly HostTrustFile[]): string | undefined {
  return files.find(({ format, content }) => format === 'pem' && holdsCertificate(content))?.content;
}

function withAuthority(bundle: string, authorityPem: string): string {
  return bundle === '' || bundle.endsWith('\n') ? bundle + authorityPem : `${bundle}\n${authorityPem}`;
}
