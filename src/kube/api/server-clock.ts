/** Milliseconds. `Date` has whole seconds, and an answer takes time. */
const tolerance = 5000;
/** Later seconds have five digits in their year, which no time of Kubernetes has. */
const lastDay = Date.UTC(9998, 0);

/**
 * The API server's clock, from the `Date` of its answers (RFC 9110, section 6.6.1). The expiry of objects follows that
 * clock.
 */
export class ServerClock {
  #ahead = 0;

  /** Ignores all texts but dates. */
  hear(date: string | undefined): void {
    const time = Date.parse(date ?? '');
    if (!(time > 0 && time < lastDay)) return;
    const ahead = time - Date.now();
    this.#ahead = Math.abs(ahead) < tolerance ? 0 : ahead;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Milliseconds that it is ahead of this machine's clock. Negative: behind. */
  get ahead(): number {
    return this.#ahead;
  }
}
