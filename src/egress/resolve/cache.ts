export interface Cache<Value> {
  get(key: string): Value | undefined;
  /** `lifetime` in milliseconds; 0 or less keeps nothing. */
  set(key: string, value: Value, lifetime: number): void;
  clear(): void;
}

export interface CacheOptions {
  /** The longest kept is dropped when there are more. */
  readonly capacity: number;
  /** Milliseconds, never going back. */
  now(): number;
}

export function createCache<Value>({ capacity, now }: CacheOptions): Cache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly expires: number }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined && entry.expires > now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, lifetime) => {
      entries.delete(key);
      if (lifetime <= 0) return;
      entries.set(key, { value, expires: now() + lifetime });
      const [oldest] = entries.keys();
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
    },
    clear: () => entries.clear(),
  };
}
