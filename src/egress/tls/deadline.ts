/** One limit for several steps. Its reason, once it has passed, is a `DeadlinePassed`. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called when all steps are done; `AbortSignal.timeout` would keep a timer for each connection. */
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
