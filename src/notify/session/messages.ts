import type { MessagePort } from 'node:worker_threads';
import type { Place } from '../../place/place.ts';
import type { DeniedProgram, Mount, NotifyGroup, Plan } from '../../plan/types.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { HeldPath, WholeNetwork, WholeOptions } from '../supervise/context.ts';
import type { AllowOrDeny, Enforced, PinnedProgram, AccessQuestion } from '../types.ts';

/** The initial data of a thread, before it has a box. */
export interface ThreadStart {
  readonly place: Place;
  /** An eventfd of this process: written to when there is something to read for a thread that waits in the kernel. */
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

/** To the thread: a box, then its listener. What comes after that is read when `wake` was written to. */
export type ToThread =
  | { readonly kind: 'box'; readonly box: SupervisedBox }
  /** A listener, as a descriptor of this process. */
  | { readonly kind: 'take'; readonly listener: number; readonly found: readonly HeldPath[] }
  /** All that is held, in the place of what came with the listener: before the first call of the command. */
  | { readonly kind: 'found'; readonly found: readonly HeldPath[] }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AllowOrDeny }
  | { readonly kind: 'settled'; readonly commands: SettledCommands }
  /** The box is over. A thread without one has heard of it before. */
  | { readonly kind: 'end' }
  /** There is no other box. */
  | { readonly kind: 'leave' };

export type FromThread =
  /** The policy is loaded: from now on the box waits for nothing but answers. */
  | { readonly kind: 'serving' }
  | { readonly kind: 'ask'; readonly question: AccessQuestion }
  | { readonly kind: 'enforced'; readonly event: Enforced }
  /** The last message about a box: the thread forgets it, and may get another. */
  | { readonly kind: 'over' };

export type SettledCommands = NonNullable<Plan['command']['settled']>;

type Command = Pick<ExecRequest, 'program' | 'argv'>;

/** Decisions about commands of a box when the first of them entered: the same program with the same words. */
export interface CommandMemory {
  add(commands: SettledCommands): void;
  /** Whether a person has been asked about it. */
  isApproved(command: Command): boolean;
  /** The words of the command in whose place Holdfast has put this one. */
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
