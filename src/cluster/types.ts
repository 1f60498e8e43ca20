import type { Plan } from '../plan/types.ts';

export type ClusterKind = 'sandbox' | 'pod';

/** Everything that manifests are made from. */
export interface ClusterRequest {
  readonly plan: Plan;
  readonly kind: ClusterKind;
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** `claim`: a template and a claim on it, instead of a sandbox. */
  readonly delivery: 'direct' | 'claim';
  /** Sandboxes that wait. Default: no pool. */
  readonly pool?: number;
  /** Default: what the demanded guarantees need. */
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
  /** Options of `holdfast run` that grant something: the launcher in the container gets them again. */
  readonly options: readonly string[];
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
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: Labels };
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, string>>;
