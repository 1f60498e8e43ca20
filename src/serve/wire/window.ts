import { limits } from '../limits.ts';
import { malformed } from './frame.ts';

/** How many bytes of a stream may be sent before the other side has taken some. */
export class Window {
  #left: number = limits.window;
  #closed = false;
  #waiting: (() => void)[] = [];

  /** Waits for room; gives how many of so many bytes may go now, 0 when the other side is gone. */
  async take(wanted: number): Promise<number> {
    while (this.#left === 0 && !this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#closed) return 0;
    const taken = Math.min(wanted, this.#left);
    this.#left -= taken;
    return taken;
  }

  /** Throws `HF_SERVE_PROTOCOL` for more than was ever taken. */
  give(bytes: number): void {
    if (this.#left + bytes > limits.window) throw malformed('more credit than there is');
    this.#left += bytes;
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
