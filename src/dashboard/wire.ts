import type { ApprovalWatch } from '../approvals/index.ts';
import type { PendingApproval } from '../approvals/types.ts';
import type { SignTone } from '../text/signs.ts';

/** Looks at the approvals of every session of this user, and answers them. */
export type ApprovalsClient = Pick<ApprovalWatch, 'pending' | 'answer' | 'close'>;

/** Connects. Calls `changed` after each change of the pending questions. */
export type ConnectApprovals = (changed: () => void) => ApprovalsClient;

/** Messages between server and page. All texts are filtered; the page shows them as text only. */
export interface EventRow {
  /** Of the event within its journal. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly type: string;
  readonly tone: SignTone;
  readonly title: string;
  readonly session: string;
}

export interface EventPage {
  /** Number of matches. */
  readonly total: number;
  /** Older ones match as well; they are left out. */
  readonly more: boolean;
  /** Index of the first row among those that match, the oldest being 0. */
  readonly from: number;
  /** Oldest first. */
  readonly rows: readonly EventRow[];
}

export interface EventDetail {
  readonly row: EventRow;
  /** The event as JSON, in which everything shows; long texts are cut, and say so. */
  readonly json: string;
}

export interface SessionRow {
  readonly id: string;
  readonly workspace: string;
  /** Of its newest command. */
  readonly command: string;
  readonly backend: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** `lost`: its supervisor is gone, and nobody wrote that it ended. */
  readonly state: 'running' | 'ended' | 'lost';
  readonly exitCode?: number;
  readonly commands: number;
  readonly refusals: number;
  readonly sent: number;
  readonly received: number;
}

/** Refusals with one rule and one message in one workspace. */
export interface RefusalRow {
  /** Of the newest. */
  readonly seq: number;
  readonly time: string;
  readonly session: string;
  readonly workspace: string;
  readonly message: string;
  readonly rule: string;
  /** File and line of the rule. */
  readonly place: string;
  readonly remedy: string;
  readonly count: number;
}

export interface Summary {
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  /** Newest first. */
  readonly refusals: readonly RefusalRow[];
  /** Of the last 24 hours. */
  readonly day: {
    readonly refusals: number;
    readonly connections: number;
    readonly sent: number;
    readonly received: number;
  };
  readonly network: NetworkChart;
  /** Another number: something about models came. */
  readonly models: number;
}

/** Bytes by time and host. */
export interface NetworkChart {
  /** Start of each bucket, in seconds since the epoch. */
  readonly times: readonly number[];
  /** The hosts with the most bytes; the last may be all others together. */
  readonly hosts: readonly HostSeries[];
}

export interface HostSeries {
  readonly host: string;
  readonly connections: number;
  readonly refusals: number;
  readonly sent: number;
  readonly received: number;
  /** Sent and received, for each bucket. */
  readonly bytes: readonly number[];
}

/** Length of the journal. */
export interface JournalExtent {
  /** Its events. */
  readonly total: number;
  /** Of these, the newest, that sums are of by now. */
  readonly read: number;
  /** Changes when items have moved or gone. */
  readonly generation: number;
}

export type StreamMessage =
  | ({ readonly kind: 'events' } & JournalExtent)
  | { readonly kind: 'summary'; readonly summary: Summary }
  | { readonly kind: 'approvals'; readonly pending: readonly PendingApproval[] };

export interface LayerRow {
  readonly id: string;
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly changed: number;
  readonly bytes: number;
}

export interface LayerList {
  readonly layers: readonly LayerRow[];
  readonly problems: readonly { readonly id: string; readonly message: string; readonly remedy: string }[];
}

export interface LayerReview {
  readonly id: string;
  /** Names the shown review: accepting and discarding apply to exactly that. */
  readonly digest: string;
  readonly lines: readonly ReviewLine[];
  /** Number of further lines. `holdfast review` shows them. */
  readonly omitted: number;
  readonly changes: number;
  readonly conflicts: number;
  readonly refused: number;
}

export interface ReviewLine {
  readonly kind: string;
  readonly text: string;
}

export interface ApiFailure {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}
