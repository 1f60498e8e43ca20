import { type Der, der } from './der.ts';
import { certificatesIn, holdsCertificate, type HostTrustFile } from './host-trust.ts';

/** A file to mount into the box. */
export interface TrustFile {
  /** In the box, links followed. */
  readonly target: string;
  /** Text, or the bytes of a store. */
  readonly content: string | Uint8Array;
}

/** Everything a box needs to believe the session's authority. */
interface TrustBundle {
  /** Over each of the host's trust files: what stood there, and the authority. */
  readonly replacements: readonly TrustFile[];
  /** For the variables of `trustVariables`, wherever the session puts them. */
  readonly bundle: string;
  readonly authority: string;
  readonly java: Uint8Array;
}

/**
 * Adds the session's authority to what the host trusts. Pure. `roots` are asked for, and stand for the host's, where it
 * has no bundle at all: without them, the variables would leave the box with nobody else to believe.
 */
export function trustBundle(
  authorityPem: string,
  files: readonly HostTrustFile[],
  roots: () => readonly string[],
): TrustBundle {
  const host = bundleOf(files) ?? roots().join('\n');
  const java = javaStore(host, authorityPem);
  return {
    replacements: replacements(authorityPem, files, java),
    bundle: withAuthority(host, authorityPem),
    authority: authorityPem,
    java,
  };
}

/**
 * Of the same bundle as last time the greater part is there already: a supervisor makes such a store for each session.
 */
function javaStore(host: string, authorityPem: string): Uint8Array {
  if (lastHost?.text !== host) lastHost = { text: host, bags: storeBags(certificatesIn(host)) };
  return trustStore(lastHost.bags, certificatesIn(authorityPem));
}

let lastHost: { readonly text: string; readonly bags: StoreBags } | undefined;

/**
 * One file for each of the host's: PEM bundles with the authority at their end, and for Java's stores one of the same
 * authorities.
 */
function replacements(authorityPem: string, files: readonly HostTrustFile[], java: Uint8Array): readonly TrustFile[] {
  return files.map(({ target, format, content }) => ({
    target,
    content: format === 'java' ? java : withAuthority(content, authorityPem),
  }));
}

function bundleOf(files: readonly HostTrustFile[]): string | undefined {
  return files.find(({ format, content }) => format === 'pem' && holdsCertificate(content))?.content;
}

function withAuthority(bundle: string, authorityPem: string): string {
  return bundle === '' || bundle.endsWith('\n') ? bundle + authorityPem : `${bundle}\n${authorityPem}`;
}

/** PKCS #12 (RFC 7292) and PKCS #9. */
const data = der.oid('1.2.840.113549.1.7.1');
const certificateBag = der.oid('1.2.840.113549.1.12.10.1.3');
const x509Certificate = der.oid('1.2.840.113549.1.9.22.1');
const friendlyName = der.oid('1.2.840.113549.1.9.20');
/** Oracle's `trustedKeyUsage`, any usage. Java does not trust a certificate without it. */
const trustedForAll = der.sequence(der.oid('2.16.840.1.113894.746875.1.1'), der.set(der.oid('2.5.29.37.0')));

/** Certificates as they stand in a store. */
interface StoreBags {
  readonly bytes: Der;
  readonly count: number;
}

/** Certificates in DER. Each is another one. */
export function storeBags(certificates: readonly Uint8Array[]): StoreBags {
  return {
    bytes: Buffer.concat(certificates.map((certificate, index) => bag(certificate, index))),
    count: certificates.length,
  };
}

/**
 * A Java trust store of those and of more certificates in DER. Without password, encryption and MAC: it holds nothing
 * secret, and Java 8 and later open it both with a password and with none, as they do the store that comes with them.
 */
export function trustStore({ bytes, count }: StoreBags, more: readonly Uint8Array[] = []): Uint8Array {
  const added = more.map((certificate, index) => bag(certificate, count + index));
  const authenticatedSafe = der.sequence(content(der.sequence(bytes, ...added)));
  return der.sequence(der.integer(3), content(authenticatedSafe));
}

function content(bytes: Der): Der {
  return der.sequence(data, der.explicit(0, der.octets(bytes)));
}

/** The alias, which has to be unique, is where the certificate stands. */
function bag(certificate: Uint8Array, index: number): Der {
  const value = der.sequence(x509Certificate, der.explicit(0, der.octets(certificate)));
  const alias = der.sequence(friendlyName, der.set(der.string('bmp', `holdfast-${index}`)));
  return der.sequence(certificateBag, der.explicit(0, value), der.set(alias, trustedForAll));
}

/** Which of the session's trust files a program wants. */
interface TrustFilePaths {
  /** PEM: the host's authorities and the session's. */
  readonly bundle: string;
  /** PEM: the session's authority alone. */
  readonly authority: string;
  /** PKCS #12: the same as `bundle`. */
  readonly java: string;
}

interface TrustVariable {
  readonly name: string;
  /** `bundle` for programs that believe nobody else then, `authority` for those that add it to their own. */
  readonly wants: keyof TrustFilePaths;
  /** Who reads it. */
  readonly readBy: string;
}

/** From the programs' own documentation. Variables that switch a check off have no place here. */
export const trustVariableTable: readonly TrustVariable[] = [
  {
    name: 'SSL_CERT_FILE',
    wants: 'bundle',
    readBy: 'OpenSSL (X509_get_default_cert_file_env), Go, rustls-native-certs, uv, Ruby, Python ssl',
  },
  { name: 'NODE_EXTRA_CA_CERTS', wants: 'authority', readBy: 'Node.js, Bun' },
  { name: 'DENO_CERT', wants: 'authority', readBy: 'Deno' },
  { name: 'REQUESTS_CA_BUNDLE', wants: 'bundle', readBy: 'Python requests' },
  { name: 'CURL_CA_BUNDLE', wants: 'bundle', readBy: 'curl, Python requests' },
  { name: 'GIT_SSL_CAINFO', wants: 'bundle', readBy: 'git (http.sslCAInfo)' },
  { name: 'PIP_CERT', wants: 'bundle', readBy: 'pip (--cert)' },
  { name: 'CARGO_HTTP_CAINFO', wants: 'bundle', readBy: 'cargo (http.cainfo)' },
  { name: 'AWS_CA_BUNDLE', wants: 'bundle', readBy: 'AWS CLI and SDKs (ca_bundle)' },
  { name: 'CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE', wants: 'bundle', readBy: 'gcloud (core/custom_ca_certs_file)' },
  { name: 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH', wants: 'bundle', readBy: 'gRPC core' },
  { name: 'HTTPLIB2_CA_CERTS', wants: 'bundle', readBy: 'Python httplib2' },
  { name: 'NIX_SSL_CERT_FILE', wants: 'bundle', readBy: 'Nix, and programs from Nixpkgs' },
  { name: 'BUNDLE_SSL_CA_CERT', wants: 'bundle', readBy: 'Bundler (ssl_ca_cert)' },
  { name: 'HEX_CACERTS_PATH', wants: 'bundle', readBy: 'Hex' },
  { name: 'PERL_LWP_SSL_CA_FILE', wants: 'bundle', readBy: 'Perl LWP::UserAgent' },
  { name: 'SYSTEM_CERTIFICATE_PATH', wants: 'bundle', readBy: 'Haskell x509-system (Stack, Cabal)' },
  { name: 'JULIA_SSL_CA_ROOTS_PATH', wants: 'bundle', readBy: 'Julia' },
];

/**
 * Read by every JVM, which says so on standard error (JDK documentation, "The JAVA_TOOL_OPTIONS environment variable").
 */
const javaVariable = 'JAVA_TOOL_OPTIONS';

/**
 * The variables by which programs in the box find the session's trust files. `JAVA_TOOL_OPTIONS` of the box, if it has
 * one, is kept and added to. Paths may hold no blanks or quotes: Java splits the variable at them.
 */
export function trustVariables(paths: TrustFilePaths, javaToolOptions = ''): Readonly<Record<string, string>> {
  const plain = trustVariableTable.map(({ name, wants }) => [name, paths[wants]] as const);
  const java = [javaToolOptions, `-Djavax.net.ssl.trustStore=${paths.java}`, '-Djavax.net.ssl.trustStoreType=PKCS12']
    .filter((option) => option !== '')
    .join(' ');
  return Object.fromEntries([...plain, [javaVariable, java]]);
}
