import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';

/** A request that waits until someone decides, because a rule asks. */
export interface ApprovalRequest {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** PID of the waiting process, on the host. */
  readonly process: number;
  /** Further lines of what will happen, unfiltered: the changes in the description of a tool. */
  readonly details?: readonly string[];
}

/**
 * Decides one request. The request is denied if the function throws, or takes longer than the policy waits. The
 * function never gets a request with hidden characters, because that is denied.
 */
export type Approve = (request: ApprovalRequest) => Promise<'allow' | 'deny'>;
