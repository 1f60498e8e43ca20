/** What the journal says about itself. */
export type JournalOwnEvent =
  | JournalKeyedEvent
  | JournalRotatedEvent
  | JournalRepairedEvent
  | JournalLostEvent
  | JournalClockEvent
  | JournalBegunEvent;

/** From here on entries are chained with a key. Those before it anybody could have written. */
export interface JournalKeyedEvent {
  readonly type: 'journal.keyed';
  /** Names the key, and tells nothing of it. */
  readonly key: string;
}

/** The file before this one was full. Always the first entry of a file. */
export interface JournalRotatedEvent {
  readonly type: 'journal.rotated';
  /** Number of the file that begins here. */
  readonly part: number;
}

/** Half a line stood at the end, of an event that was never acknowledged, and was removed. */
export interface JournalRepairedEvent {
  readonly type: 'journal.repaired';
  /** Length of what was removed. */
  readonly bytes: number;
}

/**
 * The machine stopped before the last entries were on the disk. None of them was one that is kept before its effect.
 */
export interface JournalLostEvent {
  readonly type: 'journal.lost';
  /** How many. */
  readonly entries: number;
}

/** The clock of the machine was set since the entry before. */
export interface JournalClockEvent {
  readonly type: 'journal.clock';
  /** Milliseconds; negative for backwards. */
  readonly jump: number;
}

/** The journal before this one could not be used, and was moved aside. */
export interface JournalBegunEvent {
  readonly type: 'journal.begun';
  /** The directory beside this file that keeps it. */
  readonly aside: string;
  /** Why it could not be used. */
  readonly reason: string;
}
