import type { RuleOf } from '../document/types.ts';
import { textIndex } from '../patterns/text-index.ts';
import type { ToolRequest } from '../request.ts';
import type { Clause, Finder } from './clause.ts';

/** `server/tool` with wildcards, or `server` for all of its tools. */
export type ToolClause<Value> = Clause<string, Value>;

/** Undefined when the names cannot be told apart: a server called `a/b` could pose as tool `b/…` of server `a`. */
export function toolQuery(request: ToolRequest): ToolRequest | undefined {
  const isUsable = request.server !== '' && request.tool !== '' && !request.server.includes('/');
  return isUsable && !/\p{Cc}/u.test(request.server + request.tool) ? request : undefined;
}

export function toolRuleClauses<Value>(rule: RuleOf<'tool'>, clause: Omit<ToolClause<Value>, 'matcher'>): readonly ToolClause<Value>[] {
  return rule.tools.map((matcher) => ({ ...clause, matcher }));
}

export function toolFinder<Value>(clauses: readonly ToolClause<Value>[]): Finder<ToolRequest, Value> {
  const index = textIndex(
    clauses.map(({ matcher, value }, order) => ({ pattern: matcher.includes('/') ? matcher : `${matcher}/*`, order, value, wildcards: 'cover-all' })),
  );
  return ({ server, tool }) => index.first(`${server}/${tool}`, 'plain')?.value;
}
