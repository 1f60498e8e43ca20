import { HoldfastError } from '../../errors/index.ts';
import type { CommandEnding } from './command-handle.ts';

export interface EarlyEnd {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs?: number;
}

/** The longest time that a timer of Node can wait; beyond it fires at once. */
const longest = 2 ** 31 - 1;

/**
 * Ends a box when its time is over or its signal is aborted. Called at the end it lets go of both, and says which of
 * them it was, if any.
 */
export function endsEarly(end: () => void, { signal, timeoutMs }: EarlyEnd): () => CommandEnding | undefined {
  let ending: CommandEnding | undefined;
  const endAs = (why: CommandEnding): void => {
    ending ??= why;
    end();
  };
  const abort = (): void => endAs('aborted');
  const timer = timeoutMs === undefined ? undefined : setTimeout(endAs, timeoutMs, 'timed-out').unref();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    return ending;
  };
}

/** Throws `HF_USAGE` for a time that is none. */
export function checkTime({ timeoutMs = 0 }: EarlyEnd): void {
  if (timeoutMs >= 0 && timeoutMs <= longest) return;
  throw new HoldfastError('HF_USAGE', `timeoutMs is ${timeoutMs}`, { remedy: `give milliseconds, 0 to ${longest}` });
}
