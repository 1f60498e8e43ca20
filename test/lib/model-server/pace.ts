import { setTimeout as sleep } from 'node:timers/promises';
import type { Pacing } from './types.ts';

/** The destination of an answer's events: a response or a WebSocket. */
export interface Outlet {
  /** Settles when the next piece may follow. */
  write(piece: Buffer): Promise<void>;
  end(): void;
  reset(): void;
}

/** Sends events in turn, at the answer's pace. */
export async function pace(outlet: Outlet, events: readonly Buffer[], pacing: Pacing): Promise<void> {
  const sent = pacing.abortAfter === undefined ? events : events.slice(0, pacing.abortAfter);
  if (pacing.chunking === 'whole' && pacing.hold === undefined) await outlet.write(Buffer.concat(sent));
  else for (const [index, event] of sent.entries()) await sendEvent(outlet, event, { pacing, index });
  if (pacing.abortAfter === undefined || pacing.abortHow === 'end') return outlet.end();
  await sleep(settling);
  outlet.reset();
}

/** Milliseconds for written bytes to leave before a reset. */
const settling = 5;

async function sendEvent(
  outlet: Outlet,
  event: Buffer,
  { pacing, index }: { readonly pacing: Pacing; readonly index: number },
): Promise<void> {
  if (index > 0 && pacing.delay !== undefined) await sleep(pacing.delay);
  if (pacing.hold?.before === index) await pacing.hold.until;
  if (pacing.chunking !== 'byte') return outlet.write(event);
  for (let at = 0; at < event.length; at += 1) await outlet.write(event.subarray(at, at + 1));
}
