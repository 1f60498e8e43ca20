import type { PolicyRequest, Verdict } from '../policy/index.ts';
import type { BoundaryName, FindingKind } from '../text/index.ts';
import type { JournalOwnEvent } from './own-events.ts';

/** What the journal can hold. New kinds may be added; the fields of a kind only grow. */
export type JournalEvent =
  | SessionStartEvent
  | SessionEndEvent
  | RefusalEvent
  | QuarantineEvent
  | JournalOwnEvent
  | ConnectionEvent
  | RequestEvent
  | EnforcementEvent
  | StagedAcceptEvent
  | StagedDiscardEvent
  | StagedUndoEvent
  | StagedForkEvent
  | PolicyNarrowEvent
  | CodeRunEvent
  | TrashRestoreEvent
  | TrashPurgeEvent
  | CheckpointCreateEvent
  | CheckpointRestoreEvent
  | CheckpointRemoveEvent
  | TextEvent
  | CredentialEvent
  | AlarmEvent
  | StatementEvent
  | ModelEvent
  | DlpEvent
  | ApprovalRequestedEvent
  | ApprovalResolvedEvent
  | TrustDecidedEvent
  | TrustWithheldEvent;

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
  /** Guarantees that its backend held with gaps, which a person has accepted. */
  readonly partial?: readonly string[];
  /** Labels that the program gave to its sandbox. */
  readonly metadata?: Readonly<Record<string, string>>;
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
  /**
   * How it was noticed. `arguments`: a command on a terminal failed, and named on its command line what the policy
   * refuses.
   */
  readonly observed: 'output' | 'arguments' | 'sweep' | 'enforcement';
}

/** What a rule about files, sockets or signals did that was no refusal. */
export interface EnforcementEvent extends InSession {
  readonly type: 'enforcement';
  readonly request: PolicyRequest;
  readonly verdict: RefusalEvent['verdict'];
  readonly outcome: 'audited' | 'redirected' | 'kept' | 'approved' | 'neutralised';
  /** Of a command that was `neutralised`: the words that ran. */
  readonly argv?: readonly string[];
  /** Under which ID the trash has what was kept. */
  readonly entry?: string;
}

export interface QuarantineEvent extends InSession {
  readonly type: 'quarantine';
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
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

/** What happened to a credential of a session, the first time that it did. Never a value, a hash or a length. */
export interface CredentialEvent extends InSession {
  readonly type: 'credential';
  readonly credential: string;
  readonly action: 'delivered' | 'used' | 'missing' | 'unavailable' | 'refreshed' | 'exposed' | 'captured' | 'revoked';
  /** Where it was used. */
  readonly host?: string;
  readonly port?: number;
  /** Why there is none. */
  readonly message?: string;
}

/** A phantom, a secret or a foreign key where it has no business: what an exfiltration looks like. */
export interface AlarmEvent extends InSession {
  readonly type: 'alarm';
  readonly alarm:
    | 'phantom-unbound'
    | 'phantom-misplaced'
    | 'phantom-revoked'
    | 'secret-outbound'
    | 'secret-reflected'
    | 'foreign-credential';
  /** Empty for a foreign key. */
  readonly credential: string;
  readonly host: string;
  readonly port: number;
  /** Where in the traffic, in words: never the value. */
  readonly place: string;
}

/** A statement or command that went through a broker of a database. */
export interface StatementEvent extends InSession {
  readonly type: 'statement';
  readonly protocol: 'postgres' | 'redis';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database?: string;
  /** At most 2,000 characters. */
  readonly text: string;
  readonly decision: 'allow' | 'deny';
  /** The protocol's own word: `SELECT 3`, `ERROR 25006`. */
  readonly outcome: string;
  /** Of how many it tells, where they are many; absent: of one. */
  readonly count?: number;
}

/** One request to a server of models, when its answer has ended. */
export interface ModelEvent extends InSession {
  readonly type: 'model';
  /** As the price table calls it, or the name that a policy gives its server. */
  readonly provider: string;
  readonly dialect: string;
  readonly operation: 'generate' | 'count' | 'embed' | 'other';
  readonly host: string;
  readonly port: number;
  /** Absent where neither the request nor the answer told one. */
  readonly model?: string;
  /** The program that asked, as far as it could be found. */
  readonly agent?: string;
  /** What the client was answered; 0 when it was gone before. */
  readonly status: number;
  /** Absent where the answer told none. No token is in two classes but those of reasoning, which are output too. */
  readonly tokens?: ModelTokens;
  /** US dollars; null where the model has no price. */
  readonly usd: number | null;
  /** Which table the price is of, with its version. */
  readonly prices: string;
  /** `partial`: the answer ended before it said that it was complete. */
  readonly completeness: 'complete' | 'partial';
  /** Milliseconds. */
  readonly duration: number;
  /** Milliseconds until the answer began. */
  readonly firstByte?: number;
  /** The tools that the model asked for, at most 100; of their arguments at most 500 characters. */
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  readonly refusal?: { readonly code: string; readonly message: string };
  /** Under which ID `holdfast llm show` has the texts. */
  readonly log?: string;
  /** Why they could not be kept, where the policy says that they are. */
  readonly logFailure?: string;
}

export interface ModelTokens {
  readonly uncachedInput: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Something was found in a request that a rule keeps from leaving as it is. Never what was found. */
export interface DlpEvent extends InSession {
  readonly type: 'dlp';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Of the policy. */
  readonly rule: string;
  readonly decision: 'audit' | 'redact' | 'tokenize' | 'block';
  /** How often each kind was found. */
  readonly found: Readonly<Record<string, number>>;
}

/** Somebody is asked. It is in the journal before anybody sees the question. */
export interface ApprovalRequestedEvent extends InSession {
  readonly type: 'approval.requested';
  /** SHA-256 of what is asked. */
  readonly hash: string;
  readonly request: PolicyRequest;
  readonly verdict: RefusalEvent['verdict'];
  /** One filtered line: what was shown. */
  readonly title: string;
}

/** It was answered, or nobody answered. It is in the journal before the caller goes on. */
export interface ApprovalResolvedEvent extends InSession {
  readonly type: 'approval.resolved';
  readonly hash: string;
  readonly decision: 'once' | 'session' | 'always' | 'deny';
  /** Why it was denied, where no person did. */
  readonly because?:
    | 'answer'
    | 'time-out'
    | 'nobody'
    | 'repeated'
    | 'full'
    | 'hidden'
    | 'closed'
    | 'withdrawn'
    | 'failure';
  readonly channel?: 'terminal' | 'prompt' | 'dashboard' | 'webhook' | 'editor' | 'library';
  /** Milliseconds that the caller waited. */
  readonly waited: number;
}

/** What a repository brings was approved, or an approval was taken back. */
export interface TrustDecidedEvent {
  readonly type: 'trust.decided';
  /** Real path. */
  readonly workspace: string;
  readonly action: 'approve' | 'revoke' | 'import';
  readonly level?: 'session' | 'always';
  /** Whose signature approved them. Where there are no files: whose signatures count from now on, or do no more. */
  readonly signer?: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly surface: string }[];
}

/** A box began without files that nobody has approved. */
export interface TrustWithheldEvent extends InSession {
  readonly type: 'trust.withheld';
  readonly files: readonly { readonly path: string; readonly state: 'new' | 'changed' | 'prose' }[];
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

/** Copies of a layer were made, for sandboxes of their own. */
export interface StagedForkEvent extends InLayer {
  readonly type: 'staged.fork';
  /** IDs of the copies. */
  readonly forks: readonly string[];
}

/** The policy of a sandbox became stricter while it lived. It is in the journal before it holds. */
export interface PolicyNarrowEvent extends InSession {
  readonly type: 'policy.narrow';
  /** SHA-256 of texts and grants, as of `session.start`, from now on. */
  readonly policy: string;
  /** IDs of commands that keep the files, variables and programs that they had. */
  readonly wider: readonly string[];
  /** IDs of commands that are ended by it. */
  readonly ended: readonly string[];
}

/** An interpreter got a text. It is in the journal before it runs. */
export interface CodeRunEvent extends InSession {
  readonly type: 'code.run';
  /** ID of the command that the interpreter is. */
  readonly command: string;
  readonly language: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Its first 200 characters; what does not show is written out. */
  readonly start: string;
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

/** A text held what does not show, or names that speak to a model. Nothing was refused for it. */
export interface TextEvent extends InSession {
  readonly type: 'text';
  readonly boundary: BoundaryName;
  /**
   * The path, the URL without its query, or the command, at most 300 characters of it; what does not show is escaped.
   */
  readonly where: string;
  /** How many of each kind. */
  readonly findings: Readonly<Partial<Record<FindingKind, number>>>;
  /** What the hidden runs say, escaped: at most five, at most 200 characters of each. */
  readonly decoded?: readonly string[];
  /** The name that looks most like an instruction, where one does. It decides nothing. */
  readonly likeness?: { readonly name: string; readonly score: number; readonly signals: readonly string[] };
}
