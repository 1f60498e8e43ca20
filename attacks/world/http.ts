import type { Duplex } from 'node:stream';
import { chunkedAnswer, echoOf } from './echo.ts';
import type { Log } from './log.ts';
import { acceptSocket, payloadsIn } from './web-socket.ts';

export interface HttpOptions {
  /** The mark in every answer, which a box must not see from a closed server. */
  readonly canary: string;
  readonly log: Log;
}

/** A socket, or TLS over one. */
export type Client = Duplex & { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };

/**
 * A server with the faults that smugglers need. It prefers Content-Length to Transfer-Encoding, and reads each as well
 * as it can. Lines may end with LF, and the bytes after one request are the next. `/to/URL` answers with a redirect to
 * that URL, `/echo/WAY` with the request, and below `/socket/` it accepts WebSockets.
 */
export function serveHttp(client: Client, { canary, log }: HttpOptions): void {
  const where = `${addressOf(client)}:${client.localPort ?? 0}`;
  let buffered = '';
  client.on('error', () => client.destroy());
  client.on('data', (bytes: Buffer) => {
    log(`bytes ${where} ${bytes.toString('latin1')}`);
    buffered += bytes.toString('latin1');
    for (let request = nextRequest(buffered); request !== undefined; request = nextRequest(buffered)) {
      const whole = Buffer.from(buffered.slice(0, request.length), 'latin1');
      buffered = buffered.slice(request.length);
      log(`request ${where} ${request.line} host ${request.host}`);
      if (request.socketKey !== undefined)
        return serveSocket(client, acceptSocket(request.socketKey), (payload) => log(`message ${where} ${payload}`));
      for (const piece of answersTo(request, whole, `from ${addressOf(client)} for ${request.host}: ${canary}\n`))
        client.write(piece);
      if (/^HTTP\/1\.0$/u.test(request.line.split(' ')[2] ?? '') || request.closes) client.end();
    }
  });
}

function answersTo({ line }: Request, whole: Buffer, body: string): readonly (string | Buffer)[] {
  const echo = echoOf(line.split(' ')[1] ?? '', whole);
  return echo === undefined ? [answerTo(line, body)] : chunkedAnswer(echo);
}

/** From now on, the server reads the client's bytes and never answers. */
function serveSocket(client: Client, accepted: string, hear: (payload: string) => void): void {
  let held = Buffer.alloc(0);
  client.removeAllListeners('data');
  client.on('data', (bytes: Buffer) => {
    const { payloads, rest } = payloadsIn(Buffer.concat([held, bytes]));
    held = Buffer.from(rest);
    for (const payload of payloads) hear(payload);
  });
  client.write(accepted);
}

interface Request {
  readonly line: string;
  readonly host: string;
  readonly closes: boolean;
  /** Key of a client that requests a WebSocket. */
  readonly socketKey: string | undefined;
  /** Bytes, with its content. */
  readonly length: number;
}

function nextRequest(text: string): Request | undefined {
  const end = /\r?\n\r?\n/u.exec(text);
  if (end === null) return undefined;
  const head = text.slice(0, end.index);
  const start = end.index + end[0].length;
  const content = contentLength(head, text.slice(start));
  if (content === undefined || text.length < start + content) return undefined;
  return {
    line: head.split(/\r?\n/u, 1)[0] ?? '',
    host: /^host:[ \t]*(.*?)\r?$/imu.exec(head)?.[1] ?? '',
    closes: /^connection:.*close/imu.test(head),
    socketKey: /^GET \/socket\/.*^sec-websocket-key: *(\S+)/imsu.exec(head)?.[1],
    length: start + content,
  };
}

/** Bytes. Undefined while the last chunk is missing. */
function contentLength(head: string, rest: string): number | undefined {
  const said = /^content-length[ \t]*:[ \t]*\+?(\d+)/imu.exec(head)?.[1];
  if (said !== undefined || !/^transfer-encoding: chunked\r?$/imu.test(head)) return Number(said ?? 0);
  const last = /(?:^|\r\n)0\r\n(?:[^\r\n]+\r\n)*\r\n/u.exec(rest);
  return last === null ? undefined : last.index + last[0].length;
}

function answerTo(line: string, body: string): string {
  const target = redirectOf(line.split(' ')[1] ?? '');
  const first = target === undefined ? 'HTTP/1.1 200 OK' : `HTTP/1.1 302 Found\r\nLocation: ${target}`;
  return `${first}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${line.startsWith('HEAD ') ? '' : body}`;
}

/** The target of `/to/URL`. Undefined for other paths. */
export function redirectOf(path: string): string | undefined {
  const target = /^\/to\/(.+)/u.exec(path)?.[1];
  return target === undefined ? undefined : decodeURIComponent(target);
}

export function addressOf({ localAddress = '' }: Pick<Client, 'localAddress'>): string {
  return localAddress.replace(/^::ffff:(?=\d)/u, '');
}
