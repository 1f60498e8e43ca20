import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { streamEvents } from './compose.ts';
import { responsesEndpoint } from './openai-responses.ts';
import { type Outlet, pace } from './pace.ts';
import type { Answer, ReceivedRequest } from './types.ts';

export interface SocketServing {
  readonly received: (request: ReceivedRequest) => void;
  /** The next answer of the script. */
  readonly next: () => Answer | undefined;
  /** Resets the connection. */
  readonly reset: () => void;
}

/**
 * Responses over a WebSocket: events as text messages answer every `response.create`. Source:
 * platform.openai.com/docs/guides/websocket-mode.
 */
export function serveWebSocket(
  { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  serving: SocketServing,
): void {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.handleUpgrade(request, socket, head, (opened) => {
    let before = Promise.resolve();
    opened.on('error', () => undefined);
    opened.on('message', (data) => {
      const body = Buffer.isBuffer(data) ? data : Buffer.concat(data as Buffer[]);
      serving.received({
        transport: 'websocket',
        version: request.httpVersion,
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body,
      });
      before = before.then(() => answerMessage({ opened, socket }, body, serving));
    });
  });
}

async function answerMessage(
  { opened, socket }: { readonly opened: WebSocket; readonly socket: Duplex },
  body: Buffer,
  { next, reset }: SocketServing,
): Promise<void> {
  const asked = parsed(body);
  const answer = asked === undefined ? undefined : next();
  if (answer?.kind === 'raw') return pace(rawOutlet(socket, reset), answer.events, answer);
  if (answer === undefined || answer.kind === 'error')
    return opened.send(
      errorMessage(
        answer?.status ?? 400,
        answer?.message ?? (asked === undefined ? 'The message is not JSON.' : 'The script has no more answers.'),
      ),
    );
  const call = { method: 'POST', path: '/v1/responses', body: asked };
  const events = streamEvents(responsesEndpoint(call), call, answer).map(({ data }) => Buffer.from(data));
  return pace(messageOutlet(opened, { reset, isCut: answer.chunking === 'byte' }), events, {
    ...answer,
    chunking: 'event',
  });
}

function parsed(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function errorMessage(status: number, message: string): string {
  return JSON.stringify({
    type: 'error',
    status,
    error: { type: 'invalid_request_error', code: null, message, param: null },
  });
}

/** Each event is one message, in one frame or in one for each byte. The end of an answer leaves the connection open. */
function messageOutlet(
  opened: WebSocket,
  { reset, isCut }: { readonly reset: () => void; readonly isCut: boolean },
): Outlet {
  return {
    async write(event) {
      const size = isCut ? 1 : event.length;
      for (let at = 0; at < event.length; at += size)
        opened.send(event.subarray(at, at + size), { binary: false, fin: at + size >= event.length }, () => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
    end: () => undefined,
    reset,
  };
}

function rawOutlet(socket: Duplex, reset: () => void): Outlet {
  return {
    async write(bytes) {
      (socket as Socket).write(bytes);
      await new Promise((resolve) => setImmediate(resolve));
    },
    end: () => undefined,
    reset,
  };
}
