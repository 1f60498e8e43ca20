import type { Answer, Enforced, PinnedProgram, Question } from '../../notify/types.ts';
import type { DeniedProgram, NotifyGroup, Mount } from '../../plan/index.ts';
import type { SettledCommands } from './supervision.ts';
import type { Place } from '../place.ts';

/** What the thread that supervises a box is started with. */
export interface ThreadData {
  readonly place: Place;
  readonly mounts: readonly Mount[];
  readonly groups: readonly NotifyGroup[];
  readonly programs: readonly DeniedProgram[];
  readonly settled: SettledCommands;
  readonly pinned: readonly PinnedProgram[];
  readonly session: string;
  /** An eventfd of this process: written to when there is something to read beside the first message. */
  readonly wake: number;
}

/** To the thread. All but the first are read when `wake` was written to. */
export type ToThread =
  /** A listener, as a descriptor of this process. */
  | { readonly kind: 'take'; readonly listener: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'settled'; readonly commands: SettledCommands }
  | { readonly kind: 'end' };

export type FromThread =
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'enforced'; readonly event: Enforced };
