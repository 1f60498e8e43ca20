/** Which of the session's trust files a program wants. */
export interface TrustFilePaths {
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
  { name: 'SSL_CERT_FILE', wants: 'bundle', readBy: 'OpenSSL (X509_get_default_cert_file_env), Go, rustls-native-certs, uv, Ruby, Python ssl' },
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

/** Read by every JVM, which says so on standard error (JDK documentation, "The JAVA_TOOL_OPTIONS environment variable"). */
const javaVariable = 'JAVA_TOOL_OPTIONS';

/**
 * The variables by which programs in the box find the session's trust files. `JAVA_TOOL_OPTIONS` of the box, if it has
 * one, is kept and added to. Paths may hold no blanks or quotes: Java splits the variable at them.
 */
export function trustVariables(paths: TrustFilePaths, javaToolOptions = ''): Readonly<Record<string, string>> {
  const plain = trustVariableTable.map(({ name, wants }) => [name, paths[wants]] as const);
  const java = [javaToolOptions, `-Djavax.net.ssl.trustStore=${paths.java}`, '-Djavax.net.ssl.trustStoreType=PKCS12'].filter((option) => option !== '').join(' ');
  return Object.fromEntries([...plain, [javaVariable, java]]);
}
