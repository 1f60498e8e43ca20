import type { PolicyRequest, Verdict } from '../../policy/index.ts';

/** What a rule holds until somebody decides. */
export interface ApprovalRequest {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** Of the process that waits, on the host. */
  readonly process: number;
}

/** Decides one request; what takes longer than a minute, or throws, is denied. */
export type Approve = (request: ApprovalRequest) => Promise<'allow' | 'deny'>;

/** Milliseconds. */
const approvalTimeout = 60_000;

/** Asks for each of the requests of one call: all of them have to be allowed. */
export async function approveAll(approve: Approve, requests: readonly ApprovalRequest[], timeout = approvalTimeout): Promise<'allow' | 'deny'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'deny'>((resolve) => {
    timer = setTimeout(() => resolve('deny'), timeout).unref();
  });
  try {
    return await Promise.race([late, oneByOne(approve, requests)]);
  } catch {
    return 'deny';
  } finally {
    clearTimeout(timer);
  }
}

async function oneByOne(approve: Approve, requests: readonly ApprovalRequest[]): Promise<'allow' | 'deny'> {
  for (const request of requests) if ((await approve(request)) !== 'allow') return 'deny';
  return 'allow';
}
