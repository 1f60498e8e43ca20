import type { Refusal } from '../../../sandbox/index.ts';
import { describeRequest } from '../../../sandbox/refusals/describe.ts';
import { placeOf } from '../failures.ts';

export interface RefusalFacts {
  readonly request: string;
  readonly message: string;
  readonly rule: string;
  readonly remedy: string;
}

export function refusalFacts({ request, verdict }: Pick<Refusal, 'request' | 'verdict'>): RefusalFacts {
  return { request: describeRequest(request), message: verdict.message, rule: placeOf(verdict), remedy: verdict.remedy };
}

export function refusalText({ message, rule, remedy }: RefusalFacts): string {
  return `refused: ${message} (${rule}); ${remedy}`;
}
