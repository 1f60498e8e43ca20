import { readFileSync, realpathSync, statSync } from 'node:fs';
import process from 'node:process';

/** A trust file of the host. */
export interface HostTrustFile extends TrustPlace {
  /** `path` with all links followed. The box mounts over this file. */
  readonly target: string;
  /** Empty for `java`, whose file is replaced as a whole. */
  readonly content: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Bundles have about 220 KB. No real bundle is larger than this. */
const largestFile = 8 * 1024 * 1024;

/** Returns the trust files of this host in the order of `trustPlaces`, each target once. Reads the file system. */
export function hostTrustFiles(places: readonly TrustPlace[] = trustPlaces): readonly HostTrustFile[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const target = fileBehind(place.path);
    if (target === undefined || seen.has(target)) return [];
    const content = place.format === 'java' ? '' : readText(target);
    if (content === undefined) return [];
    seen.add(target);
    return [{ ...place, target, content }];
  });
}

/**
 * Returns the roots, in PEM, that Holdfast itself trusts for servers. They come from the distribution's first bundle
 * that has a certificate, from Node's roots, and from the authority files that the host's environment names.
 */
export function hostRoots(
  environment: Environment,
  files: readonly HostTrustFile[] = hostTrustFiles(),
): readonly string[] {
  const bundle = files.find(({ format, content }) => format === 'pem' && holdsCertificate(content));
  const named = [environment['NODE_EXTRA_CA_CERTS'], environment['SSL_CERT_FILE']].flatMap((path) =>
    path === undefined || path === '' ? [] : [readText(path) ?? ''],
  );
  // Loaded here because it takes milliseconds. Code that only adds to the host's files never needs it.
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  return [bundle?.content ?? '', rootCertificates.join('\n'), ...named].filter((pem) => pem !== '');
}

function fileBehind(path: string): string | undefined {
  try {
    const target = realpathSync(path);
    return statSync(target).isFile() ? target : undefined;
  } catch {
    return undefined;
  }
}

/** A missing, unreadable or oversized file counts as no file. A host without a bundle uses Node's roots. */
function readText(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return size > largestFile ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A file in which programs look for certificate authorities. */
interface TrustPlace {
  readonly path: string;
  /** `pem`: certificates one after the other. `java`: a key store, JKS or PKCS #12. */
  readonly format: 'pem' | 'java';
}

/**
 * Paths at which distributions keep their trusted authorities.
 * - PEM: the list of Go, crypto/x509/root_linux.go `certFiles`, which curl's configure and gRPC share. Further paths are
 *   those of OpenSSL's own defaults (`openssl version -d`), NixOS, Arch and Fedora 43.
 * - Java: Debian's ca-certificates-java (/etc/ssl/certs/java), Fedora's p11-kit extraction, Alpine's java-cacerts and
 *   SUSE's java-ca-certificates.
 */
export const trustPlaces: readonly TrustPlace[] = [
  { path: '/etc/ssl/certs/ca-certificates.crt', format: 'pem' }, // Debian, Ubuntu, Gentoo, Arch, Alpine
  { path: '/etc/pki/tls/certs/ca-bundle.crt', format: 'pem' }, // Fedora, RHEL 6
  { path: '/etc/ssl/ca-bundle.pem', format: 'pem' }, // openSUSE
  { path: '/etc/pki/tls/cacert.pem', format: 'pem' }, // OpenELEC
  { path: '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', format: 'pem' }, // CentOS, RHEL 7 and later
  { path: '/etc/ssl/cert.pem', format: 'pem' }, // Alpine
  { path: '/etc/ssl/certs/ca-bundle.crt', format: 'pem' }, // NixOS
  { path: '/etc/pki/tls/cert.pem', format: 'pem' }, // OpenSSL of Fedora and RHEL
  { path: '/usr/lib/ssl/cert.pem', format: 'pem' }, // OpenSSL of Debian and Ubuntu
  { path: '/usr/share/ssl/certs/ca-bundle.crt', format: 'pem' }, // old Red Hat
  { path: '/usr/local/share/certs/ca-root-nss.crt', format: 'pem' }, // ca_root_nss
  { path: '/var/lib/ca-certificates/ca-bundle.pem', format: 'pem' }, // openSUSE, the file itself
  { path: '/etc/ca-certificates/extracted/tls-ca-bundle.pem', format: 'pem' }, // Arch, the file itself
  { path: '/etc/ssl/certs/java/cacerts', format: 'java' }, // Debian, Ubuntu, Alpine, Arch
  { path: '/etc/pki/java/cacerts', format: 'java' }, // Fedora
  { path: '/etc/pki/ca-trust/extracted/java/cacerts', format: 'java' }, // RHEL, the file itself
  { path: '/var/lib/ca-certificates/java-cacerts', format: 'java' }, // openSUSE
  { path: '/etc/ca-certificates/extracted/java-cacerts.jks', format: 'java' }, // Arch, the file itself
];

const opening = '-----BEGIN CERTIFICATE-----';
const closing = '-----END CERTIFICATE-----';

/**
 * The largest certificate: one with a 16-bit length. A certificate with 16-kilobit RSA keys and a hundred names is
 * smaller.
 */
const largest = 65_535 + 4;

/**
 * Returns the certificates of a bundle in DER, each once, in order. Skips comments, keys and blocks that are not DER of
 * the right length. Does not parse the certificates, because bundles of 150 are read while a box starts.
 */
export function certificatesIn(pem: string): readonly Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (let start = pem.indexOf(opening); start !== -1; start = pem.indexOf(opening, start + opening.length)) {
    const end = pem.indexOf(closing, start);
    if (end === -1) break;
    const bytes = Buffer.from(pem.slice(start + opening.length, end), 'base64');
    if (isWhole(bytes)) found.set(bytes.toString('latin1'), bytes);
  }
  return [...found.values()];
}

/** Returns true if the text has at least one certificate, without parsing it. */
export function holdsCertificate(pem: string): boolean {
  return pem.includes(opening);
}

export function toPem(certificate: Uint8Array): string {
  const lines = Buffer.from(certificate)
    .toString('base64')
    .replace(/.{1,64}/gu, '$&\n');
  return `${opening}\n${lines}${closing}\n`;
}

/** A sequence with a length of two bytes, and exactly that long. */
function isWhole(bytes: Buffer): boolean {
  return (
    bytes.length > 4 &&
    bytes.length <= largest &&
    bytes.readUInt16BE(0) === 0x30_82 &&
    bytes.readUInt16BE(2) === bytes.length - 4
  );
}
