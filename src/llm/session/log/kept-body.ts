import { bodyFrom } from '../../../egress/http/interceptor.ts';
import type { Body } from '../../../egress/http/message.ts';

/** Octets that are held for what is no model's text: errors and lists are short, files are not kept. */
const longestHeld = 256 * 1024;

export interface ReadBody {
  /** Undefined where it had more than is held. */
  readonly bytes: Buffer | undefined;
  readonly length: number;
  readonly end: 'ended' | 'cut';
}

export interface WatchedBody {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Told once, when the body has ended or nobody reads it any more. */
  readonly onEnd: (read: ReadBody) => void;
}

/** The body as it is, and what was read of it told at its end. */
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
