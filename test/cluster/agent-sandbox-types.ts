import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec';
import type { IPersistentVolumeClaimSpec } from 'kubernetes-models/v1/PersistentVolumeClaimSpec';
import type { IPod } from 'kubernetes-models/v1/Pod';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';

/*
 * Client-writable fields of the API types of kubernetes-sigs/agent-sandbox. An API server drops other fields.
 * v1alpha1: Sandbox as of its commit 0282213, SandboxTemplate 10e1f28, SandboxClaim 0e79538, SandboxWarmPool c9de949.
 * v1beta1: Sandbox 040bc60, SandboxTemplate 0296eff, SandboxClaim 07b6d8d, SandboxWarmPool 1197eae.
 */

interface Named {
  readonly metadata: NonNullable<IPod['metadata']>;
}

interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: IPodSpec;
}

interface VolumeClaimTemplate {
  readonly metadata?: { readonly name?: string } & PodTemplate['metadata'];
  readonly spec: IPersistentVolumeClaimSpec;
}

interface Sandbox extends Named {
  readonly apiVersion: 'agents.x-k8s.io/v1alpha1';
  readonly kind: 'Sandbox';
  readonly spec: {
    readonly podTemplate: PodTemplate;
    readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[];
    readonly shutdownTime?: string;
    readonly shutdownPolicy?: 'Delete' | 'Retain';
    readonly replicas?: 0 | 1;
  };
}

interface SandboxTemplate extends Named {
  readonly apiVersion: 'extensions.agents.x-k8s.io/v1alpha1';
  readonly kind: 'SandboxTemplate';
  readonly spec: {
    readonly podTemplate: PodTemplate;
    readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[];
    readonly networkPolicy?: Pick<INetworkPolicySpec, 'ingress' | 'egress'>;
  };
}

interface SandboxClaim extends Named {
  readonly apiVersion: 'extensions.agents.x-k8s.io/v1alpha1';
  readonly kind: 'SandboxClaim';
  readonly spec: {
    readonly sandboxTemplateRef: { readonly name: string };
    readonly warmpool?: string;
    readonly lifecycle?: {
      readonly shutdownTime?: string;
      readonly shutdownPolicy?: 'Delete' | 'DeleteForeground' | 'Retain';
    };
  };
}

interface SandboxWarmPool extends Named {
  readonly apiVersion: 'extensions.agents.x-k8s.io/v1alpha1';
  readonly kind: 'SandboxWarmPool';
  readonly spec: { readonly replicas: number; readonly sandboxTemplateRef: { readonly name: string } };
}

interface Blueprint {
  readonly podTemplate: PodTemplate;
  readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[];
  readonly service?: boolean;
}

interface SandboxBeta extends Named {
  readonly apiVersion: 'agents.x-k8s.io/v1beta1';
  readonly kind: 'Sandbox';
  readonly spec: Blueprint & {
    readonly shutdownTime?: string;
    readonly shutdownPolicy?: 'Delete' | 'Retain';
    readonly operatingMode?: 'Running' | 'Suspended';
  };
}

interface SandboxTemplateBeta extends Named {
  readonly apiVersion: 'extensions.agents.x-k8s.io/v1beta1';
  readonly kind: 'SandboxTemplate';
  readonly spec: Blueprint & {
    readonly networkPolicy?: Pick<INetworkPolicySpec, 'ingress' | 'egress'>;
    readonly networkPolicyManagement?: 'Managed' | 'Unmanaged';
    readonly envVarsInjectionPolicy?: 'Allowed' | 'Overrides' | 'Disallowed';
    readonly volumeClaimTemplatesPolicy?: 'Allowed' | 'Overrides' | 'Disallowed';
    readonly generatedSecrets?: readonly {
      readonly name: string;
      readonly data: readonly { readonly key: string; readonly lengthBytes?: number }[];
    }[];
  };
}

interface SandboxClaimBeta extends Named {
  readonly apiVersion: 'extensions.agents.x-k8s.io/v1beta1';
  readonly kind: 'SandboxClaim';
  readonly spec: {
    readonly warmPoolRef: { readonly name: string };
    readonly lifecycle?: {
      readonly shutdownTime?: string;
      readonly ttlSecondsAfterFinished?: number;
      readonly shutdownPolicy?: 'Delete' | 'DeleteForeground' | 'Retain';
    };
    readonly additionalPodMetadata?: PodTemplate['metadata'];
    readonly safeToEvict?: 'on-completion' | 'true' | 'false';
    readonly env?: readonly { readonly name: string; readonly value: string; readonly containerName?: string }[];
  };
}

interface SandboxWarmPoolBeta extends Named {
  readonly apiVersion: 'extensions.agents.x-k8s.io/v1beta1';
  readonly kind: 'SandboxWarmPool';
  readonly spec: {
    readonly replicas: number;
    readonly sandboxTemplateRef: { readonly name: string };
    readonly updateStrategy?: { readonly type?: 'Recreate' | 'OnReplenish' };
  };
}

export type AgentSandboxObject =
  | Sandbox
  | SandboxTemplate
  | SandboxClaim
  | SandboxWarmPool
  | SandboxBeta
  | SandboxTemplateBeta
  | SandboxClaimBeta
  | SandboxWarmPoolBeta;
