export interface SharedWorkOptions<Value> {
  /** Different keys that may be worked on at once. */
  readonly most: number;
  /** Never rejects. */
  start(key: string): Promise<Value>;
  /** The value for a key that there is no room for. */
  overloaded(key: string): Value;
  /** The value for a caller that did not wait. */
  abandoned(key: string): Value;
}

export interface SharedWork<Value> {
  /** Never rejects. A caller that gives up does not end the work that others wait for. */
  join(key: string, signal?: AbortSignal): Promise<Value>;
}

/** Work that callers who want the same at the same time share. */
export function createSharedWork<Value>({ most, start, overloaded, abandoned }: SharedWorkOptions<Value>): SharedWork<Value> {
  const running = new Map<string, Promise<Value>>();
  const begin = (key: string): Promise<Value> => {
    const work = start(key).finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };
  return {
    join: async (key, signal) => {
      if (signal?.aborted) return abandoned(key);
      const known = running.get(key);
      if (known === undefined && running.size >= most) return overloaded(key);
      const work = known ?? begin(key);
      return signal === undefined ? await work : await unlessAborted(work, signal, () => abandoned(key));
    },
  };
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal, abandoned: () => Value): Promise<Value> {
  return await new Promise<Value>((resolve, reject) => {
    const onAbort = (): void => resolve(abandoned());
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
