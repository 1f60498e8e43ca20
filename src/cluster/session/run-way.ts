import type { RemoteStream } from '../../kube/index.ts';
import type { KubernetesObject } from '../index.ts';
import type { MadeObject } from './cluster-objects.ts';
import type { CommandExit } from './pod-state.ts';

/** The way in which a run gets its pod and reaches its command there. */
export interface RunWay {
  /** Checks before any object is made. */
  check(): Promise<void>;
  /** In this order. The last one owns the others. */
  readonly manifests: readonly KubernetesObject[];
  /** Waits for the pod, and returns its name. */
  pod(owner: MadeObject): Promise<string>;
  /** Starts the command in a pod with the workspace. */
  connect(pod: string): Promise<CommandStreams>;
  readonly startedBy: StartedBy;
}

/** `container`: the command is the first process of its container. `exec`: it came later. */
export type StartedBy = 'container' | 'exec';

export interface CommandStreams {
  readonly current: RemoteStream;
  /** Resolves when the command has ended and its output is here. */
  until(): Promise<CommandExit>;
  /** For a command that cannot be followed any more: `keep` its sandbox for `stop`, or `remove` it. */
  readonly afterLoss: 'keep' | 'remove';
}
