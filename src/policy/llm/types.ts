import type { HostPattern } from '../patterns/host-pattern.ts';

/** How a server of models is spoken to. */
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

/** A server of models that Holdfast does not know by itself. */
export interface LlmServer {
  readonly name: string;
  readonly hosts: readonly HostPattern[];
  readonly style: ServerStyle;
  /** What stands before the paths of its style: `/openai`. Empty: nothing. */
  readonly basePath: string;
}

export type LimitKind = 'tokens' | 'usd' | 'requests';

export interface LlmBudget {
  readonly name: string;
  readonly limit: { readonly kind: LimitKind; readonly most: number };
  readonly over: 'session' | 'day' | 'month';
  /** Empty: all. */
  readonly providers: readonly string[];
  /** Globs with `*`. Empty: all. */
  readonly models: readonly string[];
}

export interface LlmRate {
  /** Empty: all, each by itself. */
  readonly providers: readonly string[];
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** US dollars for a million tokens. */
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
  /** Names of packs (`keys`) or of single rules (`github-token`), of the DLP room. */
  readonly finds: readonly string[];
  /** Regular expressions of linear time; the name is the rule's own. */
  readonly patterns: readonly string[];
  /** `models`: every server of models, and nothing else. */
  readonly hosts: readonly HostPattern[] | 'models';
}

/** What is kept of requests and answers. */
export interface LlmLog {
  /** `demanded`: by the machine's policy, so that a call of which nothing can be kept is not made. */
  readonly texts: 'not-kept' | 'kept' | 'demanded';
  /** Milliseconds. */
  readonly keep: number;
  /** Bytes on the disk. */
  readonly most: number;
}

/** What a policy says about language models, and about what may not leave in requests. */
export interface LlmSettings {
  readonly gateway: 'on' | 'off';
  /** What a model answers: image and link exfiltration and hidden characters are taken out, or left. */
  readonly output: 'filter' | 'as-is';
  readonly log: LlmLog;
  /**
   * Tools of agents, as globs with `*`, beside those that are known: real values are not brought back in what `remote`
   * ones get. They win.
   */
  readonly tools: { readonly remote: readonly string[]; readonly local: readonly string[] };
  /** What of a request is looked into beside the texts that are a conversation. */
  readonly lookInto: readonly 'tool-definitions'[];
  readonly servers: readonly LlmServer[];
  readonly budgets: readonly LlmBudget[];
  readonly rates: readonly LlmRate[];
  /** The first that names a model holds. */
  readonly prices: readonly LlmPrice[];
  /**
   * Whether the rules hold that are built in: until the user's or the machine's policy has rules of its own. A
   * project's are beside them.
   */
  readonly builtinDlp: 'in-force' | 'replaced';
  /** All that find something count, and the strictest decides. */
  readonly dlp: readonly DlpRule[];
}
