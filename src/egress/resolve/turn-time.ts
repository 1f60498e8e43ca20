/** Milliseconds. A server nearby that is still silent after so long has lost the packet. */
const shortestTurn = 500;

/**
 * How long to wait for one server when there are `turns` left, this one included, and `remaining` milliseconds for all of
 * them: each turn twice as long as the one before, so that a lost packet is sent again soon and a slow server is still
 * waited for at the end.
 */
export function turnTime(remaining: number, turns: number): number {
  return Math.max(Math.min(shortestTurn, remaining / turns), remaining / (2 ** turns - 1));
}
