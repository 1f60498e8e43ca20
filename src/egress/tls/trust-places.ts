/** A file in which programs look for certificate authorities. */
export interface TrustPlace {
  readonly path: string;
  /** `pem`: certificates one after the other. `java`: a key store, JKS or PKCS #12. */
  readonly format: 'pem' | 'java';
}

/**
 * Where distributions keep the authorities they trust.
 * - PEM: the list of Go, crypto/x509/root_linux.go `certFiles`, which curl's configure and gRPC share, and the places
 *   that OpenSSL's own defaults (`openssl version -d`) and NixOS, Arch and Fedora 43 add.
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
