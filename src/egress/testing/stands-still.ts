/**
 * Waits until a value stays the same over twenty exchanges of something else through the same event loop. What would go
 * on changing had its turn during each of them, however slow the machine is.
 */
export async function standsStill(value: () => unknown, exchange: () => Promise<void>): Promise<void> {
  let last = value();
  for (let same = 0; same < 20; same += 1) {
    await exchange();
    if (value() !== last) same = -1;
    last = value();
  }
}
