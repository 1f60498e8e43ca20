import { once, rangeBounds } from '../unicode/code-point-set.ts';
import { scripts } from '../unicode/tables.ts';

/** Writing systems that combine several scripts, after UTS #39, section 5.1. */
const systems: Readonly<Record<string, readonly string[]>> = {
  Han: ['Japanese', 'Korean', 'Chinese'],
  Hiragana: ['Japanese'],
  Katakana: ['Japanese'],
  Hangul: ['Korean'],
  Bopomofo: ['Chinese'],
};
/** In these writing systems, ordinary text mixes in Latin letters, and no letter looks like a Latin one. */
const besideLatin = ['Japanese', 'Korean', 'Chinese'];
const mostNamed = 4;

/** One list instead of 170. From the start of each segment, the scripts are the same until the next start. */
const segments = once(() => {
  const changes = new Map<number, { readonly enter: string[]; readonly leave: string[] }>();
  const changeAt = (point: number) => {
    const change = changes.get(point) ?? { enter: [], leave: [] };
    changes.set(point, change);
    return change;
  };
  for (const [script, written] of Object.entries(scripts)) {
    const bounds = rangeBounds(written);
    for (let index = 0; index < bounds.length; index += 2) {
      changeAt(bounds[index]!).enter.push(script);
      changeAt(bounds[index + 1]! + 1).leave.push(script);
    }
  }
  const starts = [...changes.keys()].toSorted((a, b) => a - b);
  let current: readonly string[] = [];
  const sets = starts.map((start) => {
    const { enter, leave } = changes.get(start)!;
    current = [...current.filter((script) => !leave.includes(script)), ...enter];
    return current;
  });
  return { starts, sets };
});

/**
 * Returns the scripts of a word if no writing system combines them (UTS #39, "highly restrictive"). Undefined
 * otherwise.
 */
export function mixedScripts(word: string): readonly string[] | undefined {
  const sets = [...word].map((char) => scriptsOf(char.codePointAt(0)!)).filter((set) => set.length > 0);
  const others = sets.filter((set) => !set.includes('Latin'));
  if (others.length === 0) return undefined;
  const common = others.map(withSystems).reduce((left, right) => left.filter((script) => right.includes(script)));
  const isOfOne =
    common.length > 0 && (others.length === sets.length || common.some((script) => besideLatin.includes(script)));
  return isOfOne ? undefined : [...new Set(sets.map(([first = '']) => first))].slice(0, mostNamed);
}

function withSystems(set: readonly string[]): readonly string[] {
  return [...set, ...set.flatMap((script) => systems[script] ?? [])];
}

/** Returns the scripts that use a character (Script_Extensions). Empty for characters that all scripts share. */
export function scriptsOf(point: number): readonly string[] {
  const { starts, sets } = segments();
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= point) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? [] : sets[low - 1]!;
}
