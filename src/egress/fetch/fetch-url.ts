import { decideUrl } from '../ssrf/decide-url.ts';
import { refuse } from '../ssrf/refuse.ts';
import type { Refused } from '../types.ts';
import { presentAnswer } from './body/present.ts';
import { followRedirect, type HopOptions, runHop } from './hop.ts';
import { checkedHeaders, type FetchContext, type FetchOptions, type FetchResult, type Hop } from './types.ts';

const defaults = { method: 'GET', maxBytes: 5 * 1024 * 1024, timeout: 30_000, maxRedirects: 5 };

/**
 * Fetches a page for an agent. Every hop, redirects included, is parsed strictly, decided by the policy, resolved and
 * vetted. Only the vetted address is dialled, and TLS is verified for the name. Never rejects: failures are refusals.
 */
export async function fetchUrl(url: string, context: FetchContext, options: FetchOptions = {}): Promise<FetchResult> {
  const first = firstHop(url, options);
  if (first.kind === 'refused') return first;
  const timeout = options.timeout ?? defaults.timeout;
  const controller = new AbortController();
  const clock = countdown(timeout, () => controller.abort());
  const leave = (): void => controller.abort();
  options.signal?.addEventListener('abort', leave);
  if (options.signal?.aborted === true) leave();
  try {
    const result = await follow(first, { context, options, signal: controller.signal, whileAsked: clock.pausedFor });
    if (result.kind !== 'refused' || !controller.signal.aborted) return result;
    return options.signal?.aborted === true ? abandoned(url) : tooLong(url, timeout);
  } finally {
    clock.stop();
    options.signal?.removeEventListener('abort', leave);
    controller.abort();
  }
}

function firstHop(text: string, { method = defaults.method, headers = {}, body }: FetchOptions): Hop | Refused {
  const decided = decideUrl(text);
  if (decided.kind === 'refused') return decided;
  if (!/^[A-Z]{1,20}$/.test(method) || ['CONNECT', 'TRACE', 'TRACK'].includes(method))
    return refuse('malformed-request', `"${method}" is not a method for a fetch`, {
      remedy: 'use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS',
    });
  const checked = checkedHeaders(headers);
  if (checked.kind === 'refused') return checked;
  return {
    kind: 'hop',
    decided,
    method,
    headers: checked.headers,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  };
}

interface Following {
  readonly context: FetchContext;
  readonly options: FetchOptions;
  readonly signal: AbortSignal;
  readonly whileAsked: HopOptions['whileAsked'];
}

async function follow(first: Hop, { context, options, signal, whileAsked }: Following): Promise<FetchResult> {
  const redirects: string[] = [];
  const { maxBytes = defaults.maxBytes, maxRedirects = defaults.maxRedirects, admits } = options;
  for (let hop = first; ; ) {
    const answer = await runHop(hop, context, {
      maxBytes,
      signal,
      whileAsked,
      ...(admits === undefined ? {} : { admits }),
    });
    if (answer.kind === 'refused') return answer;
    const next = followRedirect(hop, answer);
    if (next === undefined)
      return presentAnswer({ answer, finalUrl: hop.decided.url.href, redirects }, context, options);
    if (next.kind === 'refused') return next;
    if (redirects.length >= maxRedirects) return tooMany(first, maxRedirects);
    redirects.push(hop.decided.url.href);
    hop = next;
  }
}

function tooMany(first: Hop, most: number): Refused {
  return refuse('upstream-protocol', `${first.decided.url.href} redirects more than ${most} times`, {
    remedy: 'fetch the URL that it should lead to',
  });
}

function tooLong(url: string, timeout: number): Refused {
  return refuse('upstream-timeout', `${url} was not fetched within ${timeout} ms`, {
    remedy: 'try again later, or allow more time',
  });
}

function abandoned(url: string): Refused {
  return refuse('unreachable', `the fetch of ${url} was given up`, {
    remedy: 'nothing is wrong if the caller went away',
  });
}

interface Countdown {
  /** Stops the clock until `wait` is over. Only one wait at a time. */
  pausedFor<Result>(wait: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

/** Calls `over` once, after this many milliseconds of running time. */
export function countdown(milliseconds: number, over: () => void): Countdown {
  let left = milliseconds;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(over, left);
  let state: 'going' | 'stopped' = 'going';
  return {
    async pausedFor(wait) {
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        return await wait();
      } finally {
        since = performance.now();
        if (state === 'going') timer = setTimeout(over, Math.max(0, left));
      }
    },
    stop() {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}
