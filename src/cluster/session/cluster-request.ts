import { homedir } from 'node:os';
import process from 'node:process';
import { trustVariables } from '../../egress/tls/trust.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Grants } from '../../place/grants.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import {
  type ClusterKind,
  type ClusterRequest,
  type SandboxVersion,
  type SecretReference,
  trustDirectory,
} from '../index.ts';
import { planClusterPlace } from './plan-cluster-place.ts';

/** The settings of a cluster's objects that are not in the policy. */
export interface ClusterObjectOptions {
  /** Default: `sandbox`. */
  readonly kind?: ClusterKind;
  /** Default: `holdfast`. */
  readonly name?: string;
  /** Default: `default`. */
  readonly namespace?: string;
  /** Contains Holdfast and the programs of the command. Default: `holdfast:VERSION`. */
  readonly image?: string;
  /** Name of a pool, whose sandbox the run claims. Default: a sandbox of its own. */
  readonly pool?: string;
  /** The version of agent-sandbox that the objects have. Default: `v1alpha1`. A run asks the API server. */
  readonly agentSandbox?: SandboxVersion;
  /** Default: by the guarantees of the policy. */
  readonly runtimeClass?: string;
  /** Secrets of the namespace for the credentials of the policy. Default: none. */
  readonly secrets?: readonly SecretReference[];
}

/** From `holdfast proxy --trust`. */
const trustFiles = {
  bundle: `${trustDirectory}/bundle.pem`,
  authority: `${trustDirectory}/authority.pem`,
  java: `${trustDirectory}/java.p12`,
};

/** Plans for a container. The guarantees of this machine do not count. */
export function clusterRequest(
  session: SessionOptions,
  argv: readonly string[],
  options: ClusterObjectOptions,
): ClusterRequest {
  const grants = session.grants ?? {};
  refuseHere(grants);
  const { version, ...placed } = planClusterPlace(session, session.environment ?? process.env, argv);
  const { pool, runtimeClass } = options;
  return {
    ...placed,
    kind: options.kind ?? 'sandbox',
    agentSandbox: options.agentSandbox ?? 'v1alpha1',
    name: options.name ?? 'holdfast',
    namespace: options.namespace ?? 'default',
    image: options.image ?? `holdfast:${version}`,
    home: homedir(),
    secrets: options.secrets ?? [],
    trust: trustVariables(trustFiles),
    options: [
      ...(grants.hosts ?? []).flatMap((host) => ['--host', host]),
      ...(grants.presets ?? []).flatMap((preset) => ['--preset', preset]),
      ...(grants.environment ?? []).flatMap((name) => ['--env', name]),
    ],
    ...(pool === undefined ? {} : { pool }),
    ...(runtimeClass === undefined ? {} : { runtimeClass }),
  };
}

const ofThisMachine = ['sockets', 'read', 'write'] as const;

/** Refuses grants that the pod's own Holdfast cannot receive. */
function refuseHere(grants: Grants): void {
  for (const name of ofThisMachine)
    if ((grants[name] ?? []).length > 0) throw aboutThisMachine(name === 'sockets' ? 'socket' : name);
}

export function aboutThisMachine(option: string): HoldfastError {
  return new HoldfastError('HF_GUARANTEE_MISSING', `a cluster cannot hold --${option}, which is about this machine`, {
    remedy: `leave --${option} out`,
  });
}
