import type { Duplex } from 'node:stream';
import type { Refused } from '../types.ts';
import { refused } from './decide-request.ts';
import type { Send } from './interceptor.ts';
import { limits } from './limits.ts';
import type { IncomingResponse, OutgoingRequest } from './message.ts';
import { endAfterSilence } from './silence.ts';

/** Carries bytes both ways until both ends are done. An end that breaks takes the other with it. */
export async function joinTunnel(a: Duplex, b: Duplex): Promise<void> {
  for (const end of [a, b]) endAfterSilence(end, limits.tunnelSilence);
  a.pipe(b);
  b.pipe(a);
  await Promise.all([closed(a, b), closed(b, a)]);
}

function closed(stream: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      if (!stream.readableEnded || stream.errored !== null) other.destroy();
      else if (!other.writableEnded) other.end();
      resolve();
    };
    stream.on('error', () => undefined);
    if (stream.closed) finish();
    else stream.on('close', finish);
  });
}

/** Sends a request through interceptors that may have been written by others: one that throws refuses. */
export async function sendSafely(send: Send, request: OutgoingRequest): Promise<IncomingResponse | Refused> {
  try {
    return await send(request);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replaceAll(/[^\u0020-\u007e]+/gu, ' ').slice(0, 200) : 'an unknown error';
    return refused({
      code: 'upstream-protocol',
      message: `The request could not be carried out: ${reason}`,
      remedy: 'Report this, with the journal entry of the request.',
    });
  }
}
