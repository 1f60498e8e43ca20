import type { Plan } from '../plan/types.ts';

export type ClusterKind = 'sandbox' | 'pod';

/** Everything that manifests are made from. */
export interface ClusterRequest {
  readonly plan: Plan;
  readonly kind: ClusterKind;
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** Name of the pool whose sandbox a run claims. Default: a sandbox of its own. */
  readonly pool?: string;
  /** The pod of a pool, which waits idle. Its command comes by `exec`. */
  readonly waits?: 'for-claims';
  /** Default: by the demanded guarantees. */
  readonly runtimeClass?: string;
  readonly home: string;
  readonly workspace: string;
  /** Files and directories of the host that the image has by itself: the system's and Holdfast's own. */
  readonly ofImage: readonly string[];
  readonly policies: readonly ClusterPolicy[];
  /** Whether the policy has secrets for the boxes. */
  readonly credentials: 'none' | 'some';
  /** Variables that a person lets into the box although they look like secrets. */
  readonly secretVariables: readonly string[];
  /** The part of a live run: a client sends the workspace, starts the command and collects its changes. */
  readonly run?: ClusterRunPart;
  /** Options of `holdfast run` that grant something: the launcher in the container gets them again. */
  readonly options: readonly string[];
}

export interface ClusterRunPart {
  /** ID of the run, which tells its objects from others of the same name. */
  readonly id: string;
  readonly terminal: 'own' | 'none';
  /** `once`: the end of the first client's input is the end of the command's. `kept`: clients come and go. */
  readonly input: 'once' | 'kept';
  /** Of a sandbox: it is removed at this time, unless its client moves it. Milliseconds since 1970. */
  readonly expires?: number;
}

export interface ClusterPolicy {
  readonly kind: 'managed' | 'user' | 'project';
  /** Its path in the containers. */
  readonly file: string;
  readonly text: string;
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Labels;
    readonly annotations?: Labels;
  };
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, string>>;
