import { HoldfastError } from '../../errors/index.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import type { ClusterObjectOptions } from './cluster-request.ts';
import type { ClusterConnection, ClusterOptions } from './connection.ts';
import type { JoinOptions } from './exec-in-sandbox.ts';
import type { ClusterExamination } from './examine-cluster.ts';
import type { ClusterForward, ForwardOptions } from './forward/forward-to-sandbox.ts';
import type { ClusterSandbox } from './list-sandboxes.ts';
import type { ClusterPool } from './pools/manage-pools.ts';
import type { LogOptions } from './read-logs.ts';
import type { StopOptions, StoppedSandbox } from './stop-sandbox.ts';
import type { ClusterCommand, RunStart } from './types.ts';

/** A command for a cluster, with the box that it gets. */
export interface ClusterRunOptions extends RunStart, Omit<ClusterObjectOptions, 'namespace'> {
  readonly argv: readonly string[];
  /** Workspace, grants and environment, as for `Sandbox.open`. */
  readonly session: SessionOptions;
}

/**
 * Sandboxes in a namespace of a Kubernetes cluster. Nothing is open between two calls.
 *
 * @example
 * const cluster = await openCluster({ namespace: 'agents' });
 * console.log(await cluster.list());
 */
export interface Cluster {
  readonly namespace: string;
  /** Sends the workspace, starts the command, collects its changes and removes everything. */
  run(options: ClusterRunOptions): Promise<ClusterCommand>;
  exec(name: string, argv: readonly string[], options: JoinOptions): Promise<ClusterCommand>;
  attach(name: string, options: JoinOptions): Promise<ClusterCommand & { readonly terminal: 'own' | 'none' }>;
  /** Shows ports of a sandbox on this machine's loopback, of those that its run shows. */
  forward(name: string, options: ForwardOptions): Promise<ClusterForward>;
  logs(name: string, options?: LogOptions): AsyncIterable<Buffer>;
  stop(name: string, options?: StopOptions): Promise<StoppedSandbox>;
  list(): Promise<readonly ClusterSandbox[]>;
  readonly pools: ClusterPools;
  /** Checks that the cluster meets the needs of a run with these options: in a pool, or with objects of its own. */
  doctor(
    options: Pick<ClusterRunOptions, 'session' | 'kind' | 'image' | 'runtimeClass' | 'pool'>,
  ): Promise<ClusterExamination>;
}

/** Sandboxes that wait for commands of one policy, image and workspace. `run` claims one with `pool`. */
export interface ClusterPools {
  /** Makes a pool of so many waiting sandboxes, or changes the size of one that fits. */
  up(options: ClusterPoolOptions): Promise<ClusterPool>;
  /** Removes a pool that no run uses. Returns the objects that went, as `SandboxWarmPool/fast`. */
  down(name: string): Promise<readonly string[]>;
  list(): Promise<readonly ClusterPool[]>;
}

export interface ClusterPoolOptions extends Pick<ClusterRunOptions, 'session' | 'image' | 'runtimeClass'> {
  readonly name: string;
  readonly size: number;
}

/** Reads the kubeconfig and connects to nothing yet. Throws `HF_KUBECONFIG_INVALID`. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { connectCluster } = await import('./connection.ts');
  const connection = connectCluster(options);
  const { namespace } = connection;
  return {
    namespace,
    async run({ argv, session, ...more }) {
      const [{ clusterRequest }, { startRun }] = await Promise.all([
        import('./cluster-request.ts'),
        import('./start-run.ts'),
      ]);
      if (argv.length === 0)
        throw new HoldfastError('HF_USAGE', 'there is no command to run', { remedy: 'give it at least one word' });
      const name =
        more.name ??
        `holdfast-${Math.floor(Math.random() * 36 ** 6)
          .toString(36)
          .padStart(6, '0')}`;
      return startRun(connection, clusterRequest(session, argv, { ...more, name, namespace }), more);
    },
    exec: async (name, argv, join) =>
      (await import('./exec-in-sandbox.ts')).execInSandbox(connection, { name, argv }, join),
    attach: async (name, join) => (await import('./exec-in-sandbox.ts')).attachToSandbox(connection, name, join),
    forward: async (name, forward) =>
      (await import('./forward/forward-to-sandbox.ts')).forwardToSandbox(connection, name, forward),
    async *logs(name, log) {
      yield* (await import('./read-logs.ts')).readLogs(connection, name, log);
    },
    stop: async (name, stop) => (await import('./stop-sandbox.ts')).stopSandbox(connection, name, stop),
    list: async () => (await import('./list-sandboxes.ts')).listSandboxes(connection),
    pools: poolsOf(connection),
    async doctor({ session, ...more }) {
      const [{ clusterRequest }, { examineCluster }] = await Promise.all([
        import('./cluster-request.ts'),
        import('./examine-cluster.ts'),
      ]);
      return examineCluster(
        connection,
        clusterRequest(session, ['true'], { ...more, name: 'holdfast-doctor', namespace }),
      );
    },
  };
}

function poolsOf(connection: ClusterConnection): ClusterPools {
  const load = () => import('./pools/manage-pools.ts');
  return {
    async up({ session, size, ...more }) {
      const [{ clusterRequest }, { poolUp }] = await Promise.all([import('./cluster-request.ts'), load()]);
      // The plan needs a command, and the pool has none.
      const request = clusterRequest(session, ['true'], { ...more, namespace: connection.namespace });
      return poolUp(connection, request, size);
    },
    down: async (name) => (await load()).poolDown(connection, name),
    list: async () => (await load()).listPools(connection),
  };
}
