import { HoldfastError } from '../../errors/index.ts';
import type { Plan, Step } from './types.ts';

/** A name of the host does not hold what it was left with. */
export class StepConflict extends Error {
  readonly step: Step;

  constructor(step: Step, reason: string) {
    super(reason);
    this.step = step;
  }
}

/** The absolute path of a step for messages. */
export function nameOf({ roots }: Pick<Plan, 'roots'>, { root, path }: Pick<Step, 'root' | 'path'>): string {
  return `${roots[root]}/${path.toString()}`;
}

/** What the user reads when an accept could not be carried out. Everything was put back before. */
export function acceptFailed(plan: Plan, cause: unknown): unknown {
  if (cause instanceof StepConflict) {
    const path = nameOf(plan, cause.step);
    return new HoldfastError(
      'HF_STAGED_CONFLICT',
      `${JSON.stringify(path)}: ${cause.message}; everything is as it was before`,
      { remedy: 'look at it with `holdfast review` and accept again', cause, details: { paths: [path] } },
    );
  }
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError(
      'HF_DISK_FULL',
      'the disk is full: nothing was accepted, and the layer is as it was before',
      { remedy: 'make room, and accept again', cause },
    );
  if (code === undefined) return cause;
  return new HoldfastError(
    'HF_STAGED_FAILED',
    `accepting failed (${message}): nothing was accepted, and the layer is as it was before`,
    {
      remedy: remedies.get(code) ?? 'see what stands in the way there, and accept again',
      cause,
      details: { errno: code },
    },
  );
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'give yourself the right to write there, and accept again'],
  ['EPERM', 'give yourself the right to write there, and accept again'],
  ['EROFS', 'make the file system writable, and accept again'],
  ['ELOOP', 'a directory on the way is a symlink now: put it back, and accept again'],
  ['EXDEV', 'a directory on the way is another file system now: unmount it, and accept again'],
]);
