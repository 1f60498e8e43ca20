import type { CommandExit } from './pod-state.ts';
export type { ClusterKind } from '../index.ts';
export type { Patience } from '../../kube/index.ts';
import type { CollectedChanges } from './journey/collect-changes.ts';
import type { CollectedJournal } from './journey/collect-journal.ts';

export type ClusterOutput = (stream: 'stdout' | 'stderr', bytes: Buffer) => Promise<void> | void;

export interface RunStart {
  /** Milliseconds within which the pod has to run. Default: five minutes. */
  readonly wait?: number;
  /** The command gets a terminal of its own. Default: `none`. */
  readonly terminal?: 'own' | 'none';
  /** `detached`: the command continues without this client. Default: `foreground`. */
  readonly mode?: 'foreground' | 'detached';
  /**
   * `told`: a person reads `onNotice`. Then questions of the supervisor and of the box wait, and a line names the place
   * to answer. Default: `unheard`.
   */
  readonly questions?: 'told' | 'unheard';
  /** Gets output in order. The next bytes wait for the promise. */
  readonly onOutput: ClusterOutput;
  /** Gets lines for a person about lost connections and entries that stayed here. */
  readonly onNotice: (line: string) => void;
}

/** A command in a cluster. */
export interface ClusterCommand {
  readonly name: string;
  readonly namespace: string;
  /** Resolves when the bytes are on their way. Drops them after the end. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): Promise<void>;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Sends a signal to the command. */
  signal(name: NodeJS.Signals): void;
  /** Leaves the command in the cluster. */
  leave(): void;
  /**
   * The end of the command. By then, a run in the foreground has collected its changes and removed its objects. Rejects
   * with `HF_CLUSTER_FAILED` and `HF_CLUSTER_UNREACHABLE`.
   */
  readonly ended: Promise<ClusterEnd>;
}

export type ClusterEnd =
  | (CommandExit & { readonly kind: 'ended'; readonly changes?: CollectedChanges; readonly journal?: CollectedJournal })
  /** The command continues without this client. */
  | { readonly kind: 'left' };
