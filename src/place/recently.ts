/**
 * Keeps the values of the last few keys, for a process that is asked the same again and again. A value is a function of
 * its key alone.
 */
export function recently<Value>(most: number): (key: string, make: () => Value) => Value {
  const kept = new Map<string, Value>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make();
    const [oldest] = kept.keys();
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
    kept.set(key, value);
    return value;
  };
}
