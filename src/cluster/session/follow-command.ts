import { setTimeout as sleep } from 'node:timers/promises';
import { isHoldfastError } from '../../errors/index.ts';
import { pathOf, type RemoteStream, watchUntil } from '../../kube/index.ts';
import { selectorOf } from './cluster-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { brokenError, type CommandExit, podState, supervisorEnd } from './pod-state.ts';

export interface FollowedCommand {
  readonly connection: ClusterConnection;
  readonly name: string;
  readonly attach: () => Promise<RemoteStream>;
  readonly onNotice: (line: string) => void;
}

/**
 * Waits for the end of the command's container, in an existing pod. Reports once that its supervisor has ended: the
 * next one has other secrets, so it refuses the boxes of this one.
 */
export function commandExit(
  { target, namespace }: ClusterConnection,
  name: string,
  {
    onNotice = () => undefined,
    selected = { labels: selectorOf(name) },
  }: {
    readonly onNotice?: (line: string) => void;
    /** Default: the pod with the run's name. */
    readonly selected?: { readonly labels: string } | { readonly name: string };
  } = {},
): Promise<CommandExit> {
  let told: 'nothing' | 'end' = 'nothing';
  return watchUntil(
    {
      path: pathOf({ kind: 'Pod', namespace }),
      selected,
      doing: 'list pods',
      awaited: () => 'the end of the command',
    },
    target,
    ([pod]) => {
      if (pod === undefined)
        throw brokenError({ why: 'the pod is gone, and the command with it', remedy: 'run the command again' });
      const state = podState(pod);
      if (state.kind === 'broken') throw brokenError(state);
      if (state.kind === 'ended') return state.end;
      const why = supervisorEnd(pod);
      if (why === undefined || told === 'end') return undefined;
      told = 'end';
      onNotice(
        `the supervisor of ${name} ended (${why}): the command has no network any more; run it again to get one`,
      );
      return undefined;
    },
  );
}

/** Milliseconds for late output after the end of the command. */
const lastOutput = 5000;
const mostAttempts = 8;

/** The streams of a command, over as many connections as necessary. */
export class FollowedStreams {
  readonly #followed: FollowedCommand;
  #stream: RemoteStream;

  constructor(stream: RemoteStream, followed: FollowedCommand) {
    this.#stream = stream;
    this.#followed = followed;
  }

  get current(): RemoteStream {
    return this.#stream;
  }

  /** Resolves when the command has ended and its output is here. */
  async until(exit: Promise<CommandExit>): Promise<CommandExit> {
    const exited = exit.then(() => 'exited' as const);
    for (;;) {
      const first = await Promise.race([exited, this.#stream.ended]);
      if (first === 'exited') break;
      if (first.kind !== 'lost') return exit;
      this.#followed.onNotice(
        `the connection to the command was cut; \`holdfast cluster logs ${this.#followed.name}\` has its output`,
      );
      if ((await this.#again(exited)) === 'exited') return exit;
    }
    await Promise.race([this.#stream.ended, sleep(lastOutput, undefined, { ref: false })]);
    this.#stream.close();
    return exit;
  }

  async #again(exited: Promise<'exited'>): Promise<'attached' | 'exited'> {
    for (let attempts = 1; ; attempts += 1) {
      const pause = sleep(Math.min(10_000, 250 * 2 ** attempts), 'waited' as const);
      if ((await Promise.race([exited, pause])) === 'exited') return 'exited';
      try {
        this.#stream = await this.#followed.attach();
        return 'attached';
      } catch (error) {
        if (!isHoldfastError(error) || attempts >= mostAttempts) throw error;
      }
    }
  }
}
