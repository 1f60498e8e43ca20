import type { RuleOf } from '../document/types.ts';
import type { SignalRequest } from '../request.ts';
import type { Clause, Finder } from './clause.ts';

export interface SignalMatcher {
  /** Upper case, with `SIG`; absent means every signal. */
  readonly signals?: readonly string[] | undefined;
  readonly targets?: readonly SignalRequest['target'][] | undefined;
}

export type SignalClause<Value> = Clause<SignalMatcher, Value>;

export function signalRuleClauses<Value>(rule: RuleOf<'signal'>, clause: Omit<SignalClause<Value>, 'matcher'>): readonly SignalClause<Value>[] {
  return [{ ...clause, matcher: { signals: rule.signals?.map(signalName), targets: rule.targets } }];
}

export function signalFinder<Value>(clauses: readonly SignalClause<Value>[]): Finder<SignalRequest, Value> {
  return (request) => {
    const signal = signalName(request.signal);
    return clauses.find(({ matcher }) => (matcher.signals?.includes(signal) ?? true) && (matcher.targets?.includes(request.target) ?? true))?.value;
  };
}

/** `kill`, `KILL` and `SIGKILL` are one signal. */
export function signalName(signal: string): string {
  const upper = signal.toUpperCase();
  return upper.startsWith('SIG') ? upper : `SIG${upper}`;
}
