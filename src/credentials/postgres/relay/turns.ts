import type { Ledger } from './ledger.ts';

/** Whether a message that may run something goes on, and with what before it. */
export type Turn = 'go' | 'assert' | 'wait';

/**
 * Follows where transactions begin and end, with any number of messages on their way. A turn is what the client sends
 * up to a `Sync` or with a simple query.
 */
export interface Turns {
  /** Before a message that may run something. */
  next(): Turn;
  /** A portal is run. */
  runs(transactions: 'kept' | 'changed'): void;
  /** A `Sync` or a simple query goes on. */
  ends(transactions: 'kept' | 'changed'): void;
}

export interface TurnsOptions {
  readonly ledger: Pick<Ledger, 'status' | 'isEmpty'>;
  /** Whether each transaction has to be made read-only. */
  readonly mode: 'read-write' | 'read-only';
  /** Nothing new may begin at the moment: a cancel request is on its way, and would hit it. */
  readonly isPaused: () => boolean;
}

export function createTurns({ ledger, mode, isPaused }: TurnsOptions): Turns {
  let isOpen = false;
  /** A transaction may have ended within this turn, so that the next message may begin one. */
  let mayBegin = false;
  let changes = false;
  /**
   * Turns on their way change transactions: in which state the next one begins is not known before they are answered.
   */
  let isUnsure = false;

  return {
    next() {
      if (isOpen && !mayBegin) return 'go';
      const waits = !isOpen && (isPaused() || (isUnsure && !ledger.isEmpty));
      if (waits) return 'wait';
      const begins = mode === 'read-only' && (isOpen || ledger.status === 'I');
      isUnsure &&= isOpen;
      isOpen = true;
      mayBegin = false;
      return begins ? 'assert' : 'go';
    },
    runs(transactions) {
      if (transactions === 'kept' || mode === 'read-write') return;
      mayBegin = true;
      changes = true;
    },
    ends(transactions) {
      isUnsure ||= mode === 'read-only' && (changes || transactions === 'changed');
      changes = false;
      mayBegin = false;
      isOpen = false;
    },
  };
}
