interface Steps<Item, Value> {
  readonly work: (item: Item) => Promise<Value>;
  readonly deliver: (value: Value) => void;
  /** After an abort, nothing new starts. Started work finishes. */
  readonly signal: AbortSignal;
}

/** Runs `work` over all items with at most `workers` at once, and passes the results on in the items' order. */
export async function inOrder<Item, Value>(
  items: readonly Item[],
  workers: number,
  steps: Steps<Item, Value>,
): Promise<void> {
  const finished = new Map<number, Value>();
  let next = 0;
  let delivered = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length && !steps.signal.aborted; index = next++) {
      finished.set(index, await steps.work(items[index] as Item));
      for (; finished.has(delivered); delivered++) {
        steps.deliver(finished.get(delivered) as Value);
        finished.delete(delivered);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
