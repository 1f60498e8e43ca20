import { performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { chain } from '../interceptor.ts';
import { limits } from '../limits.ts';
import type { InterceptContext } from '../types.ts';
import { serveStream } from './serve-stream.ts';
import { http2Upstream } from './upstream.ts';
import { widen } from './widen.ts';

/** Serves the streams of an HTTP/2 connection. Resolves when it is closed. Never rejects. */
export function serveHttp2(client: Duplex, context: InterceptContext): Promise<void> {
  if (client.destroyed) return Promise.resolve();
  const upstream = http2Upstream(context);
  const send = chain(context.interceptors, upstream.send, context);
  // A `TLSSocket` that no `tls.Server` made says for ever that it is still connecting, and Node would wait for that.
  if (client instanceof TLSSocket) Object.assign(client, { secureConnecting: false });
  // Of a connection that its client has half closed, nobody reads the answers.
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

/** Node and nghttp2 bound what one client can do to us here: resets, continuations, settings, pings, header lists. */
const options = {
  settings: { initialWindowSize: limits.streamWindow, maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.head },
  maxHeaderListPairs: limits.fields,
  maxSessionInvalidFrames: limits.badFrames,
  maxSessionRejectedStreams: limits.badFrames,
  maxSessionMemory: limits.sessionMemory,
  streamResetBurst: limits.resetBurst,
  streamResetRate: limits.resetRate,
} as const;

function closeWhenIdle(session: ServerHttp2Session): { readonly begin: () => void; readonly end: () => void } {
  let open = 0;
  // What is still open after so much silence is dead; what is not is told to go (GOAWAY) and given a moment.
  session.on('timeout', () => {
    if (open > 0) return session.destroy();
    session.close();
    setTimeout(() => session.destroy(), limits.linger).unref();
  });
  session.setTimeout(limits.idle);
  return {
    begin: () => {
      open += 1;
      if (open === 1) session.setTimeout(limits.silence);
    },
    end: () => {
      open -= 1;
      if (open === 0) session.setTimeout(limits.idle);
    },
  };
}
