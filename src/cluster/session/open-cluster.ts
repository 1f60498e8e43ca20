import { HoldfastError } from '../../errors/index.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import type { ClusterObjectOptions } from './cluster-request.ts';
import type { ClusterOptions } from './connection.ts';
import type { JoinOptions } from './exec-in-sandbox.ts';
import type { ClusterExamination } from './examine-cluster.ts';
import type { ClusterSandbox } from './list-sandboxes.ts';
import type { LogOptions } from './read-logs.ts';
import type { StopOptions, StoppedSandbox } from './stop-sandbox.ts';
import type { ClusterCommand, RunStart } from './types.ts';

/** A command for a cluster, with the box that it gets. */
export interface ClusterRunOptions extends RunStart, Omit<ClusterObjectOptions, 'delivery' | 'pool' | 'namespace'> {
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
  logs(name: string, options?: LogOptions): AsyncIterable<Buffer>;
  stop(name: string, options?: StopOptions): Promise<StoppedSandbox>;
  list(): Promise<readonly ClusterSandbox[]>;
  /** Checks that the cluster meets the needs of a run with these options. */
  doctor(options: Pick<ClusterRunOptions, 'session' | 'kind' | 'image' | 'runtimeClass'>): Promise<ClusterExamination>;
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
    async *logs(name, log) {
      yield* (await import('./read-logs.ts')).readLogs(connection, name, log);
    },
    stop: async (name, stop) => (await import('./stop-sandbox.ts')).stopSandbox(connection, name, stop),
    list: async () => (await import('./list-sandboxes.ts')).listSandboxes(connection),
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
