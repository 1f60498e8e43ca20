import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../errors/index.ts';
import { plainUrl } from './target.ts';

export interface OtlpDelivery {
  readonly poster: Poster;
  readonly headers: Readonly<Record<string, string>>;
  /** Time at which to give up, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** First pause before another attempt, in milliseconds. Each further one is twice as long. */
  readonly pause: number;
  /** Told once, before the first pause of the export, because the retries may take minutes. */
  readonly onRetry: (retry: OtlpRetry) => void;
}

export interface OtlpRetry {
  readonly url: string;
  readonly why: string;
  /** Milliseconds for which the export goes on trying. */
  readonly left: number;
}

/**
 * Statuses that the specification lets a client retry:
 * https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
 */
const retryable: readonly number[] = [429, 502, 503, 504];
/** Errors of a collector that has not started yet, or has stopped. An untrusted certificate does not count. */
const transient: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ABORT_ERR',
];
const longestAttempt = 10_000;
const longestPause = 30_000;

/**
 * Posts one message until it is accepted. Resolves to the response's text. Throws `HF_EXPORT_FAILED` for a response
 * that a retry would not change, and when the time is up.
 */
export async function deliverOtlp(
  url: URL,
  body: string,
  { poster, headers, deadline, pause, onRetry }: OtlpDelivery,
): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const left = deadline - performance.now();
    const outcome = await tryOnce(() =>
      poster.post(url, body, { headers, timeout: Math.ceil(Math.max(1, Math.min(longestAttempt, left))) }),
    );
    if (outcome.kind === 'taken') return outcome.body;
    const wait = outcome.kind === 'later' ? pauseBefore(attempt, pause, outcome.retryAfter) : Number.POSITIVE_INFINITY;
    if (performance.now() + wait >= deadline) throw failed(url, outcome);
    onRetry({ url: plainUrl(url), why: outcome.why, left: deadline - performance.now() });
    await sleep(wait);
  }
}

type Outcome =
  | { readonly kind: 'taken'; readonly body: string }
  | { readonly kind: 'later'; readonly why: string; readonly retryAfter?: number }
  | { readonly kind: 'never'; readonly why: string };

async function tryOnce(post: () => Promise<Answer>): Promise<Outcome> {
  try {
    const { status, retryAfter, body } = await post();
    if (status >= 200 && status < 300) return { kind: 'taken', body };
    const why =
      status >= 300 && status < 400 ? `it redirects (${status}), which is not followed` : `it answered ${status}`;
    return retryable.includes(status) ? { kind: 'later', why, ...waitOf(retryAfter) } : { kind: 'never', why };
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    const { code = '', name } = error as NodeJS.ErrnoException;
    // The error's message may be ours or OpenSSL's. Its code is enough, and quotes no part of the request.
    const why =
      name === 'TimeoutError' || code === 'ABORT_ERR' ? 'it does not answer' : `there is no connection to it (${code})`;
    return { kind: transient.includes(code) || name === 'TimeoutError' ? 'later' : 'never', why };
  }
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function waitOf(retryAfter: string | undefined): { readonly retryAfter?: number } {
  if (retryAfter === undefined) return {};
  const wait = /^\d{1,9}$/u.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(wait) ? { retryAfter: Math.max(0, wait) } : {};
}

/** Randomised, so that many machines do not retry at the same moment. */
function pauseBefore(attempt: number, pause: number, retryAfter: number | undefined): number {
  return retryAfter ?? Math.min(longestPause, pause * 2 ** attempt) * (0.5 + Math.random() / 2);
}

function failed(url: URL, outcome: Exclude<Outcome, { readonly kind: 'taken' }>): HoldfastError {
  return new HoldfastError(
    'HF_EXPORT_FAILED',
    `the collector at ${plainUrl(url)} did not take the export: ${outcome.why}`,
    {
      remedy:
        outcome.kind === 'later'
          ? 'see whether it runs, or give it more time with --timeout'
          : 'check the URL, its certificate and the headers',
    },
  );
}

interface Poster extends Disposable {
  /** Resolves with any response. Rejects if there was none. */
  readonly post: (url: URL, body: string, options: PostOptions) => Promise<Answer>;
}

interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from the start to the last byte of the response. */
  readonly timeout: number;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** At most the first 64 KiB of the body. */
  readonly body: string;
}

const longestAnswer = 65_536;

/**
 * Sends JSON over kept-alive connections. Verifies certificates in every environment. Returns redirects as responses.
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
    // The remainder is useless. Leaving the loop closes the connection.
    if (size > longestAnswer) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, longestAnswer);
}
