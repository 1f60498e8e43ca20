import type { ConnectRequest, HttpRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { Authority } from './types.ts';

/** A verdict on a request, which may still need an approval. */
export interface Decided {
  readonly request: ConnectRequest | HttpRequest;
  readonly verdict: Verdict;
  /** Aborts when the client is gone and no longer waits for the answer. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the final verdict. An `ask` verdict waits for an approval while the client waits. If nobody can be asked, the
 * request is denied. The approval covers this request only. Nothing is looked up or dialled before it.
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
