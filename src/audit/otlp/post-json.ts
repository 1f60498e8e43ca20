import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface Poster extends Disposable {
  /** Resolves with what came back, whatever it is. Rejects where there was no answer. */
  readonly post: (url: URL, body: string, options: PostOptions) => Promise<Answer>;
}

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from the beginning to the last byte of the answer. */
  readonly timeout: number;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** At most 64 KiB of it. */
  readonly body: string;
}

const longestAnswer = 65_536;

/**
 * Sends JSON over connections that it keeps. Certificates are verified, whatever the environment says. Redirects are
 * answers.
 */
export function poster(): Poster {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true, rejectUnauthorized: true }),
  };
  return {
    post: (url, body, options) =>
      send(url, body, { ...options, agent: url.protocol === 'https:' ? agents['https:'] : agents['http:'] }),
    [Symbol.dispose]: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function send(
  url: URL,
  body: string,
  { headers, timeout, agent }: PostOptions & { readonly agent: HttpAgent },
): Promise<Answer> {
  const bytes = Buffer.from(body);
  const signal = AbortSignal.timeout(timeout);
  const options = {
    method: 'POST',
    agent,
    signal,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, rejectUnauthorized: true })
        : httpRequest(url, options);
    request.on('response', resolve).on('error', reject).end(bytes);
  });
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body: await readBounded(response),
  };
}

async function readBounded(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    chunks.push(chunk as Buffer);
    // What follows is of no use: leaving the loop closes the connection.
    if (size > longestAnswer) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, longestAnswer);
}
