import type { Plan } from '../plan/types.ts';

export type ClusterKind = 'sandbox' | 'pod';
/** Versions of the API of kubernetes-sigs/agent-sandbox. */
export type SandboxVersion = 'v1alpha1' | 'v1beta1';

/** All inputs of the manifests. */
export interface ClusterRequest {
  readonly plan: Plan;
  readonly kind: ClusterKind;
  readonly agentSandbox: SandboxVersion;
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
  /** Files and directories of the host that the image already has: the system's and Holdfast's own. */
  readonly ofImage: readonly string[];
  readonly policies: readonly ClusterPolicy[];
  readonly credentials: readonly PodCredential[];
  /** The Secrets of the namespace that hold them. */
  readonly secrets: readonly SecretReference[];
  /** Variables that a person allows into the box although they look like secrets. */
  readonly secretVariables: readonly string[];
  /** The part of a live run: a client sends the workspace, starts the command and collects its changes. */
  readonly run?: ClusterRunPart;
  /** Variables that make programs trust the supervisor's authority, whose files are in `trustDirectory`. */
  readonly trust: Readonly<Record<string, string>>;
  /** Options of `holdfast run` with grants: the launcher in the container gets them again. */
  readonly options: readonly string[];
}

/** The parts of a policy's credential that a pod needs. */
export interface PodCredential {
  readonly name: string;
  /** The variable of the supervisor that holds the secret. Undefined: its source is on this machine. */
  readonly variable: string | undefined;
  /** Variables of the box for its phantom, or for its clients beside it. */
  readonly phantoms: readonly string[];
  /** `some`: the box gets files of phantoms from the supervisor. */
  readonly files: 'some' | 'none';
  /** Names of its base URLs, which the supervisor routes to its host. */
  readonly routes: readonly string[];
  /** Its parts that a cluster cannot hold, in words. */
  readonly unheld: readonly string[];
}

/** One key of a `Secret`, for one credential. */
export interface SecretReference {
  readonly credential: string;
  readonly secret: string;
  readonly key: string;
}

export interface ClusterRunPart {
  /** ID of the run, which distinguishes its objects from others of the same name. */
  readonly id: string;
  readonly terminal: 'own' | 'none';
  /** `once`: the end of the first client's input is the end of the command's. `kept`: clients come and go. */
  readonly input: 'once' | 'kept';
  /** Expiry of a sandbox, unless its client moves it. Milliseconds since 1970. */
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
