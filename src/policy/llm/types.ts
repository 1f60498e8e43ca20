import type { HostPattern } from '../patterns/host-pattern.ts';

/** Protocol of a model server. */
export const serverStyles = [
  'anthropic',
  'openai',
  'azure',
  'gemini',
  'vertex',
  'bedrock',
  'openrouter',
  'ollama',
] as const;
export type ServerStyle = (typeof serverStyles)[number];

/** A model server that Holdfast does not know. */
export interface LlmServer {
  readonly name: string;
  readonly hosts: readonly HostPattern[];
  readonly style: ServerStyle;
  /** Prefix of the server's paths: `/openai`. Empty for none. */
  readonly basePath: string;
}

export type LimitKind = 'tokens' | 'usd' | 'requests';

export interface LlmBudget {
  readonly name: string;
  readonly limit: { readonly kind: LimitKind; readonly most: number };
  readonly over: 'session' | 'day' | 'month';
  /** Empty for all. */
  readonly providers: readonly string[];
  /** Globs with `*`. Empty for all. */
  readonly models: readonly string[];
}

export interface LlmRate {
  /** Empty for all; each counts separately. */
  readonly providers: readonly string[];
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** Prices in US dollars for a million tokens. */
export interface LlmPrice {
  readonly models: readonly string[];
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export const dlpDecisions = ['audit', 'redact', 'tokenize', 'block'] as const;
/** From the laxest to the strictest. */
export type DlpDecision = (typeof dlpDecisions)[number];

export interface DlpRule {
  readonly name: string;
  readonly decision: DlpDecision;
  readonly reason?: string;
  /** Names of packs (`keys`) or of single rules (`github-token`) of the DLP room. */
  readonly finds: readonly string[];
  /** Regular expressions that match in linear time. Their name is the rule's. */
  readonly patterns: readonly string[];
  /** `models`: every model server, and nothing else. */
  readonly hosts: readonly HostPattern[] | 'models';
}

/** Log of requests and answers. */
export interface LlmLog {
  /** `demanded`: the machine's policy requires the log, so a call that cannot be logged is not made. */
  readonly texts: 'not-kept' | 'kept' | 'demanded';
  /** Milliseconds. */
  readonly keep: number;
  /** Bytes on the disk. */
  readonly most: number;
}

/** A policy's settings of language models, and its rules about data in requests. */
export interface LlmSettings {
  readonly gateway: 'on' | 'off';
  /** The treatment of a model's answers. `filter`: removes image and link exfiltration and hidden characters. */
  readonly output: 'filter' | 'as-is';
  readonly log: LlmLog;
  /**
   * Tools of agents, as globs with `*`, in addition to known tools. Real values are not restored in calls of `remote`
   * tools, which take precedence.
   */
  readonly tools: { readonly remote: readonly string[]; readonly local: readonly string[] };
  /** Parts of a request to inspect in addition to the texts of a conversation. */
  readonly lookInto: readonly 'tool-definitions'[];
  readonly servers: readonly LlmServer[];
  readonly budgets: readonly LlmBudget[];
  readonly rates: readonly LlmRate[];
  /** The first price that names a model applies. */
  readonly prices: readonly LlmPrice[];
  /**
   * Whether the built-in rules apply. They apply until the user's or the machine's policy has its own rules. A
   * project's rules are added to them.
   */
  readonly builtinDlp: 'in-force' | 'replaced';
  /** All rules with a finding count, and the strictest decides. */
  readonly dlp: readonly DlpRule[];
}
