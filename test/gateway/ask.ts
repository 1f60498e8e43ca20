import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

export interface ExchangeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One request's answer as it came over the wire, with its content codings. */
export interface Exchange {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** `cut`: the connection broke before the body was whole. */
  readonly end: 'whole' | 'cut';
}

/** A way to a server: direct, through a proxy, out of a box. */
export type Ask = (request: ExchangeRequest) => Promise<Exchange>;

export interface AskOptions {
  /** PEM, for `https:`. */
  readonly ca?: string;
  /** Called for each piece of the body on arrival. */
  readonly onPiece?: (piece: Buffer) => void;
}

/** Sends by HTTP/1.1 to `http://127.0.0.1:PORT` or a similar address. Rejects if no answer starts. */
export function askAt(origin: string, { ca, onPiece }: AskOptions = {}): Ask {
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const url = new URL(path, origin);
      const options = { method, headers: { 'content-length': String(body.length), ...headers }, agent: false };
      const sent = url.protocol === 'https:' ? overHttps(url, { ...options, ca }) : overHttp(url, options);
      sent.on('error', reject);
      sent.on('response', (response) => {
        // From here on, the answer's end reports a broken connection.
        sent.off('error', reject).on('error', () => undefined);
        void collect(response, onPiece).then(resolve, reject);
      });
      sent.end(body);
    });
}

async function collect(response: IncomingMessage, onPiece?: (piece: Buffer) => void): Promise<Exchange> {
  const pieces: Buffer[] = [];
  const head = { status: response.statusCode ?? 0, rawHeaders: response.rawHeaders };
  try {
    for await (const piece of response) {
      pieces.push(piece as Buffer);
      onPiece?.(piece as Buffer);
    }
  } catch {
    return { ...head, body: Buffer.concat(pieces), end: 'cut' };
  }
  return { ...head, body: Buffer.concat(pieces), end: response.complete ? 'whole' : 'cut' };
}
