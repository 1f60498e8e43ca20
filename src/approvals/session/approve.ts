import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';

/** A request that a rule holds until someone decides. */
export interface ApprovalRequest {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** PID of the waiting process, on the host. */
  readonly process: number;
  /** Further lines of what will happen, unfiltered: the changes in the description of a tool. */
  readonly details?: readonly string[];
}

/**
 * Decides one request. It is denied if the function throws, or takes longer than the policy waits. The function never
 * sees a request with hidden characters: that is denied.
 */
export type Approve = (request: ApprovalRequest) => Promise<'allow' | 'deny'>;
