import type { PolicyRequest } from '../../../policy/request.ts';
import type { Verdict } from '../../../policy/verdict.ts';
import type { ApprovalSubject } from '../../types.ts';

/** A verdict that asks. */
export function askingVerdict(rule = 'ask-migrations', rest: Partial<Verdict> = {}): Verdict {
  return {
    decision: 'ask',
    code: 'rule',
    rule,
    layer: 'user',
    file: '~/.config/holdfast/policy.toml',
    line: 3,
    message: `it waits for approval: ${rule} says so`,
    remedy: 'approve it when asked',
    ...rest,
  };
}

export function subject(
  request: PolicyRequest = writing('/home/dev/app/migrations/1.sql'),
  rule?: string,
): ApprovalSubject {
  return { request, verdict: askingVerdict(rule) };
}

export function writing(path: string): PolicyRequest {
  return { kind: 'file', operation: 'write', path };
}
