import type { Answer, Enforced, Question } from '../../notify/types.ts';
import type { NotifyGroup, Mount } from '../../plan/index.ts';
import type { Place } from '../place.ts';

/** What the thread that supervises a box is started with. */
export interface ThreadData {
  readonly place: Place;
  readonly mounts: readonly Mount[];
  readonly groups: readonly NotifyGroup[];
  readonly session: string;
}

/** To the thread. All but the first are read when its wake descriptor was written to. */
export type ToThread =
  | { readonly kind: 'take'; readonly pid: number; readonly descriptor: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'end' };

export type FromThread =
  /** The listener is held; `wake` is an eventfd of this process. */
  | { readonly kind: 'ready'; readonly wake: number }
  /** There is no box any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'enforced'; readonly event: Enforced };
