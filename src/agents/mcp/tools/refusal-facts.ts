import { describeRequest } from '../../../place/refusals/describe.ts';
import type { Refusal } from '../../../place/refusals/refusal.ts';
import { present } from '../../../text/present.ts';
import { rulePlace } from '../failures.ts';

export interface RefusalFacts {
  readonly request: string;
  readonly message: string;
  readonly rule: string;
  readonly remedy: string;
}

export function refusalFacts({ request, verdict }: Pick<Refusal, 'request' | 'verdict'>): RefusalFacts {
  return {
    request: shownName(describeRequest(request)),
    message: shownName(verdict.message),
    rule: shownName(rulePlace(verdict)),
    remedy: shownName(verdict.remedy),
  };
}

/**
 * Attack: a name that contains marks of the filter. The filter of a whole answer keeps such marks, because they may be
 * ours.
 */
function shownName(text: string): string {
  return present('tool-result', text).text;
}

export function refusalText({ message, rule, remedy }: RefusalFacts): string {
  return `refused: ${message} (${rule}); ${remedy}`;
}
