import type { Refused } from '../types.ts';
import { refused } from './decide-request.ts';
import type { Send } from './interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from './message.ts';

/** Sends a request through interceptors that may have been written by others: one that throws refuses. */
export async function sendSafely(send: Send, request: OutgoingRequest): Promise<IncomingResponse | Refused> {
  try {
    return await send(request);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/[^\u0020-\u007e]+/gu, ' ').slice(0, 200) : 'an unknown error';
    return refused({ code: 'upstream-protocol', message: `The request could not be carried out: ${reason}`, remedy: 'Report this, with the journal entry of the request.' });
  }
}
