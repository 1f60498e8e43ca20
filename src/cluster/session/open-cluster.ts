import type { ApprovalWatch, WatchedChange } from '../../approvals/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import type { ClusterRequest } from '../index.ts';
import type { ClusterObjectOptions } from './cluster-request.ts';
import type { ClusterConnection, ClusterOptions } from './connection.ts';
import type { JoinOptions } from './exec-in-sandbox.ts';
import type { ClusterExamination } from './findings.ts';
import type { ClusterForward, ForwardOptions } from './forward/forward-to-sandbox.ts';
import type { ClusterSandbox } from './list-sandboxes.ts';
import type { ClusterPool } from './pools/manage-pools.ts';
import type { LogOptions } from './read-logs.ts';
import type { StopOptions, StoppedSandbox } from './stop-sandbox.ts';
import type { ClusterCommand, RunStart } from './types.ts';

/** A command for a cluster, with the box that it gets. */
export interface ClusterRunOptions extends RunStart, Omit<ClusterObjectOptions, 'namespace' | 'agentSandbox'> {
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
  /** Forwards ports of a sandbox to this machine's loopback, among those that its run forwards. */
  forward(name: string, options: ForwardOptions): Promise<ClusterForward>;
  /** Follows the questions of a sandbox: of its supervisor and its boxes. They wait for answers until it is closed. */
  approvals(name: string, onChange?: (change: WatchedChange) => void): Promise<ApprovalWatch>;
  logs(name: string, options?: LogOptions): AsyncIterable<Buffer>;
  stop(name: string, options?: StopOptions): Promise<StoppedSandbox>;
  list(): Promise<readonly ClusterSandbox[]>;
  readonly pools: ClusterPools;
  /** Checks that the cluster meets the needs of a run with these options: in a pool, or with objects of its own. */
  doctor(options: ClusterDoctorOptions): Promise<ClusterExamination>;
}

export interface ClusterDoctorOptions
  extends Pick<ClusterRunOptions, 'session' | 'kind' | 'image' | 'runtimeClass' | 'pool' | 'secrets' | 'wait'> {
  /** `tried`: also makes probe pods, which try the parts that a run relies on, and removes them. Default: `asked`. */
  readonly proof?: 'asked' | 'tried';
}

/** Sandboxes that wait for commands of one policy, image and workspace. `run` claims one with `pool`. */
export interface ClusterPools {
  /** Makes a pool with this many waiting sandboxes, or changes the size of one that fits. */
  up(options: ClusterPoolOptions): Promise<ClusterPool>;
  /** Removes an unused pool. Returns the removed objects, as `SandboxWarmPool/fast`. */
  down(name: string): Promise<readonly string[]>;
  list(): Promise<readonly ClusterPool[]>;
}

export interface ClusterPoolOptions extends Pick<ClusterRunOptions, 'session' | 'image' | 'runtimeClass'> {
  readonly name: string;
  readonly size: number;
}

/** Reads the kubeconfig, and connects to nothing yet. Throws `HF_KUBECONFIG_INVALID`. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { connectCluster } = await import('./connection.ts');
  const unasked = connectCluster(options);
  const { namespace } = unasked;
  let asked: ClusterConnection | undefined;
  const connect: Connect = async () => (asked ??= await (await import('./ask-version.ts')).withVersion(unasked));
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
      // The plan comes first: if it fails, the API server is not asked.
      const request = clusterRequest(session, argv, { ...more, name, namespace });
      const connection = await connect();
      return startRun(connection, offeredTo(connection, request), more);
    },
    exec: async (name, argv, join) =>
      (await import('./exec-in-sandbox.ts')).execInSandbox(await connect(), { name, argv }, join),
    attach: async (name, join) => (await import('./exec-in-sandbox.ts')).attachToSandbox(await connect(), name, join),
    forward: async (name, forward) =>
      (await import('./forward/forward-to-sandbox.ts')).forwardToSandbox(await connect(), name, forward),
    async approvals(name, onChange) {
      const [{ askingContainers }, { followSandbox }] = await Promise.all([
        import('./find-sandbox.ts'),
        import('./approvals/follow-sandbox.ts'),
      ]);
      const connection = await connect();
      return followSandbox(connection, await askingContainers(connection, name), onChange);
    },
    async *logs(name, log) {
      yield* (await import('./read-logs.ts')).readLogs(await connect(), name, log);
    },
    stop: async (name, stop) => (await import('./stop-sandbox.ts')).stopSandbox(await connect(), name, stop),
    list: async () => (await import('./list-sandboxes.ts')).listSandboxes(await connect()),
    pools: poolsOf(namespace, connect),
    async doctor({ session, proof = 'asked', ...more }) {
      const [{ clusterRequest }, { examineCluster }] = await Promise.all([
        import('./cluster-request.ts'),
        import('./examine-cluster.ts'),
      ]);
      const planned = clusterRequest(session, ['true'], { ...more, name: 'holdfast-doctor', namespace });
      const connection = await connect();
      const request = offeredTo(connection, planned);
      const examination = await examineCluster(connection, request);
      if (proof === 'asked') return examination;
      const { proveCluster } = await import('./prove/prove-cluster.ts');
      return proveCluster(connection, { request, examination }, more);
    },
  };
}

/** Asks the API server for its versions, once. */
type Connect = () => Promise<ClusterConnection>;

function offeredTo({ target: { agentSandbox } }: ClusterConnection, request: ClusterRequest): ClusterRequest {
  return { ...request, agentSandbox };
}

function poolsOf(namespace: string, connect: Connect): ClusterPools {
  const load = () => import('./pools/manage-pools.ts');
  return {
    async up({ session, size, ...more }) {
      const [{ clusterRequest }, { poolUp }] = await Promise.all([import('./cluster-request.ts'), load()]);
      // The plan needs a command, and the pool has none.
      const request = clusterRequest(session, ['true'], { ...more, namespace });
      const connection = await connect();
      return poolUp(connection, offeredTo(connection, request), size);
    },
    down: async (name) => (await load()).poolDown(await connect(), name),
    list: async () => (await load()).listPools(await connect()),
  };
}
