import type { RuleOf } from '../document/rule-schema.ts';
import type { SignalRequest } from '../request.ts';

/** Patterns with one value, from a list or a rule of a policy. Earlier clauses are tried first. */
export interface Clause<Matcher, Value> {
  readonly matcher: Matcher;
  readonly value: Value;
  /** Effect of the value: only patterns of a denial may match more than they say. */
  readonly effect: Effect;
}

export type Effect = 'allows' | 'restricts';

/** Returns the value of the first matching clause. */
export type ClauseFinder<View, Value> = (view: View) => Value | undefined;

export interface SignalMatcher {
  /** Upper case, with `SIG`. Undefined for every signal. */
  readonly signals?: readonly string[] | undefined;
  readonly targets?: readonly SignalRequest['target'][] | undefined;
}

export type SignalClause<Value> = Clause<SignalMatcher, Value>;

export function signalRuleClauses<Value>(
  rule: RuleOf<'signal'>,
  clause: Omit<SignalClause<Value>, 'matcher'>,
): readonly SignalClause<Value>[] {
  return [{ ...clause, matcher: { signals: rule.signals?.map(signalName), targets: rule.targets } }];
}

export function signalFinder<Value>(clauses: readonly SignalClause<Value>[]): ClauseFinder<SignalRequest, Value> {
  return (request) => {
    const signal = signalName(request.signal);
    return clauses.find(
      ({ matcher }) =>
        (matcher.signals?.includes(signal) ?? true) && (matcher.targets?.includes(request.target) ?? true),
    )?.value;
  };
}

/** `kill`, `KILL` and `SIGKILL` are one signal. */
export function signalName(signal: string): string {
  const upper = signal.toUpperCase();
  return upper.startsWith('SIG') ? upper : `SIG${upper}`;
}
