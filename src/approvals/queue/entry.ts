import type { Outcome, PendingApproval, Subject } from '../types.ts';

/** One question and who waits for its answer. */
export interface Entry {
  readonly subject: Subject;
  readonly rule: string;
  approval: PendingApproval;
  readonly waiters: Set<Waiter>;
  /** When it was asked, in milliseconds that never jump. */
  readonly since: number;
  /** Characters of its lines. */
  readonly size: number;
  /** Calls the time-out off. */
  cancel: () => void;
}

export type Waiter = (outcome: Outcome) => void;

/** Names for people: twelve digits of a hash, or as many more as it takes to differ from every other that waits. */
export class Identifiers {
  readonly #taken = new Set<string>();

  take(hash: string): string {
    let length = shortest;
    while (length < hash.length && this.#taken.has(hash.slice(0, length))) length += 1;
    const id = hash.slice(0, length);
    this.#taken.add(id);
    return id;
  }

  release(id: string): void {
    this.#taken.delete(id);
  }
}

const shortest = 12;
