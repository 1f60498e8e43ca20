import type { Answer } from '../answer.ts';
import type { PolicyRequest } from '../request.ts';
import type { Verdict } from '../verdict.ts';
import { messageOf } from './message.ts';
import { remedyText } from './remedy.ts';

/** An answer as a verdict on this request. The words are made when they are read: most verdicts allow, and nobody reads those. */
export function verdictOf(answer: Answer, request: PolicyRequest): Verdict {
  const { decision, code, rule, layer, file, line, redirectTo } = answer;
  const verdict = {
    decision,
    code,
    rule,
    layer,
    file,
    line,
    get message() {
      return messageOf(answer, request);
    },
    get remedy() {
      return remedyText(answer, request);
    },
  };
  return redirectTo === undefined ? verdict : { ...verdict, redirectTo };
}
