import { rangeBounds } from '../unicode/code-point-set.ts';
import { once } from '../unicode/once.ts';
import { scripts } from '../unicode/tables.ts';

/** The scripts that the character is used in (Script_Extensions); none for what every script uses. */
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

/** One list instead of 170: from each start on, the scripts are the same until the next start. */
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
