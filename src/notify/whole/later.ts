import { KernelError } from '../../kernel/index.ts';
import type { Listener } from '../listener/listener.ts';
import { eacces } from '../supervise/answer-call.ts';

/** Calls that wait for an event without a notification. They are tried again and again. */
export interface Later {
  /** `attempt` answers the call and reports that, or is tried again. `over` releases its resources. */
  add(waiting: Attempt): void;
  /** Milliseconds until the next attempts are due; undefined when nothing waits. */
  patience(): number | undefined;
  retry(): void;
  /** Call when the box has ended. */
  close(): void;
}

export interface Attempt {
  readonly id: bigint;
  readonly attempt: () => 'answered' | 'not-yet';
  readonly over?: () => void;
}

const pause = 2;
/** Waiting calls of one box. Beyond that, the caller is told to try again. */
const most = 4096;
const tryAgain = 11;

export function openLater(listener: Listener): Later {
  const waiting = new Set<Attempt>();
  const settle = (each: Attempt): void => {
    const isOver = !listener.isCurrent(each.id) || tried(listener, each) === 'answered';
    if (!isOver) return;
    waiting.delete(each);
    each.over?.();
  };
  return {
    add(each) {
      if (waiting.size < most) {
        waiting.add(each);
        settle(each);
      } else {
        listener.answer(each.id, -tryAgain);
        each.over?.();
      }
    },
    patience: () => (waiting.size === 0 ? undefined : pause),
    retry: () => {
      for (const each of waiting) settle(each);
    },
    close: () => {
      for (const each of waiting) each.over?.();
      waiting.clear();
    },
  };
}

function tried(listener: Listener, { id, attempt }: Attempt): 'answered' | 'not-yet' {
  try {
    return attempt();
  } catch (error) {
    listener.answer(id, error instanceof KernelError ? -error.errno : -eacces);
    return 'answered';
  }
}
