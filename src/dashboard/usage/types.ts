/** Messages between server and page about models. All texts are filtered. */
export const ranges = ['today', '7d', '30d', 'month'] as const;
export type UsageRange = (typeof ranges)[number];

/** The key of the table's rows. `model` is by provider and model. */
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
  /** The dearest first; by day the oldest first. */
  readonly rows: readonly UsageLine[];
  /** Number of further rows. */
  readonly omitted: number;
  /** Of all calls; absent without calls. */
  readonly total?: UsageLine;
  readonly chart: UsageChart;
  readonly budgets: BudgetLines;
  /** Refused by Holdfast, by the code of the refusal; most first. */
  readonly refused: readonly CountLine[];
  /** Findings of rules in requests: rule, decision and kind; most first. */
  readonly found: readonly CountLine[];
  /** Entries of calls that lack fields for counting. */
  readonly unread: number;
  /** Calls of this time were left out, because there are too many to hold. */
  readonly cut: 'all-there' | 'older-left-out';
}

export interface CountLine {
  readonly names: readonly string[];
  readonly count: number;
}

/** Sums of calls, as `holdfast usage` has them. */
export interface UsageLine extends TokenSums {
  readonly names: readonly string[];
  readonly calls: number;
  readonly failed: number;
  readonly partial: number;
  /** `12.35`, `12.35 + ?` where that of some calls is not known, or `?`. US dollars. */
  readonly cost: string;
  /** Calls that told no tokens. */
  readonly untold: number;
}

/** No token is in two of them; reasoning is within the output. */
export interface TokenSums {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

/** An hour each for today, else a day of UTC. */
export interface UsageChart {
  readonly step: 'hour' | 'day';
  readonly buckets: readonly UsageBucket[];
}

export interface UsageBucket {
  /** Its start, in seconds since the epoch. */
  readonly time: number;
  /** Null where no call of it told any. */
  readonly tokens: TokenSums | null;
  readonly calls: number;
  readonly untold: number;
  /** US dollars; null where the cost of none is known. */
  readonly usd: number | null;
  readonly cost: string;
  readonly unpriced: number;
}

export type BudgetLines =
  | { readonly kind: 'known'; readonly lines: readonly BudgetLine[] }
  /** The policy cannot be read now. */
  | { readonly kind: 'unknown'; readonly message: string; readonly remedy: string };

export interface BudgetLine {
  readonly name: string;
  readonly over: 'session' | 'day' | 'month';
  /** Of a budget of a session. */
  readonly session?: string;
  readonly unit: 'tokens' | 'USD' | 'requests';
  readonly spent: number;
  readonly most: number;
  /** The highest mark that is passed; 100: spent. */
  readonly mark: 0 | 80 | 90 | 95 | 100;
  /** Calls that told nothing and count as the dearest one. */
  readonly untold: number;
  /** ISO 8601: when it begins again. */
  readonly until?: string;
}
