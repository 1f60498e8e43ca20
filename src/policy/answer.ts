import type { Decision } from './decision.ts';
import type { LayerKind, VerdictCode } from './verdict.ts';

/** Where something in a policy comes from. */
export interface Origin {
  /** Unique name of the rule, e.g. `ask-migrations` or `files.write[0]`. */
  readonly rule: string;
  readonly layer: LayerKind;
  /** The policy file, or `built-in`. */
  readonly file: string;
  /** 1-based; 0 for what is built in. */
  readonly line: number;
}

/** What one layer says about one request, before the request is put into words. Made once for each rule. */
export interface Answer extends Origin {
  readonly decision: Decision;
  readonly code: VerdictCode;
  /** Why the rule is there, in the words of whoever wrote it. */
  readonly reason?: string;
  /** Where a `redirect` goes. */
  readonly redirectTo?: string;
  /** The file in which a person would change it: the user's own policy for what is built in. */
  readonly editFile: string;
}

export const builtinFile = 'built-in';

/** Where the user's policy lies unless the caller knows better. */
export const defaultUserFile = '~/.config/holdfast/policy.toml';

export interface AnswerParts {
  readonly decision: Decision;
  readonly code: VerdictCode;
  readonly reason?: string | undefined;
  readonly redirectTo?: string | undefined;
  readonly editFile: string;
}

export function answerOf(origin: Origin, parts: AnswerParts): Answer {
  const { rule, layer, file, line } = origin;
  const { decision, code, reason, redirectTo, editFile } = parts;
  return {
    rule,
    layer,
    file,
    line,
    decision,
    code,
    editFile,
    ...(reason === undefined ? {} : { reason }),
    ...(redirectTo === undefined ? {} : { redirectTo }),
  };
}
