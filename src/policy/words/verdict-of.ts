import type { Answer } from '../answer.ts';
import type { PolicyRequest } from '../request.ts';
import type { Verdict } from '../verdict.ts';
import { endOf, messageOf } from './message.ts';
import { redirectArgv } from './redirect-argv.ts';
import { remedyText } from './remedy.ts';

/** An answer as a verdict on this request. */
export function verdictOf(answer: Answer, request: PolicyRequest): Verdict {
  if (answer.decision === 'allow') return allowedVerdict(answer);
  const { decision, code, rule, layer, file, line, redirectTo } = answer;
  const verdict = {
    decision,
    code,
    rule,
    layer,
    file,
    line,
    message: messageOf(answer, request),
    remedy: remedyText(answer, request),
  };
  if (redirectTo === undefined) return verdict;
  const argv =
    request.kind === 'exec' && answer.command !== undefined ? redirectArgv(answer.command, request) : undefined;
  if (argv === undefined) return { ...verdict, redirectTo };
  const target = argv.join(' ');
  return {
    ...verdict,
    message: messageOf({ ...answer, redirectTo: target, memo: {} }, request),
    redirectTo: target,
    redirectArgv: argv,
  };
}

/** Most verdicts allow: one object for each rule serves all of them. */
function allowedVerdict(answer: Answer): Verdict {
  if (answer.memo.allowed !== undefined) return answer.memo.allowed;
  const { decision, code, rule, layer, file, line } = answer;
  const verdict: Verdict = Object.freeze({
    decision,
    code,
    rule,
    layer,
    file,
    line,
    message: endOf(answer),
    remedy: 'nothing is needed: it is allowed',
  });
  answer.memo.allowed = verdict;
  return verdict;
}
