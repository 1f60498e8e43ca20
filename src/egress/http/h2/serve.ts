import {
  type ClientHttp2Session,
  connect,
  type Http2Session,
  performServerHandshake,
  type ServerHttp2Session,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Refused } from '../../types.ts';
import { type InterceptContext, refused } from '../decide-request.ts';
import { chain } from '../interceptor.ts';
import { httpLimits } from '../limits.ts';
import { openUpstream, type UpstreamLeg } from '../tunnel.ts';
import { exchangeHttp2 } from './exchange.ts';
import { serveStream } from './serve-stream.ts';

/** Serves the streams of an HTTP/2 connection. Resolves when it is closed. Never rejects. */
export function serveHttp2(client: Duplex, context: InterceptContext): Promise<void> {
  if (client.destroyed) return Promise.resolve();
  const upstream = http2Upstream(context);
  const send = chain(context.interceptors, upstream.send, context);
  // A `TLSSocket` that was created without a `tls.Server` claims to be connecting for ever, and Node would wait for it.
  if (client instanceof TLSSocket) Object.assign(client, { secureConnecting: false });
  // With `allowHalfOpen`, nobody would read the answers on a connection that its client has half closed.
  Object.assign(client, { allowHalfOpen: false });
  const session = performServerHandshake(client, options);
  session.on('error', () => undefined);
  widen(session);
  const activity = closeWhenIdle(session);
  session.on('stream', (stream, headers) => {
    activity.begin();
    stream.on('close', activity.end);
    void serveStream(stream, { headers, send, context });
  });
  const allowWebSockets = (): void => {
    if (!session.closed && !session.destroyed) session.settings({ ...options.settings, enableConnectProtocol: true });
  };
  if (context.dials !== 'when-allowed') upstream.prepare(allowWebSockets);
  return new Promise((resolve) => {
    session.on('close', () => {
      upstream.close();
      client.destroy();
      resolve();
    });
  });
}

/**
 * Limits in Node and nghttp2 on the load that one client causes: resets, continuations, settings, pings, header lists.
 */
const options = {
  settings: {
    initialWindowSize: httpLimits.streamWindow,
    maxConcurrentStreams: httpLimits.streams,
    maxHeaderListSize: httpLimits.head,
  },
  maxHeaderListPairs: httpLimits.fields,
  maxSessionInvalidFrames: httpLimits.badFrames,
  maxSessionRejectedStreams: httpLimits.badFrames,
  maxSessionMemory: httpLimits.sessionMemory,
  streamResetBurst: httpLimits.resetBurst,
  streamResetRate: httpLimits.resetRate,
} as const;

function closeWhenIdle(session: ServerHttp2Session): { readonly begin: () => void; readonly end: () => void } {
  let open = 0;
  // A session that is still open after this much silence is dead. Otherwise the client gets GOAWAY and a moment to
  // finish.
  session.on('timeout', () => {
    if (open > 0) return session.destroy();
    session.close();
    setTimeout(() => session.destroy(), httpLimits.linger).unref();
  });
  session.setTimeout(httpLimits.idle);
  return {
    begin: () => {
      open += 1;
      if (open === 1) session.setTimeout(httpLimits.silence);
    },
    end: () => {
      open -= 1;
      if (open === 0) session.setTimeout(httpLimits.idle);
    },
  };
}

interface Http2Upstream extends UpstreamLeg {
  /** Opens the session before the first request, and reports it if the destination supports WebSockets. */
  prepare(onWebSockets: () => void): void;
}

/** Sends the requests of one client as streams of one session. Opens a new session once the first has gone away. */
function http2Upstream(context: InterceptContext): Http2Upstream {
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
      return exchangeHttp2(opened.session, request);
    },
    prepare(onWebSockets) {
      void session().then((opened) => {
        if (opened.kind === 'session')
          opened.session.on(
            'remoteSettings',
            ({ enableConnectProtocol }) => enableConnectProtocol === true && onWebSockets(),
          );
      });
    },
    close() {
      isClosed = true;
      void current?.then((opened) => opened.kind === 'session' && opened.session.destroy());
    },
  };
}

interface OpenedSession {
  readonly kind: 'session';
  readonly session: ClientHttp2Session;
}

/** Opens an HTTP/2 session to the destination. Resolves before its settings have arrived. Never rejects. */
async function openSession(context: InterceptContext): Promise<OpenedSession | Refused> {
  const { scheme, destination } = context;
  const opened = await openUpstream(context, 'h2');
  if (opened.kind === 'refused') return opened;
  const name = destination.host.includes(':') ? `[${destination.host}]` : destination.host;
  try {
    // Node's session takes over the connection without starting to read, and a fresh connection has no reader yet.
    opened.stream.read(0);
    const session = connect(`${scheme}://${name}:${destination.port}`, {
      ...upstreamOptions,
      createConnection: () => opened.stream,
    });
    session.on('error', () => undefined);
    widen(session);
    return { kind: 'session', session };
  } catch {
    opened.stream.destroy();
    return refused({
      code: 'upstream-protocol',
      message: 'No HTTP/2 session could be opened with the destination.',
      remedy: 'Try again.',
    });
  }
}

const upstreamOptions = {
  settings: { enablePush: false, initialWindowSize: httpLimits.streamWindow, maxHeaderListSize: httpLimits.head },
  maxHeaderListPairs: httpLimits.fields,
  maxSessionMemory: httpLimits.sessionMemory,
} as const;

/**
 * Raises the flow-control window of the whole connection, which no setting changes. A session may be destroyed before
 * it reports that it is connected.
 */
function widen(session: Http2Session): void {
  session.once('connect', () => {
    if (!session.destroyed) session.setLocalWindowSize(httpLimits.sessionWindow);
  });
}
