import { type ClientHttp2Session, connect } from 'node:http2';
import type { Refused } from '../../types.ts';
import { limits } from '../limits.ts';
import { openUpstream } from '../open-upstream.ts';
import type { InterceptContext } from '../types.ts';

export interface OpenedSession {
  readonly kind: 'session';
  readonly session: ClientHttp2Session;
}

/** Opens an HTTP/2 session to the destination. Resolves before its settings have arrived. */
export async function openSession(context: InterceptContext): Promise<OpenedSession | Refused> {
  const { scheme, destination } = context;
  const opened = await openUpstream(context, 'h2');
  if (opened.kind === 'refused') return opened;
  const name = destination.host.includes(':') ? `[${destination.host}]` : destination.host;
  const settings = { enablePush: false, initialWindowSize: limits.streamWindow, maxHeaderListSize: limits.head };
  const session = connect(`${scheme}://${name}:${destination.port}`, { createConnection: () => opened.stream, settings, maxHeaderListPairs: limits.fields, maxSessionMemory: limits.sessionMemory });
  session.on('error', () => undefined);
  session.on('connect', () => session.setLocalWindowSize(limits.sessionWindow));
  return { kind: 'session', session };
}
