import { scriptsOf } from './scripts-of.ts';

/** Writing systems of several scripts, after UTS #39, section 5.1. */
const systems: Readonly<Record<string, readonly string[]>> = {
  Han: ['Japanese', 'Korean', 'Chinese'],
  Hiragana: ['Japanese'],
  Katakana: ['Japanese'],
  Hangul: ['Korean'],
  Bopomofo: ['Chinese'],
};
/** Latin letters stand beside these in ordinary words; no letter of theirs looks like a Latin one. */
const besideLatin = ['Japanese', 'Korean', 'Chinese'];
const mostNamed = 4;

/** The scripts of a word that no writing system uses together (UTS #39, "highly restrictive"), or undefined. */
export function mixedScripts(word: string): readonly string[] | undefined {
  const sets = [...word].map((char) => scriptsOf(char.codePointAt(0)!)).filter((set) => set.length > 0);
  const others = sets.filter((set) => !set.includes('Latin'));
  if (others.length === 0) return undefined;
  const common = others.map(withSystems).reduce((left, right) => left.filter((script) => right.includes(script)));
  const isOfOne = common.length > 0 && (others.length === sets.length || common.some((script) => besideLatin.includes(script)));
  return isOfOne ? undefined : [...new Set(sets.map(([first = '']) => first))].slice(0, mostNamed);
}

function withSystems(set: readonly string[]): readonly string[] {
  return [...set, ...set.flatMap((script) => systems[script] ?? [])];
}
