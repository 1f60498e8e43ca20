import type { Decision } from './decision.ts';

/** From loosest authority to narrowest. A layer can only narrow what the ones before it allow. */
export const layerKinds = ['required', 'managed', 'user', 'project', 'session'] as const;
export type LayerKind = (typeof layerKinds)[number];

/** Stable reason codes: agents and scripts may compare them. */
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
  | 'planted-program'
  | 'unrepresentable';

/**
 * The answer to every `decide`. The same object feeds the error an agent reads, the approval prompt, the journal and
 * `holdfast why`.
 */
export interface Verdict {
  readonly decision: Decision;
  readonly code: VerdictCode;
  /** Unique name of the rule that settled it, e.g. `ask-migrations` or `files.write[0]`. */
  readonly rule: string;
  readonly layer: LayerKind;
  /** The policy file, or `built-in`. */
  readonly file: string;
  /** 1-based line in `file`; 0 for built-in rules. */
  readonly line: number;
  /** One line for a person or an agent: what was decided and why. */
  readonly message: string;
  /** The exact policy line and flag that would allow it, or why nothing would. */
  readonly remedy: string;
  /** Where a `redirect` goes. */
  readonly redirectTo?: string;
  /** Of a command that is redirected: the words that run instead. */
  readonly redirectArgv?: readonly string[];
}
