import type { Outcome, Subject } from '../types.ts';
import type { SessionApprovals } from './session-approvals.ts';

/**
 * Asks for each of the requests of one call, one after the other: all of them have to be allowed. Gives the first
 * denial; undefined where there is none.
 */
export async function askAll(
  { ask }: Pick<SessionApprovals, 'ask'>,
  subjects: readonly Subject[],
): Promise<Extract<Outcome, { readonly kind: 'denied' }> | undefined> {
  for (const subject of subjects) {
    const outcome = await ask(subject);
    if (outcome.kind === 'denied') return outcome;
  }
  return undefined;
}
