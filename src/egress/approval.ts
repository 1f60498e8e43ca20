import type { ConnectRequest, HttpRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { Authority } from './types.ts';

/** What was decided, for anyone who has to be asked about it. */
export interface Decided {
  readonly request: ConnectRequest | HttpRequest;
  readonly verdict: Verdict;
  /** Aborted when the client is gone: then nobody waits for the answer. */
  readonly signal?: AbortSignal;
}

/**
 * The verdict when everybody has been heard: of one that asks, what a person answered, while the client waits. Where
 * nobody can be asked it is denied. What is approved is this request; nothing has been looked up or dialled before.
 */
export async function settleAsk(
  { approve }: Pick<Authority, 'approve'>,
  { request, verdict, signal }: Decided,
): Promise<Verdict> {
  if (verdict.decision !== 'ask') return verdict;
  const answer = await (approve?.(request, verdict, signal) ?? nobody);
  return answer.kind === 'allowed'
    ? { ...verdict, decision: 'allow' }
    : { ...verdict, decision: 'deny', message: `${verdict.message}; ${answer.message}` };
}

const nobody = { kind: 'denied', message: 'nobody was there to ask, so it was denied' } as const;
