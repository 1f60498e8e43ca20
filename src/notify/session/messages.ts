import type { MessagePort } from 'node:worker_threads';
import type { Place } from '../../place/place.ts';
import type { Mount } from '../../plan/mount.ts';
import type { DeniedProgram, NotifyGroup, Plan } from '../../plan/types.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { HeldPath, WholeNetwork, WholeOptions } from '../supervise/context.ts';
import type { AllowOrDeny, Enforced, PinnedProgram, AccessQuestion } from '../types.ts';

/** The data that a thread starts with, before it has a box. */
export interface ThreadStart {
  readonly place: Place;
  /**
   * An eventfd of this process. A write to it wakes a thread that waits in the kernel, because there is a message to
   * read.
   */
  readonly wake: number;
}

/** The box that a thread supervises. */
export interface SupervisedBox {
  readonly mounts: readonly Mount[];
  readonly groups: readonly NotifyGroup[];
  readonly programs: readonly DeniedProgram[];
  readonly settled: SettledCommands;
  readonly pinned: readonly PinnedProgram[];
  readonly session: string;
  /** For a box without mounts. */
  readonly whole?: WholeData;
}

export interface WholeData extends Omit<WholeOptions, 'network' | 'found'> {
  readonly network?: Omit<WholeNetwork, 'announce'> & { readonly announcements: MessagePort };
}

/** Messages to the thread: a box, then its listener. The thread reads later messages after a write to `wake`. */
export type ToThread =
  | { readonly kind: 'box'; readonly box: SupervisedBox }
  /** A listener, as a descriptor of this process. */
  | { readonly kind: 'take'; readonly listener: number; readonly found: readonly HeldPath[] }
  /** All protected paths, sent before the first call of the command. They replace those that came with the listener. */
  | { readonly kind: 'found'; readonly found: readonly HeldPath[] }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AllowOrDeny }
  | { readonly kind: 'settled'; readonly commands: SettledCommands }
  /** The box has ended. A thread that no longer serves it already knows. */
  | { readonly kind: 'end' }
  /** No further box will come. */
  | { readonly kind: 'leave' };

export type FromThread =
  /** The policy is loaded. From now on the box waits only for answers. */
  | { readonly kind: 'serving' }
  | { readonly kind: 'ask'; readonly question: AccessQuestion }
  | { readonly kind: 'enforced'; readonly event: Enforced }
  /** The last message about a box. The thread forgets the box, and may get another. */
  | { readonly kind: 'over' };

export type SettledCommands = NonNullable<Plan['command']['settled']>;

type Command = Pick<ExecRequest, 'program' | 'argv'>;

/** Decisions about commands when they entered the box, by program and arguments. */
export interface CommandMemory {
  add(commands: SettledCommands): void;
  /** Whether a person has been asked about it. */
  isApproved(command: Command): boolean;
  /** The arguments of the original command, if Holdfast replaced it with this one. */
  judgedAs(command: Command): readonly string[] | undefined;
}

export function settledCommands(first: SettledCommands): CommandMemory {
  const approved = new Set<string>();
  const placed = new Map<string, readonly string[]>();
  const keyOf = ({ program, argv }: Command): string => JSON.stringify([program, ...argv.slice(1)]);
  const add = (commands: SettledCommands): void => {
    for (const command of commands) {
      if (command.insteadOf === undefined) approved.add(keyOf(command));
      else placed.set(keyOf(command), command.insteadOf);
    }
  };
  add(first);
  return {
    add,
    isApproved: (command) => approved.has(keyOf(command)),
    judgedAs: (command) => (placed.size === 0 ? undefined : placed.get(keyOf(command))),
  };
}
