/** One time limit for several steps. When it has passed, its signal aborts with a `DeadlinePassed`. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Call this after all steps. `AbortSignal.timeout` would keep a timer for each connection. */
  clear(): void;
}

export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

export function deadlineOf(milliseconds: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlinePassed()), milliseconds);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
