import type { Refused } from '../../types.ts';
import type { InterceptContext } from '../types.ts';
import type { UpstreamLeg } from '../upstream-leg.ts';
import { exchange } from './exchange.ts';
import { type OpenedSession, openSession } from './upstream-session.ts';

export interface Http2Upstream extends UpstreamLeg {
  /** Opens the session ahead of the first request, and says so once it is known to take WebSockets. */
  prepare(onWebSockets: () => void): void;
}

/** The requests of one client as streams of one session, and of a new one after that has gone away. */
export function http2Upstream(context: InterceptContext): Http2Upstream {
  let current: Promise<OpenedSession | Refused> | undefined;
  let isClosed = false;

  const open = async (): Promise<OpenedSession | Refused> => {
    const opened = await openSession(context);
    if (opened.kind === 'refused') current = undefined;
    else if (isClosed) opened.session.destroy();
    else opened.session.on('close', () => (current = undefined));
    return opened;
  };

  const session = async (): Promise<OpenedSession | Refused> => {
    current ??= open();
    const opened = await current;
    if (opened.kind === 'refused' || !(opened.session.closed || opened.session.destroyed) || isClosed) return opened;
    current = open();
    return current;
  };

  return {
    async send(request) {
      const opened = await session();
      if (opened.kind === 'refused') return opened;
      return exchange(opened.session, request);
    },
    prepare(onWebSockets) {
      void session().then((opened) => {
        if (opened.kind === 'session') opened.session.on('remoteSettings', ({ enableConnectProtocol }) => enableConnectProtocol === true && onWebSockets());
      });
    },
    close() {
      isClosed = true;
      void current?.then((opened) => opened.kind === 'session' && opened.session.destroy());
    },
  };
}
