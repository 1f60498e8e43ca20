/**
 * The notify room: a supervisor outside the box that answers system calls which the kernel has stopped. It serves rules
 * that mounts cannot carry out: `ask`, `redirect`, `stage` and `audit` on files, and rules about Unix sockets and
 * signals.
 *
 * A caller's memory may change after it was read. So a call goes ahead unchanged only if the kernel's own layer
 * enforces the box's limits. The supervisor performs everything else itself, on the path that it judged, and hands over
 * the result. Sessions, journals and terminals stay out of this room. Questions and reports go through the options of
 * `serve`.
 */
import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';

/** A question for a person. The caller stays stopped until the answer. */
export interface AccessQuestion {
  readonly id: number;
  /** More than one if the call touches several paths. All must be allowed. */
  readonly requests: readonly AskedRequest[];
  /** PID on the host of the process that asks. */
  readonly process: number;
}

export interface AskedRequest {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}

export type AllowOrDeny = 'allow' | 'deny';

/** A program that the policy names, as it was when the session began. */
export interface PinnedProgram {
  /** The system's path of it, in a directory without symlinks. */
  readonly path: string;
  /** `device:inode` of the file behind that path. */
  readonly identity: string;
}

/** An action of the supervisor under a rule, for the journal. */
export interface Enforced {
  readonly kind: 'refused' | 'audited' | 'redirected' | 'kept' | 'approved';
  /** ID of the kept file. */
  readonly entry?: string;
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}
