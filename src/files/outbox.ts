import type { Pending } from './ledger.ts';

/** Bytes that may be on their way, requests and what is expected for them. What comes on top waits its turn. */
const mostOutstanding = 8 << 20;
const mostRequests = 1024;

/** Bounds what is on its way at a time, and keeps the rest in the order in which it came. */
export class Outbox {
  #waiting: Pending[] = [];
  #weight = 0;
  #requests = 0;

  /** Nothing is on its way, and nothing waits. */
  get isEmpty(): boolean {
    return this.#requests === 0 && this.#waiting.length === 0;
  }

  add(pending: Pending): void {
    this.#waiting.push(pending);
  }

  /** The next that may be sent; from now on it is on its way. */
  take(): Pending | undefined {
    const [next] = this.#waiting;
    if (next === undefined || !this.#fits(next)) return undefined;
    this.#waiting.shift();
    this.#weight += next.weight;
    this.#requests += 1;
    return next;
  }

  /** It has its answer, or was not sent after all. */
  finished({ weight }: Pending): void {
    this.#weight -= weight;
    this.#requests -= 1;
  }

  /** True when it still waited, and does so no more. */
  remove(pending: Pending): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((other) => other !== pending);
    return this.#waiting.length < before;
  }

  takeWaiting(): readonly Pending[] {
    return this.#waiting.splice(0);
  }

  /** One that is too large for all bounds goes alone. */
  #fits({ weight }: Pending): boolean {
    return this.#requests === 0 || (this.#requests < mostRequests && this.#weight + weight <= mostOutstanding);
  }
}
