import { bodyFrom } from '../../../egress/http/interceptor.ts';
import type { Body } from '../../../egress/http/message.ts';

/** Most octets to hold of content without a model's text. Errors and lists are short, and files are not kept. */
const longestHeld = 256 * 1024;

export interface ReadBody {
  /** Undefined if the content exceeded the limit. */
  readonly bytes: Buffer | undefined;
  readonly length: number;
  readonly end: 'ended' | 'cut';
}

export interface WatchedBody {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Called once, when the body has ended or is no longer read. */
  readonly onEnd: (read: ReadBody) => void;
}

/** Returns the same body, and reports its bytes when it ends. */
export function watchBody(body: Body, { signal, onEnd }: WatchedBody): Body {
  const held: Buffer[] = [];
  let length = 0;
  let state: 'open' | 'told' = 'open';
  const tell = (end: ReadBody['end']): void => {
    if (state === 'told') return;
    state = 'told';
    signal.removeEventListener('abort', onAbort);
    onEnd({ bytes: length > longestHeld ? undefined : Buffer.concat(held), length, end });
  };
  const onAbort = (): void => tell('cut');
  async function* chunks(): AsyncGenerator<Buffer, void> {
    let end: ReadBody['end'] = 'cut';
    try {
      for await (const bytes of body) {
        length += bytes.length;
        if (length <= longestHeld) held.push(bytes);
        yield bytes;
      }
      end = 'ended';
    } finally {
      tell(end);
    }
  }
  if (signal.aborted) tell('cut');
  else signal.addEventListener('abort', onAbort);
  return bodyFrom(chunks(), {
    ...(body.length === undefined ? {} : { length: body.length }),
    trailers: () => body.trailers(),
  });
}
