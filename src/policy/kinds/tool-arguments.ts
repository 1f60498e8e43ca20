import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { Effect } from './clause.ts';

/** Wildcards by the name of an argument: `path`, `options.path` for one inside another, `*` for every value. */
export type ArgumentPatterns = Readonly<Record<string, readonly string[]>>;

/**
 * Whether the arguments, as JSON text, are those that a rule is about. What restricts holds as soon as one value of each named argument matches, and
 * for a text that cannot be read. What allows holds only if each named argument is there and all of its values match.
 */
export function argumentsMatch(patterns: ArgumentPatterns, given: string, effect: Effect): boolean {
  const value = parsed(given);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return effect === 'restricts';
  return Object.entries(patterns).every(([name, sources]) => {
    const values = valuesAt(value, name);
    const matches = sources.map(compileWildcard);
    const isMatch = (text: string): boolean => matches.some((wildcard) => matchesWildcard(wildcard, text));
    return effect === 'restricts' ? values.some(isMatch) : values.length > 0 && values.every((text) => isMatch(text) && !climbs.test(text));
  });
}

/** Attack: `src/../../.ssh/id_rsa` begins with `src/`. */
const climbs = /(?:^|[\\/])\.\.(?:[\\/]|$)/u;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Everything that is no object or list, at any depth below the name, as text. */
function valuesAt(value: object, name: string): readonly string[] {
  if (name === '*') return leaves(value);
  // Attack: an argument called `options.path` beside the one in `options`, which the server reads.
  const found = [ownValue(value, name), ...(name.includes('.') ? [name.split('.').reduce(ownValue, value as unknown)] : [])];
  return found.flatMap((each) => (each === undefined ? [] : leaves(each)));
}

function ownValue(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function leaves(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
}
