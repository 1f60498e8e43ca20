import type { ApprovalWatch } from '../approvals/index.ts';
import type { PendingApproval } from '../approvals/types.ts';
import type { SignTone } from '../text/signs.ts';

/** Watches the approvals of every session of this user, and answers them. */
export type ApprovalsClient = Pick<ApprovalWatch, 'pending' | 'answer' | 'close'>;

/** Connects. Calls `changed` after each change of the pending questions. */
export type ConnectApprovals = (changed: () => void) => ApprovalsClient;

/** Messages between server and page. All texts are filtered, and the page shows them only as text. */
export interface EventRow {
  /** Number of the event in its journal. */
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
  /** Whether there are older matches, which are left out. */
  readonly more: boolean;
  /** Index of the first row among the matches, where the oldest is 0. */
  readonly from: number;
  /** Oldest first. */
  readonly rows: readonly EventRow[];
}

export interface EventDetail {
  readonly row: EventRow;
  /** The event as JSON with all characters visible. Long texts are cut, and marked as cut. */
  readonly json: string;
}

export interface SessionRow {
  readonly id: string;
  readonly workspace: string;
  /** The session's newest command. */
  readonly command: string;
  readonly backend: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** `lost`: its supervisor is gone, and the journal has no end. */
  readonly state: 'running' | 'ended' | 'lost';
  readonly exitCode?: number;
  readonly commands: number;
  readonly refusals: number;
  readonly sent: number;
  readonly received: number;
}

/** Refusals with the same rule and message in one workspace. */
export interface RefusalRow {
  /** Number of the newest refusal. */
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
  /** Figures of the last 24 hours. */
  readonly day: {
    readonly refusals: number;
    readonly connections: number;
    readonly sent: number;
    readonly received: number;
  };
  readonly network: NetworkChart;
  /** Changes when there are new events about models. */
  readonly models: number;
}

/** Bytes by time and host. */
export interface NetworkChart {
  /** Start of each bucket, in seconds since the epoch. */
  readonly times: readonly number[];
  /** The hosts with the most bytes. The last entry may combine all others. */
  readonly hosts: readonly HostSeries[];
}

export interface HostSeries {
  readonly host: string;
  readonly connections: number;
  readonly refusals: number;
  readonly sent: number;
  readonly received: number;
  /** Sent plus received bytes of each bucket. */
  readonly bytes: readonly number[];
}

/** Length of the journal. */
export interface JournalExtent {
  /** Number of its events. */
  readonly total: number;
  /** Number of the newest events that the sums cover so far. */
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
  /** Identifies the shown review: accepting and discarding apply to exactly this one. */
  readonly digest: string;
  readonly lines: readonly ReviewLine[];
  /** Number of further lines, which `holdfast review` shows. */
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
