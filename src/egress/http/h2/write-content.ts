import { constants, type Http2Stream } from 'node:http2';
import type { Body } from '../message.ts';
import { StreamReset } from '../reset.ts';
import { endToEndTrailers, writeBody } from '../write-body.ts';
import { headersOf } from './read-body.ts';

/** Writes content and trailers as they come, to a stream that was opened with `waitForTrailers`. Never rejects. */
export async function writeContent(stream: Http2Stream, body: Body): Promise<void> {
  stream.on('wantTrailers', () => {
    if (stream.closed || stream.destroyed) return;
    try {
      stream.sendTrailers(headersOf(endToEndTrailers(body.trailers())));
    } catch {
      // Node cannot send these trailers. Without them, the content must not look complete.
      stream.destroy(new Error('The trailers cannot be sent.'));
    }
  });
  try {
    const outcome = await writeBody(stream, body, body.length === undefined ? 'until-close' : 'length');
    if (outcome === 'complete') stream.end();
    else resetStream(stream, constants.NGHTTP2_INTERNAL_ERROR);
  } catch (error) {
    resetStream(stream, error instanceof StreamReset ? error.code : constants.NGHTTP2_INTERNAL_ERROR);
  }
}

/**
 * Resets a stream. Node's `close` ends the content properly before the reset, so half an upload or half an answer would
 * look complete. A stream with content under way is therefore destroyed, with the closest error code.
 */
export function resetStream(stream: Http2Stream, code: number): void {
  if (stream.closed || stream.destroyed) return;
  if (stream.writableEnded || !('headersSent' in stream && stream.headersSent)) stream.close(code);
  else stream.destroy(code === constants.NGHTTP2_CANCEL ? new AbortError() : new Error('The content broke off.'));
}

/** Node recognises this name, and resets the stream with CANCEL. */
class AbortError extends Error {
  override readonly name = 'AbortError';
}
