import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';

/** What a rule holds until someone decides. */
export interface ApprovalRequest {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** Of the process that waits, on the host. */
  readonly process: number;
  /** Further lines of what will happen, unfiltered: what has changed in the description of a tool. */
  readonly details?: readonly string[];
}

/**
 * Decides one request; what takes longer than the policy waits, or throws, is denied. It never sees a request in which
 * something does not show: that is denied.
 */
export type Approve = (request: ApprovalRequest) => Promise<'allow' | 'deny'>;
