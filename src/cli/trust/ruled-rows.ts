import { readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { trustAnswer } from '../../trust/decide/trust-status.ts';
import type { TrustStatus } from '../../trust/types.ts';
import type { CommandInput } from '../command.ts';
import type { TrustRow } from './select-rows.ts';

/** Has its own bundle, because it loads the policy room and its parsers. */
export function ruledRows(statuses: readonly TrustStatus[], root: string, { io }: CommandInput): readonly TrustRow[] {
  const policy = policyOfPlace(readPlace({ cwd: io.cwd, environment: io.environment, workspace: root }));
  return statuses.map((status): TrustRow => {
    if (status.found === undefined) return status;
    const answer = trustAnswer(policy, root, { ...status, found: status.found });
    if (answer.kind === 'unanswered' || (answer.kind === 'approved' && answer.by === 'person')) return status;
    const { rule, file, line } = answer.verdict;
    return { ...status, rule: { says: answer.kind, name: rule, file, line } };
  });
}
