/**
 * The notify room: a supervisor outside the box that answers system calls which the kernel has stopped. It serves rules
 * that mounts cannot carry out: `ask`, `redirect`, `stage` and `audit` on files, and rules about Unix sockets and
 * signals.
 *
 * A caller's memory may change after it was read. So a call goes ahead unchanged only if the kernel's own layer
 * enforces the box's limits. The supervisor performs everything else itself, on the path that it judged, and hands over
 * the result. Sessions, journals and terminals may not enter; questions and reports leave by the options of `serve`.
 */
import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';

/** The request for a person. The caller stays stopped until the answer. */
export interface AccessQuestion {
  readonly id: number;
  /** More than one where one call touches several paths; all have to be allowed. */
  readonly requests: readonly AskedRequest[];
  /** Of the process that asks, on the host. */
  readonly process: number;
}

export interface AskedRequest {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}

export type AllowOrDeny = 'allow' | 'deny';

/** A program that the policy calls by its name, as it was when the session began. */
export interface PinnedProgram {
  /** As the system has it, in a directory without symlinks. */
  readonly path: string;
  /** `device:inode`, of the file that it leads to. */
  readonly identity: string;
}

/** The supervisor's action by a rule, for the journal. */
export interface Enforced {
  readonly kind: 'refused' | 'audited' | 'redirected' | 'kept' | 'approved';
  /** Of the kept file. */
  readonly entry?: string;
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}
