/** A map that forgets what was used longest ago. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  readonly size: number;
}

/** Keeps at most `most` values, each for at most `lifetime` milliseconds of `now` since it was set. */
export function boundedCache<Value>(options: {
  readonly most: number;
  readonly lifetime: number;
  readonly now: () => number;
}): BoundedCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>();
  const get = (key: string): Value | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    if (entry.until <= options.now()) return undefined;
    entries.set(key, entry);
    return entry.value;
  };
  const set = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, { value, until: options.now() + options.lifetime });
    const [oldest] = entries.keys();
    if (entries.size > options.most && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get,
    set,
    get size() {
      return entries.size;
    },
  };
}
