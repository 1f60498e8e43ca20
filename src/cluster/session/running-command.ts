import { isHoldfastError, HoldfastError } from '../../errors/index.ts';
import { callFor, pathOf, type RemoteStream } from '../../kube/index.ts';
import { removeRun, undoRun } from './clean-up.ts';
import type { MadeObject } from './cluster-objects.ts';
import { type ClusterConnection, uninterrupted } from './connection.ts';
import { commandExit, FollowedStreams } from './follow-command.ts';
import { type CollectedChanges, collectChanges } from './journey/collect-changes.ts';
import { forgetRun, type RememberedRun } from './journey/remember-sent.ts';
import type { CommandExit } from './pod-state.ts';
import { signalCommand } from './signal-command.ts';
import type { ClusterCommand, ClusterEnd, RunStart } from './types.ts';

/** Milliseconds. The controller removes a sandbox whose client has not renewed it for so long. */
export const lease = 1_800_000;

export interface RunParts {
  readonly connection: ClusterConnection;
  readonly name: string;
  readonly pod: string;
  /** ID of the run. */
  readonly run: string;
  readonly owner: MadeObject;
  readonly made: readonly MadeObject[];
  readonly remembered: RememberedRun;
  readonly attach: () => Promise<RemoteStream>;
  readonly stream: RemoteStream;
  readonly start: RunStart;
}

/** A command that this client has started. */
export class RunningCommand implements ClusterCommand {
  readonly name: string;
  readonly namespace: string;
  readonly ended: Promise<ClusterEnd>;
  readonly #parts: RunParts;
  readonly #streams: FollowedStreams;
  readonly #renewal: NodeJS.Timeout | undefined;
  readonly #left = Promise.withResolvers<'left'>();

  constructor(parts: RunParts) {
    const { connection, name, attach, stream, start, owner } = parts;
    this.#parts = parts;
    this.name = name;
    this.namespace = connection.namespace;
    this.#streams = new FollowedStreams(stream, { connection, name, attach, onNotice: start.onNotice });
    if (owner.kind === 'Sandbox' && start.mode !== 'detached')
      this.#renewal = setInterval(() => void this.#renew(), lease / 3).unref();
    if (start.mode === 'detached') this.leave();
    this.ended = this.#end().finally(() => clearInterval(this.#renewal));
    this.ended.catch(() => undefined);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#streams.current.write(bytes);
  }

  endInput(): Promise<void> {
    return this.#streams.current.endInput();
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.#streams.current.resize(size);
  }

  signal(name: NodeJS.Signals): void {
    const { connection, pod, start } = this.#parts;
    signalCommand(connection, pod, name).catch((error: unknown) =>
      start.onNotice(isHoldfastError(error) ? error.message : String(error)),
    );
  }

  leave(): void {
    this.#left.resolve('left');
  }

  async #end(): Promise<ClusterEnd> {
    const { connection, name, made } = this.#parts;
    const exit = commandExit(connection, name);
    exit.catch(() => undefined);
    let seen: CommandExit | 'left';
    try {
      seen = await Promise.race([this.#streams.until(exit), this.#left.promise]);
    } catch (error) {
      forgetRun(connection.state, this.#parts.run);
      throw await undoRun(error, { connection, name, made });
    } finally {
      this.#streams.current.close();
    }
    if (seen === 'left') return { kind: 'left' };
    const changes = await this.#collect();
    try {
      await removeRun(uninterrupted(connection), name, made.toReversed());
    } catch (error) {
      throw await undoRun(error, { connection, name, made });
    } finally {
      forgetRun(connection.state, this.#parts.run);
    }
    return { kind: 'ended', ...seen, changes };
  }

  /** Work is worth more than a clean cluster: what cannot be collected now stays there. */
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

  /** A failure is tried again with the next renewal. */
  async #renew(): Promise<void> {
    const { connection, owner } = this.#parts;
    const shutdownTime = new Date(Date.now() + lease).toISOString().replace(/\.\d+Z$/u, 'Z');
    const call = {
      method: 'PATCH',
      path: pathOf(owner),
      doing: `patch the Sandbox ${JSON.stringify(owner.name)}`,
      contentType: 'application/merge-patch+json',
      body: { spec: { shutdownTime } },
    } as const;
    await callFor(call, connection.target).catch(() => undefined);
  }
}
