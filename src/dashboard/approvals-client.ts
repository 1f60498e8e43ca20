import type { ApprovalWatch } from '../approvals/index.ts';

/** Looks at the approvals of every session of this user, and answers them. */
export type ApprovalsClient = Pick<ApprovalWatch, 'pending' | 'answer' | 'close'>;

/** Connects; `changed` is called after each change of what is pending. */
export type OpenApprovals = (changed: () => void) => ApprovalsClient;
