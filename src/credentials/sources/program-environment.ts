import { basename } from 'node:path';
import { trustedPath } from './find-program.ts';
import type { ProgramContext } from './types.ts';

/** Names, and beginnings of names that end with `*`. */
type Names = readonly string[];

/** Who the user is, where their things are, and how a keyring or an agent of the desktop is reached. */
const everybody: Names = ['HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TMPDIR', 'XDG_*', 'DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'SSH_AUTH_SOCK', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

/**
 * What single programs read besides, by their file names. Some hold the key to a password manager, so no other program gets
 * them. Sources: 1Password CLI "Environment variables", Bitwarden CLI "Session", Vault "Environment variables", and the
 * manuals of the others.
 */
const single: ReadonlyMap<string, Names> = new Map([
  ['op', ['OP_*']],
  ['bw', ['BW_SESSION', 'BITWARDENCLI_APPDATA_DIR', 'NODE_EXTRA_CA_CERTS']],
  ['vault', ['VAULT_*']],
  ['gh', ['GH_CONFIG_DIR', 'GH_HOST']],
  ['glab', ['GLAB_CONFIG_DIR', 'GITLAB_HOST']],
  ['aws', ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']],
  ['gcloud', ['CLOUDSDK_CONFIG', 'CLOUDSDK_ACTIVE_CONFIG_NAME']],
  ['az', ['AZURE_CONFIG_DIR']],
  ['kubectl', ['KUBECONFIG']],
  ['pass', ['PASSWORD_STORE_DIR', 'PASSWORD_STORE_KEY', 'GNUPGHOME']],
  ['gopass', ['GOPASS_CONFIG', 'PASSWORD_STORE_DIR', 'GNUPGHOME']],
  ['gpg', ['GNUPGHOME']],
]);

/** The whole environment of a source's program: what it needs to find its user, and nothing that is only lying around. */
export function programEnvironment(program: string, context: Pick<ProgramContext, 'environment' | 'writableRoots'>): Readonly<Record<string, string>> {
  const names = [...everybody, ...(single.get(basename(program)) ?? [])];
  const taken = Object.entries(context.environment).flatMap(([name, value]) => (value !== undefined && names.some((pattern) => matches(pattern, name)) ? [[name, value] as const] : []));
  return { ...Object.fromEntries(taken), PATH: trustedPath(context) };
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
