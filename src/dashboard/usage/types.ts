/** Messages between server and page about models. All texts are filtered. */
export const ranges = ['today', '7d', '30d', 'month'] as const;
export type UsageRange = (typeof ranges)[number];

/** The key of the table's rows. `model` groups by provider and model. */
export const groupings = ['model', 'agent', 'session', 'repository', 'day'] as const;
export type Grouping = (typeof groupings)[number];

export interface UsageQuery {
  readonly range: UsageRange;
  readonly by: Grouping;
}

export interface UsageReport {
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly columns: readonly string[];
  /** The most expensive first. By day, the oldest first. */
  readonly rows: readonly UsageLine[];
  /** Number of further rows. */
  readonly omitted: number;
  /** Sums of all calls. Undefined without calls. */
  readonly total?: UsageLine;
  readonly chart: UsageChart;
  readonly budgets: BudgetLines;
  /** Calls that Holdfast refused, by the code of the refusal, most frequent first. */
  readonly refused: readonly CountLine[];
  /** Findings of rules in requests: rule, decision and kind, most frequent first. */
  readonly found: readonly CountLine[];
  /** Entries of calls that lack fields needed for counting. */
  readonly unread: number;
  /** `older-left-out`: calls of this time are missing, because there are too many to keep. */
  readonly cut: 'all-there' | 'older-left-out';
}

export interface CountLine {
  readonly names: readonly string[];
  readonly count: number;
}

/** Sums of calls, as `holdfast usage` prints them. */
export interface UsageLine extends TokenSums {
  readonly names: readonly string[];
  readonly calls: number;
  readonly failed: number;
  readonly partial: number;
  /** `12.35`, `12.35 + ?` if the cost of some calls is unknown, or `?`. US dollars. */
  readonly cost: string;
  /** Calls that reported no tokens. */
  readonly untold: number;
}

/** Each token is in one class, except that reasoning is part of the output. */
export interface TokenSums {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

/** One bucket per hour for today, otherwise per day in UTC. */
export interface UsageChart {
  readonly step: 'hour' | 'day';
  readonly buckets: readonly UsageBucket[];
}

export interface UsageBucket {
  /** Start of the bucket, in seconds since the epoch. */
  readonly time: number;
  /** Null if no call of it reported tokens. */
  readonly tokens: TokenSums | null;
  readonly calls: number;
  readonly untold: number;
  /** US dollars. Null if no cost is known. */
  readonly usd: number | null;
  readonly cost: string;
  readonly unpriced: number;
}

export type BudgetLines =
  | { readonly kind: 'known'; readonly lines: readonly BudgetLine[] }
  /** The policy cannot be read at the moment. */
  | { readonly kind: 'unknown'; readonly message: string; readonly remedy: string };

export interface BudgetLine {
  readonly name: string;
  readonly over: 'session' | 'day' | 'month';
  /** Set for a session's budget. */
  readonly session?: string;
  readonly unit: 'tokens' | 'USD' | 'requests';
  readonly spent: number;
  readonly most: number;
  /** The highest mark that is reached. 100: spent. */
  readonly mark: 0 | 80 | 90 | 95 | 100;
  /** Calls that reported nothing, and count as the most expensive one. */
  readonly untold: number;
  /** ISO 8601: when the budget starts again. */
  readonly until?: string;
}
