/** From the most authority to the least. A layer can only narrow the grants of the layers before it. */
export const layerKinds = ['required', 'managed', 'user', 'project', 'session'] as const;
export type LayerKind = (typeof layerKinds)[number];

/** Stable reason codes that agents and scripts may compare. */
export type VerdictCode =
  | 'granted'
  | 'rule'
  | 'deny-set'
  | 'not-granted'
  | 'outside-ceiling'
  | 'credential-store'
  | 'protected-path'
  | 'hidden-file'
  | 'policy-file'
  | 'withheld'
  | 'unknown-word'
  | 'not-understood'
  | 'command-class'
  | 'planted-program'
  | 'unrepresentable';

/**
 * The answer of `decide`. The same object feeds the error for an agent, the approval prompt, the journal and `holdfast
 * why`.
 */
export interface Verdict {
  readonly decision: Decision;
  readonly code: VerdictCode;
  /** Unique name of the rule that settled it, e.g. `ask-migrations` or `files.write[0]`. */
  readonly rule: string;
  readonly layer: LayerKind;
  /** The policy file, or `built-in`. */
  readonly file: string;
  /** Line from 1 in `file`; 0 for built-in rules. */
  readonly line: number;
  /** One line for a person or an agent: the decision and its reason. */
  readonly message: string;
  /** The exact policy line and flag that would allow it, or the reason why nothing would. */
  readonly remedy: string;
  /** Target of a `redirect`. */
  readonly redirectTo?: string;
  /** Arguments that run instead of a redirected command. */
  readonly redirectArgv?: readonly string[];
}

/** The fields of a verdict that the journal keeps. */
export type JournalledVerdict = Pick<
  Verdict,
  'decision' | 'code' | 'rule' | 'layer' | 'file' | 'line' | 'message' | 'remedy'
>;

/** Copies these fields. A verdict has more, and may create its message and remedy lazily. */
export function journalledVerdict(verdict: JournalledVerdict): JournalledVerdict {
  const { decision, code, rule, layer, file, line, message, remedy } = verdict;
  return { decision, code, rule, layer, file, line, message, remedy };
}

/** Every decision, from loosest to strictest. The order is a lattice: the meet of two decisions is the stricter one. */
export const decisions = ['allow', 'audit', 'redirect', 'stage', 'ask', 'deny'] as const;

/**
 * - `allow` — goes ahead.
 * - `audit` — goes ahead and is journalled.
 * - `redirect` — goes ahead against another target, which the rule names.
 * - `stage` — the effect is kept aside until it is reviewed; a deletion is recoverable.
 * - `ask` — held until a person decides; a time-out is a denial.
 * - `deny` — refused.
 */
export type Decision = (typeof decisions)[number];

const strictness: Readonly<Record<Decision, number>> = { allow: 0, audit: 1, redirect: 2, stage: 3, ask: 4, deny: 5 };

/** Returns 0 (loosest) to 5 (strictest). */
export function strictnessOf(decision: Decision): number {
  return strictness[decision];
}

export function stricter(a: Decision, b: Decision): Decision {
  return strictness[a] >= strictness[b] ? a : b;
}

/** Whether the request proceeds without waiting for anyone, possibly with another target. */
export function goesAhead(decision: Decision): boolean {
  return strictness[decision] <= strictness.redirect;
}

/**
 * `splice` carries bytes without reading them. `intercept` ends TLS for rules about requests and for credentials.
 * `watch` ends TLS if HTTP is spoken, to look for phantoms. `plain` never ends it, and reads requests without TLS,
 * whose host must be that of the connection. `passthrough` never ends it either.
 */
export type TlsTreatment = 'splice' | 'intercept' | 'watch' | 'plain' | 'passthrough';
