import { refuse } from '../ssrf/index.ts';
import { fetchUrl } from './fetch-url.ts';
import { createHtmlConverter } from './html/convert-html.ts';
import type { FetchContext, FetchOptions, FetchResult } from './types.ts';

export type Fetcher = (url: string, options?: FetchOptions) => Promise<FetchResult>;

/** Each may hold 10 MiB and a thread of 256 MiB. */
const mostAtOnce = 4;
const mostWaiting = 64;

/** The fetch tool of one session: `fetchUrl`, four at a time. A further one waits; with 64 waiting it is refused as `overloaded`. */
export function createFetcher(context: Omit<FetchContext, 'convertHtml'> & Partial<Pick<FetchContext, 'convertHtml'>>): Fetcher {
  const whole: FetchContext = { convertHtml: createHtmlConverter(), ...context };
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (url, options = {}) => {
    if (waiting.length >= mostWaiting) return refuse('overloaded', `${mostWaiting} fetches are waiting already`, { remedy: 'wait for some of them' });
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await fetchUrl(url, whole, options);
    } finally {
      // Whoever waits takes this place over.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
