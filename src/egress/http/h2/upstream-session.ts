import { type ClientHttp2Session, connect } from 'node:http2';
import type { Refused } from '../../types.ts';
import { refused } from '../decide-request.ts';
import { limits } from '../limits.ts';
import { widen } from './widen.ts';
import { openUpstream } from '../open-upstream.ts';
import type { InterceptContext } from '../types.ts';

export interface OpenedSession {
  readonly kind: 'session';
  readonly session: ClientHttp2Session;
}

/** Opens an HTTP/2 session to the destination. Resolves before its settings have arrived. Never rejects. */
export async function openSession(context: InterceptContext): Promise<OpenedSession | Refused> {
  const { scheme, destination } = context;
  const opened = await openUpstream(context, 'h2');
  if (opened.kind === 'refused') return opened;
  const name = destination.host.includes(':') ? `[${destination.host}]` : destination.host;
  try {
    // Node's session takes the connection over without starting to read it, and one that was just dialled is not read yet.
    opened.stream.read(0);
    const session = connect(`${scheme}://${name}:${destination.port}`, { ...options, createConnection: () => opened.stream });
    session.on('error', () => undefined);
    widen(session);
    return { kind: 'session', session };
  } catch {
    opened.stream.destroy();
    return refused({ code: 'upstream-protocol', message: 'No HTTP/2 session could be opened with the destination.', remedy: 'Try again.' });
  }
}

const options = {
  settings: { enablePush: false, initialWindowSize: limits.streamWindow, maxHeaderListSize: limits.head },
  maxHeaderListPairs: limits.fields,
  maxSessionMemory: limits.sessionMemory,
} as const;
