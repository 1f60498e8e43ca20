import type { CallState } from '../types.ts';
import type { CallRefusal } from '../prepare-call.ts';

/** Attack: a box that fills the disk could send a model content that the machine's policy requires on record. */
export function refusedUnkept({ settings, kept }: CallState): CallRefusal | undefined {
  const failure = settings.log.texts === 'demanded' ? kept?.failure() : undefined;
  return failure === undefined
    ? undefined
    : {
        code: 'log-failed',
        status: 403,
        message: `this machine keeps conversations with models, and cannot store this one now (${failure}). Free space on the disk of the state directory`,
      };
}
