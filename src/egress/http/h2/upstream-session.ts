import { type ClientHttp2Session, connect } from 'node:http2';
import type { Refused } from '../../types.ts';
import { refused } from '../decide-request.ts';
import { limits } from '../limits.ts';
import type { InterceptContext } from '../types.ts';

export interface OpenedSession {
  readonly kind: 'session';
  readonly session: ClientHttp2Session;
}

/** Opens an HTTP/2 session to the destination. Resolves before its settings have arrived. */
export async function openSession(context: InterceptContext): Promise<OpenedSession | Refused> {
  const { scheme, destination } = context;
  const opened = await context.openUpstream({ alpn: 'h2' });
  if ('refusal' in opened) return opened;
  opened.on('error', () => undefined);
  // Without TLS nothing was negotiated: the client knows beforehand, and so do we.
  if (scheme === 'https' && opened.alpn !== 'h2') {
    opened.destroy();
    return refused({ code: 'upstream-protocol', message: 'The destination does not speak HTTP/2 any more.', remedy: 'Use HTTP/1.1 for it, or try again.' });
  }
  const name = destination.host.includes(':') ? `[${destination.host}]` : destination.host;
  const settings = { enablePush: false, initialWindowSize: limits.streamWindow, maxHeaderListSize: limits.head };
  const session = connect(`${scheme}://${name}:${destination.port}`, { createConnection: () => opened, settings, maxHeaderListPairs: limits.fields, maxSessionMemory: limits.sessionMemory });
  session.on('error', () => undefined);
  session.on('connect', () => session.setLocalWindowSize(limits.sessionWindow));
  return { kind: 'session', session };
}
