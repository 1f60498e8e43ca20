import type { MatchLogic } from '@pydantic/genai-prices';

/** The next number of a version, which is no date: the `-5` of `claude-sonnet-5-5` behind `claude-sonnet-5`. */
const nextNumber = /^[-.]\d{1,2}(?!\d)(?!-\d{2,4}(?!\d))/u;

/**
 * Whether an entry of the table means this very model. The table's patterns are beginnings of names, so that the next version of
 * a model has the price of the last one until the table is told: a price that is not known must not be taken for one.
 */
export function isSameVersion(match: MatchLogic, name: string): boolean {
  if (!matches(match, name, () => true)) return true;
  return matches(match, name, (rest) => !nextNumber.test(rest));
}

/** As the package does it, where `may` agrees with what follows the part that is compared. */
function matches(match: MatchLogic, name: string, may: (rest: string) => boolean): boolean {
  if ('or' in match) return match.or.some((one) => matches(one, name, may));
  if ('and' in match) return match.and.every((one) => matches(one, name, may));
  if ('equals' in match) return name === match.equals.toLowerCase();
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase());
  if ('regex' in match) return new RegExp(match.regex).test(name);
  const part = ('starts_with' in match ? match.starts_with : match.contains).toLowerCase();
  const at = name.indexOf(part);
  return ('starts_with' in match ? at === 0 : at >= 0) && may(name.slice(at + part.length));
}
