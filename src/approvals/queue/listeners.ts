import type { QueueChange } from '../types.ts';

/**
 * Whoever looks at the queue. All of them hear every change, in the order in which they happened: one that answers
 * while it is told makes a change that comes after this one for everybody.
 */
export class Listeners {
  readonly #listeners = new Set<(change: QueueChange) => void>();
  readonly #changes: QueueChange[] = [];
  #state: 'quiet' | 'telling' = 'quiet';

  add(listener: (change: QueueChange) => void): () => void {
    // The same function twice is two subscriptions.
    const own = (change: QueueChange): void => listener(change);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(change: QueueChange): void {
    this.#changes.push(change);
    if (this.#state === 'telling') return;
    this.#state = 'telling';
    for (let next = this.#changes.shift(); next !== undefined; next = this.#changes.shift()) this.#tellAll(next);
    this.#state = 'quiet';
  }

  /** A channel that fails is that channel's loss. One that comes meanwhile finds the change in what waits. */
  #tellAll(change: QueueChange): void {
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(change);
      } catch {
        // The others still have to hear it.
      }
    }
  }
}
