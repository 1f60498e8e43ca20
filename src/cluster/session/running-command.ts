import { isHoldfastError, HoldfastError } from '../../errors/index.ts';
import { removeRun, undoRun } from './clean-up.ts';
import type { MadeObject } from './cluster-objects.ts';
import { type ClusterConnection, uninterrupted } from './connection.ts';
import type { FoundPod } from './find-sandbox.ts';
import { type CollectedChanges, collectChanges } from './journey/collect-changes.ts';
import { type CollectedJournal, collectJournal } from './journey/collect-journal.ts';
import { forgetRun, type RememberedRun } from './journey/remember-sent.ts';
import { lease, renewLease } from './lease.ts';
import type { CommandExit } from './pod-state.ts';
import type { CommandStreams, StartedBy } from './run-way.ts';
import { signalCommand } from './signal-command.ts';
import type { ClusterCommand, ClusterEnd, RunStart } from './types.ts';

export interface RunParts {
  readonly connection: ClusterConnection;
  readonly name: string;
  readonly pod: string;
  /** ID of the run. */
  readonly run: string;
  readonly owner: MadeObject;
  readonly made: readonly MadeObject[];
  readonly remembered: RememberedRun;
  readonly streams: CommandStreams;
  readonly startedBy: StartedBy;
  readonly supervisor: FoundPod['supervisor'];
  readonly start: RunStart;
  /** Its ports on this machine, and its questions. They end with the command. */
  readonly beside: { close(): void };
}

/** A command that this client has started. */
export class RunningCommand implements ClusterCommand {
  readonly name: string;
  readonly namespace: string;
  readonly ended: Promise<ClusterEnd>;
  readonly #parts: RunParts;
  readonly #renewal: NodeJS.Timeout | undefined;
  readonly #left = Promise.withResolvers<'left'>();

  constructor(parts: RunParts) {
    const { connection, name, start, owner } = parts;
    this.#parts = parts;
    this.name = name;
    this.namespace = connection.namespace;
    if (owner.kind !== 'Pod' && start.mode !== 'detached')
      this.#renewal = setInterval(() => void renewLease(connection, owner), lease / 3).unref();
    if (start.mode === 'detached') this.leave();
    this.ended = this.#end().finally(() => clearInterval(this.#renewal));
    this.ended.catch(() => undefined);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#parts.streams.current.write(bytes);
  }

  endInput(): Promise<void> {
    return this.#parts.streams.current.endInput();
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#parts.streams.current.resize(size);
  }

  signal(name: NodeJS.Signals): void {
    const { connection, pod, start, startedBy } = this.#parts;
    signalCommand(connection, { pod, startedBy }, name).catch((error: unknown) =>
      start.onNotice(isHoldfastError(error) ? error.message : String(error)),
    );
  }

  leave(): void {
    this.#left.resolve('left');
  }

  async #end(): Promise<ClusterEnd> {
    const { connection, name, made, streams, beside } = this.#parts;
    let seen: CommandExit | 'left';
    try {
      seen = await Promise.race([streams.until(), this.#left.promise]);
    } catch (error) {
      if (streams.afterLoss === 'keep') throw error;
      forgetRun(connection.state, this.#parts.run);
      throw await undoRun(error, { connection, name, made });
    } finally {
      streams.current.close();
      beside.close();
    }
    if (seen === 'left') return { kind: 'left' };
    const changes = await this.#collect();
    const journal = await this.#journal();
    try {
      await removeRun(uninterrupted(connection), name, made.toReversed());
    } catch (error) {
      throw await undoRun(error, { connection, name, made });
    } finally {
      forgetRun(connection.state, this.#parts.run);
    }
    return { kind: 'ended', ...seen, changes, ...(journal === undefined ? {} : { journal }) };
  }

  /** A missing journal is worth a line, and not a remaining sandbox. */
  async #journal(): Promise<CollectedJournal | undefined> {
    const { connection, pod, run, remembered, supervisor, start } = this.#parts;
    if (supervisor === 'none') return undefined;
    const collected = await collectJournal(connection, { pod, run, workspace: remembered.sent.workspace });
    if (!('failed' in collected)) return collected;
    start.onNotice(`the journal of the pod’s supervisor did not come home: ${collected.failed}`);
    return undefined;
  }

  /** The work is worth more than a clean cluster: changes that cannot be collected now stay there. */
  async #collect(): Promise<CollectedChanges> {
    const { connection, name, pod, run, remembered } = this.#parts;
    try {
      return await collectChanges(connection, { pod, run }, remembered);
    } catch (cause) {
      const why = isHoldfastError(cause) ? cause.message : String(cause);
      throw new HoldfastError('HF_CLUSTER_FAILED', `the command ended, but its changes did not come home: ${why}`, {
        remedy: `\`holdfast cluster stop ${name}\` tries again, and \`--discard\` drops them; the sandbox is still there`,
        cause,
      });
    }
  }
}
