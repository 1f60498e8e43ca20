/**
 * The fetch tool: a page for an agent, by the same decisions as every connection of a box. Each hop is decided, vetted
 * and dialled anew; what comes back is bounded in size and time, decoded, and turned into text. Credentials, cookies
 * and caches may not enter, nor anything that runs what a page brings.
 */
export { createFetcher, type Fetcher } from './fetcher.ts';
export type { HtmlConverter } from './html/convert-html.ts';
export type { FetchContext, FetchedBytes, FetchedText, FetchOptions, FetchResult } from './types.ts';
