import { homedir } from 'node:os';
import process from 'node:process';
import {
  type KubeTarget,
  type Patience,
  proverOf,
  readKubeconfig,
  ServerClock,
  usualPatience,
} from '../../kube/index.ts';
import { type StatePaths, statePaths } from '../../place/host/state-paths.ts';

export interface ClusterOptions {
  /** Path of the kubeconfig. Default: `KUBECONFIG`, then `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** Default: the current context of the kubeconfig. */
  readonly context?: string;
  /** Default: the namespace of the context. */
  readonly namespace?: string;
  /**
   * Paths that boxes can write. A kubeconfig may name no program and no secret file there. Default: the working
   * directory, unless the home directory is in it.
   */
  readonly writableRoots?: readonly string[];
  /** Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Default: the process's. */
  readonly cwd?: string;
  /** Ends every wait. Objects that exist by then are removed. */
  readonly signal?: AbortSignal;
  /** The longest wait for a server. Default: 30 seconds for an answer, and a minute for all attempts of a request. */
  readonly patience?: Patience;
}

/** A user at an API server, with this machine's place for records of its uploads. */
export interface ClusterConnection {
  readonly target: KubeTarget;
  readonly namespace: string;
  /** Holdfast's state directory. */
  readonly state: string;
  readonly journal: string;
}

/** Reads the kubeconfig. It opens no connection yet. Throws `HF_KUBECONFIG_INVALID`. */
export function connectCluster(options: ClusterOptions): ClusterConnection {
  const { environment = process.env, cwd = process.cwd() } = options;
  const { kubeconfig, context, namespace, patience = usualPatience } = options;
  const home = homedir();
  const { writableRoots = rootsOf(cwd, home) } = options;
  const access = readKubeconfig({
    environment,
    home,
    cwd,
    writableRoots,
    ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  const target: KubeTarget = {
    access,
    patience,
    prover: proverOf(access, { environment, writableRoots }),
    signal: options.signal ?? new AbortController().signal,
    clock: new ServerClock(),
    // The fallback until the API server was asked.
    agentSandbox: 'v1alpha1',
  };
  return { target, namespace: namespace ?? access.namespace, ...placesOf(statePaths(home, environment)) };
}

function placesOf({ state, journal }: StatePaths): Pick<ClusterConnection, 'state' | 'journal'> {
  return { state, journal };
}

function rootsOf(cwd: string, home: string): readonly string[] {
  return cwd === '/' || `${home}/`.startsWith(`${cwd}/`) ? [] : [cwd];
}

const timeToClean = 120_000;

/** The same connection, for the work after an interruption. */
export function uninterrupted(connection: ClusterConnection): ClusterConnection {
  return { ...connection, target: { ...connection.target, signal: AbortSignal.timeout(timeToClean) } };
}
