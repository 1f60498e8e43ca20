import { type Der, der } from './der.ts';
import { certificatesIn, holdsCertificate, type HostTrustFile } from './host-trust.ts';

/** A file to mount into the box. */
export interface TrustFile {
  /** Path in the box, with links followed. */
  readonly target: string;
  /** The text of a bundle, or the bytes of a store. */
  readonly content: string | Uint8Array;
}

/** Files and text that a box needs to trust the session's authority. */
interface TrustBundle {
  /** Replacements for the host's trust files: their old content plus the authority. */
  readonly replacements: readonly TrustFile[];
  /** Content of the file that the variables of `trustVariables` name. The session chooses the file's path. */
  readonly bundle: string;
  readonly authority: string;
  readonly java: Uint8Array;
}

/**
 * Adds the session's authority to the host's trusted ones. Pure. Calls `roots` only if the host has no bundle, and uses
 * them instead. Without them, the session's authority would be the only one that programs with these variables trust.
 */
export function trustBundle(
  authorityPem: string,
  files: readonly HostTrustFile[],
  roots: () => readonly string[],
): TrustBundle {
  const host = bundleOf(files) ?? roots().join('\n');
  const java = javaStore(host, authorityPem);
  const bundle = withAuthority(host, authorityPem);
  // The host's own bundle is one text with `bundle`, because a supervisor keeps 200 KB for each.
  const contentOf = ({ format, content }: HostTrustFile): string | Uint8Array =>
    format === 'java' ? java : content === host ? bundle : withAuthority(content, authorityPem);
  return {
    replacements: files.map((file) => ({ target: file.target, content: contentOf(file) })),
    bundle,
    authority: authorityPem,
    java,
  };
}

/** Caches most of an unchanged store, because a supervisor creates one for each session. */
function javaStore(host: string, authorityPem: string): Uint8Array {
  if (lastHost?.text !== host) lastHost = { text: host, bags: storeBags(certificatesIn(host)) };
  return trustStore(lastHost.bags, certificatesIn(authorityPem));
}

let lastHost: { readonly text: string; readonly bags: StoreBags } | undefined;

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

/** Certificates in the format of a store. */
interface StoreBags {
  readonly bytes: Der;
  readonly count: number;
}

/** Encodes certificates in DER, all different, as bags. */
export function storeBags(certificates: readonly Uint8Array[]): StoreBags {
  return {
    bytes: Buffer.concat(certificates.map((certificate, index) => bag(certificate, index))),
    count: certificates.length,
  };
}

/**
 * Returns a Java trust store with these and further certificates in DER. It has no password, encryption or MAC, because
 * it holds no secret. Java 8 and later open it with or without a password, like Java's own store.
 */
export function trustStore({ bytes, count }: StoreBags, more: readonly Uint8Array[] = []): Uint8Array {
  const added = more.map((certificate, index) => bag(certificate, count + index));
  const authenticatedSafe = der.sequence(content(der.sequence(bytes, ...added)));
  return der.sequence(der.integer(3), content(authenticatedSafe));
}

function content(bytes: Der): Der {
  return der.sequence(data, der.explicit(0, der.octets(bytes)));
}

/** The alias has to be unique, so the certificate's position serves as the alias. */
function bag(certificate: Uint8Array, index: number): Der {
  const value = der.sequence(x509Certificate, der.explicit(0, der.octets(certificate)));
  const alias = der.sequence(friendlyName, der.set(der.string('bmp', `holdfast-${index}`)));
  return der.sequence(certificateBag, der.explicit(0, value), der.set(alias, trustedForAll));
}

/** The session's trust files, by purpose. */
interface TrustFilePaths {
  /** PEM: the host's authorities and the session's. */
  readonly bundle: string;
  /** PEM: the session's authority alone. */
  readonly authority: string;
  /** PKCS #12, with the same content as `bundle`. */
  readonly java: string;
}

interface TrustVariable {
  readonly name: string;
  /** `bundle` for programs that trust only this file, `authority` for programs that add it to their own authorities. */
  readonly wants: keyof TrustFilePaths;
  /** Programs that read it. */
  readonly readBy: string;
}

/** Taken from the programs' own documentation. The table must not have variables that turn verification off. */
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
 * Every JVM reads this variable, and reports it on standard error (JDK documentation, "The JAVA_TOOL_OPTIONS
 * environment variable").
 */
const javaVariable = 'JAVA_TOOL_OPTIONS';

/**
 * Returns the variables that tell programs in the box about the session's trust files. Extends the box's own
 * `JAVA_TOOL_OPTIONS`. Paths must not contain blanks or quotes, because Java splits the variable at them.
 */
export function trustVariables(paths: TrustFilePaths, javaToolOptions = ''): Readonly<Record<string, string>> {
  const plain = trustVariableTable.map(({ name, wants }) => [name, paths[wants]] as const);
  const java = [javaToolOptions, `-Djavax.net.ssl.trustStore=${paths.java}`, '-Djavax.net.ssl.trustStoreType=PKCS12']
    .filter((option) => option !== '')
    .join(' ');
  return Object.fromEntries([...plain, [javaVariable, java]]);
}
