import { readFileSync } from 'node:fs';
import { distrustOf } from './file-trust.ts';
import { kubeconfigError } from './kubeconfig-error.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from './schema.ts';
import type { ClusterAccess, ClusterCredential, ClusterTls } from './types.ts';

export interface OriginatedConfig {
  readonly file: string;
  readonly config: Kubeconfig;
  /** The reason why the file must not name programs or secret files. */
  readonly distrust?: string;
}

interface Wanted {
  readonly context: string;
  readonly writableRoots: readonly string[];
}

interface Found<Value> {
  readonly value: Value;
  readonly origin: OriginatedConfig;
}

/** Returns the server and the user of a context. */
export function contextAccess(configs: readonly OriginatedConfig[], wanted: Wanted): ClusterAccess {
  const { value: context } = named(configs, { what: 'context', name: wanted.context }, ({ contexts }) =>
    (contexts ?? []).map(({ name, context: each }) => ({ name, value: each })),
  );
  const cluster = named(configs, { what: 'cluster', name: context.cluster }, ({ clusters }) =>
    (clusters ?? []).map(({ name, cluster: each }) => ({ name, value: each })),
  );
  const user =
    context.user === undefined || context.user === ''
      ? undefined
      : named(configs, { what: 'user', name: context.user }, ({ users }) =>
          (users ?? []).map(({ name, user: each }) => ({ name, value: each ?? {} })),
        );
  const server = serverOf(cluster);
  const credential: ClusterCredential = user === undefined ? { kind: 'none' } : credentialOf(user, wanted);
  if (server.protocol === 'http:' && credential.kind !== 'none')
    throw kubeconfigError(
      `${cluster.origin.file} would send its credentials to ${server.origin} without TLS`,
      'use an https server, or a user without credentials',
    );
  return {
    context: wanted.context,
    server,
    namespace: context.namespace === undefined || context.namespace === '' ? 'default' : context.namespace,
    tls: tlsOf(cluster, user, wanted),
    credential,
  };
}

function named<Value>(
  configs: readonly OriginatedConfig[],
  { what, name }: { readonly what: string; readonly name: string },
  entries: (config: Kubeconfig) => readonly { readonly name: string; readonly value: Value }[],
): Found<Value> {
  for (const origin of configs) {
    const entry = entries(origin.config).find((one) => one.name === name);
    if (entry !== undefined) return { value: entry.value, origin };
  }
  throw kubeconfigError(
    `${configs.map(({ file }) => file).join(' and ')} has no ${what} ${JSON.stringify(name)}`,
    'name another context with --context',
  );
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

function serverOf({ value, origin }: Found<KubeconfigCluster>): URL {
  if (value['insecure-skip-tls-verify'] === true)
    throw kubeconfigError(
      `${origin.file} says not to check the certificate of the API server`,
      'name its authority in certificate-authority, and leave insecure-skip-tls-verify out',
    );
  if (value['proxy-url'] !== undefined && value['proxy-url'] !== '')
    throw kubeconfigError(
      `${origin.file} wants a proxy for the API server, which is not supported yet`,
      'use a context without proxy-url',
    );
  const server = URL.canParse(value.server) ? new URL(value.server) : undefined;
  if (server?.protocol === 'https:') return server;
  if (server?.protocol === 'http:' && loopback.has(server.hostname)) return server;
  throw kubeconfigError(`${origin.file} has no https server`, 'correct `server` of the cluster');
}

function tlsOf(cluster: Found<KubeconfigCluster>, user: Found<KubeconfigUser> | undefined, wanted: Wanted): ClusterTls {
  const authority = pem(cluster, 'certificate-authority');
  const cert = user === undefined ? undefined : pem(user, 'client-certificate');
  if (user?.value['client-key'] !== undefined) requireTrusted(user, user.value['client-key'], wanted);
  const key = user === undefined ? undefined : pem(user, 'client-key');
  const servername = cluster.value['tls-server-name'];
  return {
    ...(authority === undefined ? {} : { ca: authority }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(servername === undefined || servername === '' ? {} : { servername }),
  };
}

type PemName = 'certificate-authority' | 'client-certificate' | 'client-key';

/** Data overrides a file, as in `kubectl`. */
function pem<Name extends PemName>(
  { value, origin }: Found<Readonly<Partial<Record<Name | `${Name}-data`, string | undefined>>>>,
  name: Name,
): string | undefined {
  const data: string | undefined = value[`${name}-data`];
  if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const file: string | undefined = value[name];
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw kubeconfigError(
      `${file} cannot be read, which ${origin.file} names: ${(cause as NodeJS.ErrnoException).code}`,
      'correct the path, or its rights',
      cause,
    );
  }
}

function credentialOf(user: Found<KubeconfigUser>, wanted: Wanted): ClusterCredential {
  const { value, origin } = user;
  if (value['auth-provider'] !== undefined)
    throw kubeconfigError(
      `${origin.file} uses an auth-provider, which Kubernetes has removed`,
      'use an exec plugin, a token or a client certificate',
    );
  if (value.as !== undefined)
    throw kubeconfigError(
      `${origin.file} impersonates ${JSON.stringify(value.as)}, which is not supported`,
      'leave `as` out',
    );
  // The order of `kubectl`: a file before a text.
  if (value.tokenFile !== undefined && value.tokenFile !== '') {
    requireTrusted(user, value.tokenFile, wanted);
    return { kind: 'token-file', file: value.tokenFile };
  }
  if (value.token !== undefined && value.token !== '') return { kind: 'token', token: value.token };
  if (value.exec != null) {
    if (origin.distrust !== undefined)
      throw kubeconfigError(
        `${origin.file} may not name the program ${JSON.stringify(value.exec.command)}: ${origin.distrust}`,
        'move the kubeconfig out of repositories, and let nobody else write it',
      );
    return { kind: 'program', program: value.exec };
  }
  if (value.username !== undefined && value.password !== undefined)
    return { kind: 'basic', username: value.username, password: value.password };
  return { kind: 'none' };
}

/** Otherwise another user chooses the server for each secret of the user. */
function requireTrusted({ origin }: Found<KubeconfigUser>, file: string, { writableRoots }: Wanted): void {
  if (origin.distrust !== undefined)
    throw kubeconfigError(
      `${origin.file} may not name the secret file ${file}: ${origin.distrust}`,
      'move the kubeconfig out of repositories, and let nobody else write it',
    );
  const distrust = distrustOf(file, writableRoots);
  if (distrust === undefined) return;
  throw kubeconfigError(
    `${file} is not used as a secret: ${distrust}`,
    'move it out of repositories, and let nobody else write it',
  );
}
