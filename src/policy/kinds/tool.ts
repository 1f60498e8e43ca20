import type { RuleOf } from '../document/types.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from '../patterns/wildcard.ts';
import type { ToolRequest } from '../request.ts';
import type { Clause, Effect, Finder } from './clause.ts';
import { argumentsMatch, type ArgumentPatterns } from './tool-arguments.ts';

export interface ToolMatcher {
  /** `server/tool` with wildcards, or `server` for all of its tools. */
  readonly tool: string;
  /** Patterns of values by the names of arguments; default: whatever the arguments. */
  readonly arguments?: ArgumentPatterns | undefined;
}

export type ToolClause<Value> = Clause<ToolMatcher, Value>;

/** Undefined when the names cannot be told apart: a server called `a/b` could pose as tool `b/…` of server `a`. */
export function toolQuery(request: ToolRequest): ToolRequest | undefined {
  const isUsable = request.server !== '' && request.tool !== '' && !request.server.includes('/');
  return isUsable && !/\p{Cc}/u.test(request.server + request.tool) ? request : undefined;
}

export function toolRuleClauses<Value>(rule: RuleOf<'tool'>, clause: Omit<ToolClause<Value>, 'matcher'>): readonly ToolClause<Value>[] {
  return rule.tools.map((tool) => ({ ...clause, matcher: { tool, arguments: rule.arguments } }));
}

export function toolFinder<Value>(clauses: readonly ToolClause<Value>[]): Finder<ToolRequest, Value> {
  const compiled = clauses.map(({ matcher, value, effect }) => ({ tool: toolPattern(matcher.tool), patterns: matcher.arguments, value, effect }));
  return ({ server, tool, arguments: given }) => compiled.find((clause) => matchesWildcard(clause.tool, `${server}/${tool}`) && meets(clause, given))?.value;
}

export function toolPattern(source: string): Wildcard {
  return compileWildcard(source.includes('/') ? source : `${source}/*`);
}

function meets({ patterns, effect }: { readonly patterns: ArgumentPatterns | undefined; readonly effect: Effect }, given: string): boolean {
  return patterns === undefined || argumentsMatch(patterns, given, effect);
}
