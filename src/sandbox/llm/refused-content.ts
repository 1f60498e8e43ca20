import type { Refused } from '../../egress/index.ts';

export function refusedContent(message: string, why: string): Refused {
  return { kind: 'refused', refusal: { code: 'data-loss', message: `The request does not leave: ${message}.`, remedy: `${why}; take it out of the request, or change the rule.` } };
}
