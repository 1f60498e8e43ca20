import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import { encodeEvents, encodeWhole } from './coding.ts';
import type { Composed } from './compose.ts';
import { type Outlet, pace } from './pace.ts';
import type { Pacing } from './types.ts';

export type Response = ServerResponse | Http2ServerResponse;

/** Sends the composed answer over HTTP. Never rejects, because a client may leave at any time. */
export async function respond(
  response: Response,
  composed: Composed,
  { pacing, reset }: { readonly pacing: Pacing; readonly reset: () => void },
): Promise<void> {
  response.on('error', () => undefined);
  const outlet = outletOf(response, reset);
  const headers = {
    ...fixed,
    ...composed.headers,
    ...(pacing.coding === undefined ? {} : { 'content-encoding': pacing.coding }),
    ...pacing.headers,
  };
  if (composed.form === 'stream') {
    head(response, composed.status, headers);
    return pace(outlet, await encodeEvents(pacing.coding, composed.events), pacing);
  }
  const bytes = encodeWhole(pacing.coding, Buffer.concat(composed.events));
  head(response, composed.status, { ...headers, 'content-length': String(bytes.length) });
  // Cuts a document in its middle, because it has no events to stop between.
  if (pacing.abortAfter === undefined) return pace(outlet, [bytes], pacing);
  return pace(outlet, [bytes.subarray(0, bytes.length >> 1)], { ...pacing, abortAfter: 1 });
}

/** Equal in every run, so that two exchanges can be compared. */
const fixed = { date: 'Sun, 22 Nov 2026 12:00:00 GMT', server: 'model-server' };

function head(response: Response, status: number, headers: Readonly<Record<string, string>>): void {
  if (response instanceof Http2ServerResponse) response.writeHead(status, headers);
  else response.writeHead(status, headers).flushHeaders();
}

function outletOf(response: Response, reset: () => void): Outlet {
  return {
    async write(piece) {
      if (piece.length === 0 || response.destroyed || response.writableEnded) return;
      const isFull = !(response as ServerResponse).write(piece);
      if (isFull) await Promise.race([once(response, 'drain'), once(response, 'close')]).catch(() => undefined);
      else await new Promise((resolve) => setImmediate(resolve));
    },
    end: () => void response.end(),
    reset() {
      if (response instanceof Http2ServerResponse) response.stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
      else reset();
    },
  };
}
