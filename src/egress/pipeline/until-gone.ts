import type { Socket } from 'node:net';

/** Milliseconds until it is looked again whether who has said everything is still there: nothing tells. */
const pause = 2000;

export interface UntilGone {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Stops listening. What the client has said meanwhile is unread. */
  end(): void;
}

/**
 * Listens for the end of a client that waits and is told nothing. One that has only said all it has to say may wait for
 * its answer: `hasLeft` tells whether anybody still holds the other end.
 */
export function untilGone(client: Socket, hasLeft: () => boolean): UntilGone {
  const gone = new AbortController();
  // A reason of our own: the default one is an exception with a stack.
  const leave = (): void => gone.abort('gone');
  let again: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (hasLeft()) leave();
  };
  const ended = (): void => {
    look();
    again ??= setInterval(look, pause).unref();
  };
  client.on('close', leave).on('end', ended);
  // The end of what nobody reads is told by nothing else. Who has begun to read hears it by itself.
  const isUnread = client.bytesRead === 0 && client.readableFlowing === false;
  if (isUnread) client.on('readable', ended).read(0);
  return {
    signal: gone.signal,
    end() {
      clearInterval(again);
      client.off('close', leave).off('end', ended);
      if (isUnread) client.off('readable', ended).pause();
    },
  };
}
