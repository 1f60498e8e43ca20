import type { PolicyRequest, Verdict } from '../policy/index.ts';

/** What the journal can hold. New kinds may be added; the fields of a kind only grow. */
export type JournalEvent = SessionStartEvent | SessionEndEvent | RefusalEvent | QuarantineEvent | JournalRepairedEvent | ConnectionEvent | RequestEvent | EnforcementEvent | StagedAcceptEvent | StagedDiscardEvent | StagedUndoEvent | TrashRestoreEvent | TrashPurgeEvent | CheckpointCreateEvent | CheckpointRestoreEvent | CheckpointRemoveEvent;

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
  /** The staged layer that writes go to; absent where they go to the host. */
  readonly staged?: string;
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

/** What a rule about files, sockets or signals did that was no refusal. */
export interface EnforcementEvent extends InSession {
  readonly type: 'enforcement';
  readonly request: PolicyRequest;
  readonly verdict: RefusalEvent['verdict'];
  readonly outcome: 'audited' | 'redirected' | 'kept' | 'approved';
  /** Under which ID the trash has what was kept. */
  readonly entry?: string;
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

/** One connection out of a box, when it has ended. */
export interface ConnectionEvent extends InSession {
  readonly type: 'connection';
  readonly front: 'transparent' | 'connect' | 'absolute-form' | 'socks5' | 'fetch' | 'loopback';
  readonly host: string;
  readonly port: number;
  /** The vetted address that was dialled; absent when none was. */
  readonly address?: string;
  readonly decision?: Verdict['decision'];
  readonly rule?: string;
  readonly refusal?: { readonly code: string; readonly message: string };
  /** Bytes from the box. */
  readonly sent: number;
  readonly received: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The program at the other end of it, as far as it could be found. */
  readonly process?: { readonly pid: number; readonly program: string };
}

/** One request that was decided by itself. */
export interface RequestEvent extends InSession {
  readonly type: 'request';
  readonly method: string;
  readonly scheme: 'http' | 'https' | 'ws' | 'wss';
  readonly host: string;
  readonly port: number;
  /** Without its query. */
  readonly path: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly decision?: Verdict['decision'];
  readonly rule?: string;
  readonly refusal?: { readonly code: string; readonly message: string };
}

interface InLayer {
  /** Real path. */
  readonly workspace: string;
  readonly layer: string;
}

/** What was staged was put onto the host. */
export interface StagedAcceptEvent extends InLayer {
  readonly type: 'staged.accept';
  /** How many differences. */
  readonly changes: number;
  /** How many are still staged. */
  readonly left: number;
}

/** What was staged was dropped. */
export interface StagedDiscardEvent extends InLayer {
  readonly type: 'staged.discard';
  /** Absent for a whole layer, which is not looked at. */
  readonly changes?: number;
  /** The layer is gone. */
  readonly removed: boolean;
}

/** An accept was taken back. */
export interface StagedUndoEvent extends InLayer {
  readonly type: 'staged.undo';
  /** Names on the host that got back what they had. */
  readonly entries: number;
}

/** What was kept is where it was, or elsewhere. */
export interface TrashRestoreEvent {
  readonly type: 'trash.restore';
  /** Real path of the workspace it comes from. */
  readonly workspace: string;
  readonly entry: string;
  /** Where it is now. Bytes that are no UTF-8 are written as `%FF`. */
  readonly path: string;
}

/** What was kept was removed for good, by hand. */
export interface TrashPurgeEvent {
  readonly type: 'trash.purge';
  readonly entries: readonly string[];
  readonly bytes: number;
}

interface OfCheckpoint {
  /** Real path. */
  readonly workspace: string;
  readonly checkpoint: string;
}

export interface CheckpointCreateEvent extends OfCheckpoint {
  readonly type: 'checkpoint.create';
  /** What the user calls it; may be empty. */
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
}

/** The workspace is what it was at a checkpoint. */
export interface CheckpointRestoreEvent extends OfCheckpoint {
  readonly type: 'checkpoint.restore';
  /** The checkpoint that takes it back; absent when nothing had to be done. */
  readonly undo?: string;
  readonly written: number;
  readonly removed: number;
  /** How many paths were left as they are, because somebody changed them meanwhile. */
  readonly skipped: number;
}

export interface CheckpointRemoveEvent extends OfCheckpoint {
  readonly type: 'checkpoint.remove';
}
