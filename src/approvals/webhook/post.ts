import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** PEM. Default: those that Node comes with. */
  readonly authorities?: readonly string[];
}

/** One line of why without anything that the service said. */
export type Posted =
  | { readonly kind: 'response'; readonly status: number; readonly signature: string; readonly body: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Bytes of an answer: a real one has 300. */
const longestResponse = 65_536;

/**
 * One POST, in a connection of its own. Redirects are not followed: whom a question goes to is said by the policy. The
 * certificate is verified whatever the environment says. Never rejects.
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
      // More than one may come, and what nobody listens to would end this process.
      request.on('error', fail);
      // Node ends a connection that is switched without an error: nobody would be told, and the request would be under
      // way for ever.
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
