/** Gives the value with a text in place of each mark. Parts in which no mark stands are the same objects each time. */
export type Fillable<Value> = (texts: Readonly<Record<string, string>>) => Value;

/**
 * Reads JSON in which marks stand within strings, for any number of fillings. Nothing that one of them gives reaches another. The
 * first is made in the text, since most processes need no second; what the others share cannot be changed.
 */
export function fillableTemplate<Value>(json: string, marks: readonly string[]): Fillable<Value> {
  let fill: Fillable<Value> = (texts) => {
    fill = (later) => (fill = sharedFiller<Value>(json, marks))(later);
    return JSON.parse(marks.reduce((text, mark) => text.replaceAll(mark, () => JSON.stringify(texts[mark] ?? mark).slice(1, -1)), json)) as Value;
  };
  return (texts) => fill(texts);
}

function sharedFiller<Value>(json: string, marks: readonly string[]): Fillable<Value> {
  const value = parseFrozen(json) as Value;
  return (filler(value, marks) as Fillable<Value> | undefined) ?? (() => value);
}

/** JSON that nobody can change once it is read. */
export function parseFrozen(json: string): unknown {
  return JSON.parse(json, (_key, part: unknown) => (typeof part === 'object' ? Object.freeze(part) : part));
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
