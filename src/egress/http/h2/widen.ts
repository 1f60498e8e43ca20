import type { Http2Session } from 'node:http2';
import { limits } from '../limits.ts';

/** Raises the window of a whole connection, which no setting does. A session may be destroyed before it says that it is connected. */
export function widen(session: Http2Session): void {
  session.once('connect', () => {
    if (!session.destroyed) session.setLocalWindowSize(limits.sessionWindow);
  });
}
