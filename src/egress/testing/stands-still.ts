/**
 * Waits until a value stays the same during twenty exchanges through the same event loop. During each of them, a
 * pending change had its turn, on a machine of any speed.
 */
export async function standsStill(value: () => unknown, exchange: () => Promise<void>): Promise<void> {
  let last = value();
  for (let same = 0; same < 20; same += 1) {
    await exchange();
    if (value() !== last) same = -1;
    last = value();
  }
}
