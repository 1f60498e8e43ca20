import type { RuleOf } from '../document/rule-schema.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from '../patterns/wildcard.ts';
import type { ToolRequest } from '../request.ts';
import type { Clause, Effect, ClauseFinder } from './signal.ts';

export interface ToolMatcher {
  /** `server/tool` with wildcards, or `server` for all of its tools. */
  readonly tool: string;
  /** Patterns of values by argument name. Default: any arguments. */
  readonly arguments?: ArgumentPatterns | undefined;
}

export type ToolClause<Value> = Clause<ToolMatcher, Value>;

/** Undefined if the names are ambiguous: a server called `a/b` could pose as tool `b/…` of server `a`. */
export function toolQuery(request: ToolRequest): ToolRequest | undefined {
  const isUsable = request.server !== '' && request.tool !== '' && !request.server.includes('/');
  return isUsable && !/\p{Cc}/u.test(request.server + request.tool) ? request : undefined;
}

export function toolRuleClauses<Value>(
  rule: RuleOf<'tool'>,
  clause: Omit<ToolClause<Value>, 'matcher'>,
): readonly ToolClause<Value>[] {
  return rule.tools.map((tool) => ({ ...clause, matcher: { tool, arguments: rule.arguments } }));
}

export function toolFinder<Value>(clauses: readonly ToolClause<Value>[]): ClauseFinder<ToolRequest, Value> {
  const compiled = clauses.map(({ matcher, value, effect }) => ({
    tool: toolPattern(matcher.tool),
    patterns: matcher.arguments,
    value,
    effect,
  }));
  return ({ server, tool, arguments: given }) =>
    compiled.find((clause) => matchesWildcard(clause.tool, `${server}/${tool}`) && meets(clause, given))?.value;
}

export function toolPattern(source: string): Wildcard {
  return compileWildcard(source.includes('/') ? source : `${source}/*`);
}

function meets(
  { patterns, effect }: { readonly patterns: ArgumentPatterns | undefined; readonly effect: Effect },
  given: string,
): boolean {
  return patterns === undefined || argumentsMatch(patterns, given, effect);
}

/** Wildcards by argument name: `path`, `options.path` for a nested one, `*` for every value. */
type ArgumentPatterns = Readonly<Record<string, readonly string[]>>;

/**
 * Whether arguments, as JSON text, match a rule. A restriction matches if one value of each named argument does, or if
 * the text is unreadable. A grant matches only if each named argument is present and all its values match.
 */
export function argumentsMatch(patterns: ArgumentPatterns, given: string, effect: Effect): boolean {
  const value = parsed(given);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return effect === 'restricts';
  return Object.entries(patterns).every(([name, sources]) => {
    const values = valuesAt(value, name);
    const matches = sources.map(compileWildcard);
    const isMatch = (text: string): boolean => matches.some((wildcard) => matchesWildcard(wildcard, text));
    return effect === 'restricts'
      ? values.some(isMatch)
      : values.length > 0 && values.every((text) => isMatch(text) && !climbs.test(text));
  });
}

/** Attack: `src/../../.ssh/id_rsa` starts with `src/`. */
const climbs = /(?:^|[\\/])\.\.(?:[\\/]|$)/u;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns every value at any depth below the name, as text. Includes values in lists and objects. */
function valuesAt(value: object, name: string): readonly string[] {
  if (name === '*') return leaves(value);
  // Attack: an argument called `options.path` in addition to the nested one that the server reads.
  const found = [
    ownValue(value, name),
    ...(name.includes('.') ? [name.split('.').reduce(ownValue, value as unknown)] : []),
  ];
  return found.flatMap((each) => (each === undefined ? [] : leaves(each)));
}

function ownValue(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function leaves(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
}
