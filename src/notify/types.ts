import type { PolicyRequest, Verdict } from '../policy/index.ts';

/** What a person is asked. The caller stays stopped until it is answered. */
export interface Question {
  readonly id: number;
  /** More than one where one call touches several paths; all have to be allowed. */
  readonly requests: readonly Asked[];
  /** Of the process that asks, on the host. */
  readonly process: number;
}

export interface Asked {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}

export type Answer = 'allow' | 'deny';

/** What the supervisor did by a rule, for the journal. */
export interface Enforced {
  readonly kind: 'refused' | 'audited' | 'redirected' | 'kept' | 'approved';
  /** Of what was kept. */
  readonly entry?: string;
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}
