import type { Answer } from './answer.ts';
import { answerOfLayer, decide } from './decide.ts';
import { goesAhead } from './decision.ts';
import type { Policy } from './policy.ts';
import type { PolicyRequest } from './request.ts';
import type { LayerKind, Verdict } from './verdict.ts';
import { type Way, waysToAllow } from './words/ways.ts';
import { causeOf } from './words/message.ts';
import { verdictOf } from './words/verdict-of.ts';

/** What one layer says; `abstains` means that it leaves the decision to the others. */
export type TraceStep =
  | { readonly kind: 'abstains'; readonly layer: LayerKind; readonly file: string }
  | { readonly kind: 'answers'; readonly layer: LayerKind; readonly file: string; readonly verdict: Verdict; readonly because: string };

export interface Explanation {
  readonly verdict: Verdict;
  /** In the order of authority. */
  readonly trace: readonly TraceStep[];
  /** What every layer that does not allow it needs: all of it, not one of it. Empty when it is allowed; only the reasons when nothing would. */
  readonly wouldAllow: readonly Way[];
}

/** A decision with everything that led to it, and everything that stands in its way. */
export function explain(policy: Policy, request: PolicyRequest): Explanation {
  const answers = policy.layers.map((layer) => ({ layer, answer: answerOfLayer(layer, request) }));
  const blocking = answers.flatMap(({ answer }) => (answer === undefined || goesAhead(answer.decision) ? [] : [answer]));
  return {
    verdict: decide(policy, request),
    trace: answers.map(({ layer, answer }) => stepOf(layer, answer, request)),
    wouldAllow: waysPast(blocking, request),
  };
}

function stepOf({ kind, file }: { readonly kind: LayerKind; readonly file: string }, answer: Answer | undefined, request: PolicyRequest): TraceStep {
  if (answer === undefined) return { kind: 'abstains', layer: kind, file };
  return { kind: 'answers', layer: kind, file, verdict: verdictOf(answer, request), because: causeOf(answer) };
}

/** Where one layer lets nothing pass, what the others would need is of no use. */
function waysPast(blocking: readonly Answer[], request: PolicyRequest): readonly Way[] {
  const ways = blocking.flatMap((answer) => waysToAllow(answer, request));
  const dead = ways.filter(({ kind }) => kind === 'nothing');
  // A request that is none is refused by every layer in the same words.
  return [...new Map((dead.length > 0 ? dead : ways).map((way) => [JSON.stringify(way), way])).values()];
}
