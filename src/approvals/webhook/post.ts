import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** PEM. Default: Node's own authorities. */
  readonly authorities?: readonly string[];
}

/** `message` gives the reason in one line, without any text of the service. */
export type Posted =
  | { readonly kind: 'response'; readonly status: number; readonly signature: string; readonly body: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Bytes of a response. A real one has 300. */
const longestResponse = 65_536;

/**
 * Makes one POST in a connection of its own. Follows no redirects, because the policy names the receiver. Verifies the
 * certificate in every environment. Never rejects.
 */
export function postWebhook({ url, headers, body, timeout, signal, authorities }: Post): Promise<Posted> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  return new Promise((resolve) => {
    const fail = (error: unknown): void => resolve({ kind: 'failed', why: reason(error, stop) });
    const options = {
      method: 'POST',
      agent: false,
      signal: stop,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    } as const;
    const trust = { rejectUnauthorized: true, ...(authorities === undefined ? {} : { ca: [...authorities] }) };
    try {
      const request = url.startsWith('https:')
        ? httpsRequest(url, { ...options, ...trust })
        : httpRequest(url, options);
      // More than one error may occur, and an unhandled one would end this process.
      request.on('error', fail);
      // On an upgrade, Node ends the connection without an error, and the request would stay pending.
      request.once('upgrade', (_, socket) => {
        socket.destroy();
        resolve({ kind: 'failed', why: 'it switched to another protocol' });
      });
      request.once(
        'response',
        (response) =>
          void read(response)
            .then(resolve, fail)
            .finally(() => request.destroy()),
      );
      request.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

async function read(response: IncomingMessage): Promise<Posted> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestResponse) return { kind: 'failed', why: `it answered with more than ${longestResponse} bytes` };
    chunks.push(chunk);
  }
  const { 'holdfast-signature': header } = response.headers;
  return {
    kind: 'response',
    status: response.statusCode ?? 0,
    signature: typeof header === 'string' ? header : '',
    body: Buffer.concat(chunks).toString(),
  };
}

function reason(error: unknown, { aborted }: AbortSignal): string {
  return aborted
    ? 'it did not answer in time'
    : `it cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
}
