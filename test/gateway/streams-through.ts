import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ModelAnswer, type ServerDialect, startModelServer } from '../lib/model-server/index.ts';
import type { Ask, ExchangeRequest } from './ask.ts';

export interface StreamingTrial {
  readonly dialect: ServerDialect;
  readonly request: ExchangeRequest;
  readonly answer: ModelAnswer;
  /** The way to a server at a port. It reports each piece. */
  readonly way: (port: number, onPiece: (piece: Buffer) => void) => Promise<Ask> | Ask;
  /** Milliseconds until a missing event counts as absent. Default: 2000. */
  readonly patience?: number;
}

/**
 * Counts how many of the first `events` events arrive while the server holds the next one. Only this shows a way that
 * gathers answers before it forwards them. `events` when the way streams.
 */
export async function bytesBeforeHold(
  { dialect, request, answer, way, patience = 2000 }: StreamingTrial,
  events: number,
): Promise<{ readonly sent: number; readonly arrived: number }> {
  const release = Promise.withResolvers<void>();
  const seen = { bytes: 0 };
  const held: Answer = { ...answer, hold: { before: events, until: release.promise } };
  // The result of the first events, from a server that stops after them.
  const stopped: Answer = { ...answer, abortAfter: events, abortHow: 'end' };
  await using server = await startModelServer({ dialect, script: [stopped, held] });
  const ask = await way(server.port, (piece) => void (seen.bytes += piece.length));
  const sent = (await ask(request)).body.length;
  seen.bytes = 0;
  const whole = ask(request);
  const end = performance.now() + patience;
  while (seen.bytes < sent && performance.now() < end) await sleep(5);
  const arrived = seen.bytes;
  release.resolve();
  await whole;
  return { sent, arrived };
}
