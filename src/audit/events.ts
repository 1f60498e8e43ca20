import type { PolicyRequest, Verdict } from '../policy/index.ts';

/** What the journal can hold. New kinds may be added; the fields of a kind only grow. */
export type JournalEvent = SessionStartEvent | SessionEndEvent | RefusalEvent | QuarantineEvent | JournalRepairedEvent;

interface InSession {
  readonly session: string;
  /** Real path of the workspace: `why` finds the refusals of a repository by it. */
  readonly workspace: string;
}

export interface SessionStartEvent extends InSession {
  readonly type: 'session.start';
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly backend: string;
  readonly uid: number;
  /** SHA-256 of the effective policy's description. */
  readonly policy: string;
}

export interface SessionEndEvent extends InSession {
  readonly type: 'session.end';
  readonly exitCode: number;
  readonly signal: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly reason: 'exit' | 'time-out' | 'failure';
}

export interface RefusalEvent extends InSession {
  readonly type: 'refusal';
  readonly request: PolicyRequest;
  readonly verdict: Pick<Verdict, 'decision' | 'code' | 'rule' | 'layer' | 'file' | 'line' | 'message' | 'remedy'>;
  /** How it was noticed. `arguments`: a command on a terminal failed, and named on its command line what the policy refuses. */
  readonly observed: 'output' | 'arguments' | 'sweep' | 'enforcement';
}

export interface QuarantineEvent extends InSession {
  readonly type: 'quarantine';
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
}

/** Half a line stood at the end, of an event that was never acknowledged, and was removed. */
export interface JournalRepairedEvent {
  readonly type: 'journal.repaired';
  /** Length of what was removed. */
  readonly bytes: number;
}
