import type { Duplex } from 'node:stream';

/** Milliseconds for last words to reach a side that does not end by itself. */
const longestFarewell = 2000;

/** Ends a side once it has been told everything. What it still says goes nowhere: unread, it would become a reset, and the words be lost. */
export function farewell(side: Duplex): void {
  if (side.closed || side.destroyed) return;
  const timer = setTimeout(() => side.destroy(), longestFarewell);
  side.once('close', () => clearTimeout(timer));
  if (!side.writableEnded) side.end();
  side.resume();
}
