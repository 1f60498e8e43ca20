/** Gives the value with a text in place of each mark. Parts in which no mark stands are the same objects each time. */
export type Fillable<Value> = (texts: Readonly<Record<string, string>>) => Value;

/** Reads JSON in which marks stand within strings, once for any number of fillings. No part of what it gives can be changed. */
export function fillableTemplate<Value>(json: string, marks: readonly string[]): Fillable<Value> {
  const value = JSON.parse(json, (_key, part: unknown) => (typeof part === 'object' ? Object.freeze(part) : part)) as Value;
  const fill = filler(value, marks);
  return fill === undefined ? () => value : (fill as Fillable<Value>);
}

/** Undefined where there is nothing to fill. */
function filler(value: unknown, marks: readonly string[]): Fillable<unknown> | undefined {
  if (typeof value === 'string') return marks.some((mark) => value.includes(mark)) ? (texts) => marks.reduce((text, mark) => text.replaceAll(mark, () => texts[mark] ?? mark), value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const holes = Object.entries(value).flatMap(([key, part]) => {
    const fill = filler(part, marks);
    return fill === undefined ? [] : [[key, fill] as const];
  });
  if (holes.length === 0) return undefined;
  return (texts) => Object.freeze(Object.assign(Array.isArray(value) ? [...value] : { ...value }, Object.fromEntries(holes.map(([key, fill]) => [key, fill(texts)]))));
}
