import { type Cluster, openCluster } from '../../cluster/session/open-cluster.ts';
import { aboutThisMachine, type ClusterObjectOptions } from '../../cluster/session/cluster-request.ts';
import type { SecretReference } from '../../cluster/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import { boxOptions } from '../box-options.ts';
import { type CommandInput, optionText, optionTexts, type OptionValue } from '../command.ts';
import { profiledSession } from '../profile-options.ts';

/** One word after `holdfast cluster`, or two. */
export interface ClusterAction {
  /** Names of options. Others are refused. */
  readonly options: readonly string[];
  readonly takes: { readonly name: boolean; readonly command: boolean; readonly more?: 'ports' | 'words' };
  run(input: CommandInput): Promise<number>;
}

export const connectionOptions = ['kubeconfig', 'context', 'namespace'] as const;
/** Includes options that a cluster cannot support: each gets its own error message. */
export const objectOptions = [...Object.keys(boxOptions), 'kind', 'image', 'runtime-class', 'secret'] as const;

/** Opens the cluster of the options. `signal` ends every wait. */
export function clusterOf({ values, io }: CommandInput, signal?: AbortSignal): Promise<Cluster> {
  const [kubeconfig, context, namespace] = connectionOptions.map((name) => optionText(values[name]));
  return openCluster({
    environment: io.environment,
    cwd: io.cwd,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Returns the session and the objects of the options. Refuses options that the pod's own Holdfast cannot get. */
export function clusterWishes(input: CommandInput): { readonly session: SessionOptions } & ClusterObjectOptions {
  const { values } = input;
  for (const name of ['socket', 'profile', 'backend', 'read', 'write'])
    if (values[name] !== undefined) throw aboutThisMachine(name);
  const [kind, name, image, runtimeClass, pool] = ['kind', 'name', 'image', 'runtime-class', 'pool'].map((each) =>
    optionText(values[each]),
  );
  return {
    session: profiledSession(input),
    secrets: optionTexts(values['secret']).map(secretOf),
    ...(kind === undefined ? {} : { kind: kindOf(kind) }),
    ...(name === undefined ? {} : { name }),
    ...(image === undefined ? {} : { image }),
    ...(pool === undefined ? {} : { pool }),
    ...(runtimeClass === undefined ? {} : { runtimeClass }),
  };
}

/** The version of `render`, which asks no API server. */
export function versionWish({ values }: CommandInput): Pick<ClusterObjectOptions, 'agentSandbox'> {
  const version = optionText(values['agent-sandbox']);
  if (version === undefined) return {};
  if (version === 'v1alpha1' || version === 'v1beta1') return { agentSandbox: version };
  throw new HoldfastError('HF_USAGE', `agent-sandbox has no version ${JSON.stringify(version)} that Holdfast knows`, {
    remedy: 'use --agent-sandbox v1alpha1 or --agent-sandbox v1beta1',
  });
}

/** `github=agent-keys/github` */
function secretOf(text: string): SecretReference {
  const [, credential, secret, key] = /^([^=]+)=([^/]+)\/(.+)$/u.exec(text) ?? [];
  if (credential !== undefined && secret !== undefined && key !== undefined) return { credential, secret, key };
  throw new HoldfastError('HF_USAGE', `expected CREDENTIAL=SECRET/KEY after --secret, got ${JSON.stringify(text)}`, {
    remedy: 'use --secret github=agent-keys/github for the key `github` of the Secret `agent-keys`',
  });
}

function kindOf(kind: string): 'sandbox' | 'pod' {
  if (kind === 'sandbox' || kind === 'pod') return kind;
  throw new HoldfastError('HF_USAGE', `there is no kind ${JSON.stringify(kind)}`, {
    remedy: 'use --kind sandbox or --kind pod',
  });
}

/** Returns milliseconds of an option in seconds. */
export function secondsOption(name: string, value: OptionValue): number | undefined {
  const text = optionText(value);
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/u.test(text) && Number(text) <= 86_400) return Number(text) * 1000;
  throw new HoldfastError('HF_USAGE', `expected a number of seconds after --${name}, got ${JSON.stringify(text)}`, {
    remedy: `use --${name} 60, up to 86400`,
  });
}
