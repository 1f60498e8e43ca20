import type { Decision } from './decision.ts';
import type { Origin } from './origin.ts';
import type { Verdict, VerdictCode } from './verdict.ts';

/** What one layer says about one request, before the request is put into words. Made once for each rule. */
export interface Answer extends Origin {
  readonly decision: Decision;
  readonly code: VerdictCode;
  /** Why the rule is there, in the words of whoever wrote it. */
  readonly reason: string | undefined;
  /** Where a `redirect` goes. */
  readonly redirectTo: string | undefined;
  /** The file in which a person would change it: the user's own policy for what is built in. */
  readonly editFile: string;
  /** What the layer would still refuse with if this answer were out of the way: a hidden file may not be granted either. */
  readonly also?: Answer;
  /** What is the same for every request, made when it is first needed. */
  readonly memo: AnswerMemo;
}

interface AnswerMemo {
  /** The whole verdict of an answer that allows. */
  allowed?: Verdict;
  /** The end of its message. */
  outcome?: string;
  /** Its remedy, where that does not depend on the request; `undefined` inside where it does. */
  remedy?: { readonly text: string | undefined };
}

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
  return { rule, layer, file, line, decision, code, reason, redirectTo, editFile, memo: {} };
}
