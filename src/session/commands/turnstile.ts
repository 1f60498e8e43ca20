/**
 * Lets a few commands start at a time, because building several boxes at once slows them all down. Also limits how many
 * run.
 */
export class Turnstile {
  readonly #most: TurnstileLimits;
  readonly #waiting = new Set<(pass: TurnstilePass) => void>();
  #starting = 0;
  #running = 0;

  constructor(most: TurnstileLimits) {
    this.#most = most;
  }

  /** In the order of the calls. Rejects with the signal's reason if the signal is aborted first. */
  enter(left: AbortSignal): Promise<TurnstilePass> {
    return new Promise((resolve, reject) => {
      left.throwIfAborted();
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(left.reason as Error);
      };
      const enter = (pass: TurnstilePass): void => {
        left.removeEventListener('abort', leave);
        resolve(pass);
      };
      left.addEventListener('abort', leave, { once: true });
      this.#waiting.add(enter);
      this.#admit();
    });
  }

  /** Returns a pass at once, or undefined if the caller would have to wait. */
  tryEnter(): TurnstilePass | undefined {
    return this.#waiting.size === 0 && this.#hasRoom() ? this.#pass() : undefined;
  }

  #hasRoom(): boolean {
    return this.#starting < this.#most.starting && this.#running < this.#most.running;
  }

  #admit(): void {
    for (const enter of this.#waiting) {
      if (!this.#hasRoom()) return;
      this.#waiting.delete(enter);
      enter(this.#pass());
    }
  }

  #pass(): TurnstilePass {
    this.#starting += 1;
    this.#running += 1;
    const started = once(() => (this.#starting -= 1));
    const ended = once(() => (this.#running -= 1));
    const after = (...steps: readonly (() => void)[]): void => {
      for (const step of steps) step();
      this.#admit();
    };
    return { started: () => after(started), ended: () => after(started, ended) };
  }
}

export interface TurnstileLimits {
  readonly starting: number;
  readonly running: number;
}

export interface TurnstilePass {
  /** Call when the command runs and is expected to run for a while. */
  started(): void;
  /** Call at the end, even for a command that never started. */
  ended(): void;
}

function once(step: () => void): () => void {
  let done = false;
  return () => {
    if (!done) step();
    done = true;
  };
}
