import type { Answer } from './answer.ts';
import { answerOfLayer, decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Policy } from './policy.ts';
import type { PolicyRequest } from './request.ts';
import type { LayerKind, Verdict } from './verdict.ts';
import { type Way, wayToAllow } from './words/ways.ts';
import { verdictOf } from './words/verdict-of.ts';

/** What one layer says; `abstains` means that it leaves the decision to the others. */
export type TraceStep =
  | { readonly kind: 'abstains'; readonly layer: LayerKind; readonly file: string }
  | { readonly kind: 'answers'; readonly layer: LayerKind; readonly file: string; readonly verdict: Verdict };

export interface Explanation {
  readonly verdict: Verdict;
  /** In the order of authority. */
  readonly trace: readonly TraceStep[];
  /** One way for each layer that does not allow it: all of them have to be gone. Empty when it is allowed. */
  readonly wouldAllow: readonly Way[];
}

/** A decision with everything that led to it, and everything that stands in its way. */
export function explain(policy: Policy, request: PolicyRequest): Explanation {
  const answers = policy.layers.map((layer) => ({ layer, answer: answerOfLayer(layer, request) }));
  const blocking = answers.flatMap(({ answer }) => (answer === undefined || goesAhead(answer.decision) ? [] : [answer]));
  return {
    verdict: decide(policy, request),
    trace: answers.map(({ layer, answer }) => stepOf(layer, answer, request)),
    wouldAllow: distinct(blocking.map((answer) => wayToAllow(answer, request))),
  };
}

function stepOf({ kind, file }: { readonly kind: LayerKind; readonly file: string }, answer: Answer | undefined, request: PolicyRequest): TraceStep {
  if (answer === undefined) return { kind: 'abstains', layer: kind, file };
  return { kind: 'answers', layer: kind, file, verdict: verdictOf(answer, request) };
}

function goesAhead(decision: Decision): boolean {
  return decision === 'allow' || decision === 'audit' || decision === 'redirect';
}

/** A request that is none is refused by every layer in the same words. */
function distinct(ways: readonly Way[]): readonly Way[] {
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
}
