import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import type { FileResult } from './types.ts';

/** State of a request's operations after its worker ended. */
export interface Loss {
  /** Indices of answered operations, including refused ones. */
  readonly done: readonly number[];
  /** Indices of operations that may have been done. Check before you repeat them. */
  readonly inDoubt: readonly number[];
  /** Indices of operations that never began. */
  readonly notRun: readonly number[];
  /** Results of the answered operations. */
  readonly results: readonly FileResult[];
}

export interface LossOptions {
  /**
   * Position among the unanswered requests. A worker does one operation at a time, so only the `first` can have begun.
   * `unknown` if the worker is not trusted.
   */
  readonly position: 'first' | 'later' | 'unknown';
  readonly reason: string;
  readonly cause?: unknown;
}

interface Unanswered {
  readonly operations: readonly unknown[];
  readonly results: readonly FileResult[];
}

/** Returns the error of a call whose worker ended before its answer. Nothing is ever sent again automatically. */
export function lossOf(unanswered: Unanswered, { position, reason, cause }: LossOptions): HoldfastError {
  return lossError(lossIn(unanswered, position), reason, cause);
}

export function lossError(loss: Loss, reason: string, cause?: unknown): HoldfastError {
  const { done, inDoubt, notRun } = loss;
  const doubt = inDoubt.length === 0 ? 'and no other was begun' : `${inDoubt.length} may have been done`;
  return new HoldfastError(
    'HF_FILES_WORKER_ENDED',
    `the files worker ended (${reason}): of ${done.length + inDoubt.length + notRun.length} operations ${done.length} were answered, ${doubt}`,
    {
      remedy:
        inDoubt.length === 0
          ? 'make the call again: another worker starts'
          : 'check the files, then make the call again: another worker starts',
      details: { ...loss, reason },
      cause,
    },
  );
}

function lossIn({ operations, results }: Unanswered, position: LossOptions['position']): Loss {
  const all = [...operations.keys()];
  const rest = all.slice(results.length);
  const doubtful = position === 'first' ? rest.slice(0, 1) : position === 'unknown' ? rest : [];
  return { done: all.slice(0, results.length), inDoubt: doubtful, notRun: rest.slice(doubtful.length), results };
}

export function lostWatch(reason: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_FILES_WORKER_ENDED',
    `the files worker ended (${reason}), and its watches ended with it`,
    {
      remedy: 'watch again, and check for changes made meanwhile',
      cause,
    },
  );
}

/** Without a confined worker nothing is done, because there is no other way to the files. */
export function workerUnavailable(cause: unknown): HoldfastError {
  if (isHoldfastError(cause) && cause.code === 'HF_FILES_UNAVAILABLE') return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HoldfastError('HF_FILES_UNAVAILABLE', `no confined files worker is available here: ${why}`, {
    remedy: isHoldfastError(cause) ? cause.remedy : 'run `make -C native` in the repository, or reinstall holdfast',
    cause,
  });
}
