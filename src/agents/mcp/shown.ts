import { present, type BoundaryName } from '../../sandbox/index.ts';

/** The same value with every text in it, keys among them, as a model may read it. The last thing that is done to whatever a client gets. */
export function shown<Value>(boundary: Extract<BoundaryName, 'tool-result' | 'tool-description'>, value: Value): Value {
  return shownValue(boundary, value) as Value;
}

function shownValue(boundary: BoundaryName, value: unknown): unknown {
  if (typeof value === 'string') return shownText(boundary, value);
  if (Array.isArray(value)) return value.map((item) => shownValue(boundary, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [shownText(boundary, key), shownValue(boundary, item)]));
}

/** What was shown before keeps the marks of that: a second filter would take them for forged ones. */
function shownText(boundary: BoundaryName, text: string): string {
  return text.split(mark).map((part) => present(boundary, part).text).join(mark);
}

const mark = '⟦';
