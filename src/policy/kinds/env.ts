import { isGuardedVariable } from '../builtin/guarded-variables.ts';
import type { RuleOf } from '../document/types.ts';
import { textIndex } from '../patterns/text-index.ts';
import type { EnvRequest } from '../request.ts';
import type { Clause, Finder } from './clause.ts';

/** A name with wildcards. */
export type EnvClause<Value> = Clause<string, Value>;

/** Undefined when no variable can be called so. */
export function envQuery(request: EnvRequest): EnvRequest | undefined {
  return /^[^=\0]+$/.test(request.name) && request.name.isWellFormed() ? request : undefined;
}

export function envRuleClauses<Value>(rule: RuleOf<'env'>, clause: Omit<EnvClause<Value>, 'matcher'>): readonly EnvClause<Value>[] {
  return rule.names.map((matcher) => ({ ...clause, matcher }));
}

/** A wildcard never lets a variable pass that loads code or looks like a secret: such a one has to be named. */
export function envFinder<Value>(clauses: readonly EnvClause<Value>[]): Finder<EnvRequest, Value> {
  const index = textIndex(
    clauses.map(({ matcher, value, effect }, order) => ({ pattern: matcher, order, value, wildcards: effect === 'restricts' ? 'cover-all' : 'spare-guarded' })),
  );
  return ({ name, looks }) => index.first(name, looks === 'secret' || isGuardedVariable(name) ? 'guarded' : 'plain')?.value;
}
