// Not imported through the room's index, so that the code for connections loads only with the first connection.
import { type SessionTrust, trustBundlePath } from '../../place/session-trust.ts';
import { type CertificateAuthority, createAuthority } from '../tls/authority.ts';
import { hostRoots, hostTrustFiles } from '../tls/host-trust.ts';
import { trustBundle, trustVariables } from '../tls/trust.ts';

/**
 * The certificate authority of a session. It has its own bundle, because a box has to trust it before the box starts.
 */
export interface SessionAuthority {
  readonly certificates: CertificateAuthority;
  readonly trust: SessionTrust;
}

export function createSessionAuthority(environment: Readonly<Record<string, string | undefined>>): SessionAuthority {
  const certificates = createAuthority();
  return { certificates, trust: sessionTrust(certificates.certificatePem, environment) };
}

const directory = '/run/holdfast/trust';
const paths = {
  bundle: trustBundlePath,
  authority: `${directory}/authority.pem`,
  java: `${directory}/java.p12`,
} as const;

/**
 * Returns the files and variables that add the session's authority to the host's authorities. They cover the
 * distribution's trust files and the usual variables.
 */
export function sessionTrust(
  authorityPem: string,
  environment: Readonly<Record<string, string | undefined>>,
): SessionTrust {
  const hostFiles = hostTrustFiles();
  const { replacements, bundle, authority, java } = trustBundle(authorityPem, hostFiles, () =>
    hostRoots({}, hostFiles),
  );
  const own = { [paths.bundle]: bundle, [paths.authority]: authority, [paths.java]: java };
  const files = [...Object.entries(own).map(([target, content]) => ({ target, content })), ...replacements];
  const { JAVA_TOOL_OPTIONS: javaOptions, ...variables } = trustVariables(paths, environment['JAVA_TOOL_OPTIONS']);
  // Every JVM reports this variable on stderr. It is set only if Holdfast does not replace the system's own store.
  const needsOption = javaOptions !== undefined && !hostFiles.some(({ format }) => format === 'java');
  // The same store may be at several places.
  const javaText = Buffer.from(java).toString('base64');
  return {
    files: files.map(({ target, content }) =>
      typeof content === 'string'
        ? { kind: 'file', target, mode: 0o444, content }
        : { kind: 'file', target, mode: 0o444, content: javaText, encoding: 'base64' },
    ),
    environment: needsOption ? { ...variables, JAVA_TOOL_OPTIONS: javaOptions } : variables,
  };
}
