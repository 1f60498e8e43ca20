import type { Duplex } from 'node:stream';
import type { Log } from './log.ts';

export interface HttpOptions {
  /** What every answer holds, and a box must not see of a server that is closed to it. */
  readonly canary: string;
  readonly log: Log;
}

/** A socket, or TLS over one. */
export type Client = Duplex & { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };

/**
 * A server as smugglers like it: it believes Content-Length before Transfer-Encoding, reads each as it can, lines may end with
 * LF, and whatever stands behind one request is the next. `/to/URL` answers with a redirect to that URL.
 */
export function serveHttp(client: Client, { canary, log }: HttpOptions): void {
  const where = `${addressOf(client)}:${client.localPort ?? 0}`;
  let buffered = '';
  client.on('error', () => client.destroy());
  client.on('data', (bytes: Buffer) => {
    log(`bytes ${where} ${bytes.toString('latin1')}`);
    buffered += bytes.toString('latin1');
    for (let request = nextRequest(buffered); request !== undefined; request = nextRequest(buffered)) {
      buffered = buffered.slice(request.length);
      log(`request ${where} ${request.line} host ${request.host}`);
      client.write(answerTo(request.line, `from ${addressOf(client)} for ${request.host}: ${canary}\n`));
      if (/^HTTP\/1\.0$/u.test(request.line.split(' ')[2] ?? '') || request.closes) client.end();
    }
  });
}

interface Request {
  readonly line: string;
  readonly host: string;
  readonly closes: boolean;
  /** Octets, with its content. */
  readonly length: number;
}

function nextRequest(text: string): Request | undefined {
  const end = /\r?\n\r?\n/u.exec(text);
  if (end === null) return undefined;
  const head = text.slice(0, end.index);
  const start = end.index + end[0].length;
  const content = contentLength(head, text.slice(start));
  if (content === undefined || text.length < start + content) return undefined;
  return { line: head.split(/\r?\n/u, 1)[0] ?? '', host: /^host:[ \t]*(.*?)\r?$/imu.exec(head)?.[1] ?? '', closes: /^connection:.*close/imu.test(head), length: start + content };
}

/** Octets; undefined while the last chunk has not come. */
function contentLength(head: string, rest: string): number | undefined {
  const said = /^content-length[ \t]*:[ \t]*\+?(\d+)/imu.exec(head)?.[1];
  if (said !== undefined || !/^transfer-encoding: chunked\r?$/imu.test(head)) return Number(said ?? 0);
  const last = /(?:^|\r\n)0\r\n\r\n/u.exec(rest);
  return last === null ? undefined : last.index + last[0].length;
}

function answerTo(line: string, body: string): string {
  const target = /^\w+ \/to\/(\S+)/u.exec(line)?.[1];
  const first = target === undefined ? 'HTTP/1.1 200 OK' : `HTTP/1.1 302 Found\r\nLocation: ${decodeURIComponent(target)}`;
  return `${first}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${line.startsWith('HEAD ') ? '' : body}`;
}

export function addressOf({ localAddress = '' }: Pick<Client, 'localAddress'>): string {
  return localAddress.replace(/^::ffff:(?=\d)/u, '');
}
