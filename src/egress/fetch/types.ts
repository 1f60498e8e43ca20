import type { TextFinding } from '../../text/index.ts';
import type { UpstreamDialler } from '../dial/upstream-proxy.ts';
import type { PipelineContext } from '../pipeline/context.ts';
import type { DecidedUrl } from '../ssrf/decide-url.ts';
import { refuse } from '../ssrf/refuse.ts';
import type { Destination, Refused } from '../types.ts';
import type { HtmlConverter } from './html/convert-html.ts';

export interface FetchContext
  extends Pick<PipelineContext, 'authority' | 'resolver' | 'own' | 'trust' | 'record' | 'recordRequest' | 'refused'> {
  readonly dial: UpstreamDialler;
  readonly convertHtml: HtmlConverter;
}

/** One request of a fetch. */
export interface Hop {
  readonly kind: 'hop';
  readonly decided: DecidedUrl;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly body?: Buffer;
}

export interface HopAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string;
  readonly location?: string;
  /** Decoded, at most `maxBytes`. */
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

export interface FetchOptions {
  /** Default `GET`. */
  readonly method?: string;
  /** Across origins only those that cannot hold a credential go along. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bytes of content, decoded; the rest is cut off. Default 5 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds for everything together; default 30,000. */
  readonly timeout?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** What is done with content that is no text. Default `refuse`. */
  readonly binary?: 'refuse' | 'bytes';
  /** `source` leaves HTML as it is. Default `text`. */
  readonly html?: 'text' | 'source';
  /**
   * What becomes of characters that do not show and of escape sequences: `keep` is for programs that need every byte.
   * Default `reveal`.
   */
  readonly hidden?: 'reveal' | 'keep';
  readonly signal?: AbortSignal;
  /**
   * Whether the caller itself lets a request go there; asked for every hop, redirects included, and the policy as well.
   * Default: the policy alone decides.
   */
  readonly admits?: (destination: Destination) => boolean;
}

interface Fetched {
  /** 100 to 599; an error of the server is a result. */
  readonly status: number;
  readonly finalUrl: string;
  /** As the server sent it; empty when it did not. */
  readonly contentType: string;
  /** Whether content was cut off at `maxBytes`. */
  readonly truncated: boolean;
  /** Every URL before the final one, in order. */
  readonly redirects: readonly string[];
}

export interface FetchedText extends Fetched {
  readonly kind: 'text';
  readonly text: string;
  /**
   * `source`: as sent. `html`: a page as text. `stripped`: a page that could not be converted in time, without its
   * tags.
   */
  readonly form: 'source' | 'html' | 'stripped';
  /** What in it does not show, or a terminal would obey. */
  readonly findings: readonly TextFinding[];
}

export interface FetchedBytes extends Fetched {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

export type FetchResult = FetchedText | FetchedBytes | Refused;

type Headers = Readonly<Record<string, string>>;

/** Set by us, or of one connection only (RFC 9110 §7.6.1): a caller that sets them could make two requests of one. */
const reserved: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
  'expect',
  'accept-encoding',
  'http2-settings',
]);

/** All that may go along to another origin. Any other may hold a credential under a name of its own. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

const mostHeaders = 64;
const longestValue = 8192;

/**
 * Headers of a caller, names in lower case; refuses what could not be sent, or not in only one way. Messages never
 * repeat a value.
 */
export function checkedHeaders(headers: Headers): { readonly kind: 'headers'; readonly headers: Headers } | Refused {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (entries.length > mostHeaders)
    return refuse('malformed-request', `the request has more than ${mostHeaders} headers`, {
      remedy: 'leave some out',
    });
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    return refuse('malformed-request', 'a header stands twice', { remedy: 'write each header once' });
  for (const [name, value] of entries) {
    const problem = problemOf(name, value);
    if (problem !== undefined)
      return refuse('malformed-request', `the header "${name}" ${problem}`, { remedy: 'correct it, or leave it out' });
  }
  return { kind: 'headers', headers: Object.fromEntries(entries) };
}

/** The headers of a request that is sent on to another origin. */
export function acrossOrigins(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
}

function problemOf(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name)) return 'has no name that HTTP allows';
  if (reserved.has(name) || name.startsWith('proxy-')) return 'is set by Holdfast';
  if (value.length > longestValue) return `is longer than ${longestValue} characters`;
  return /^[\t\x20-\x7e]*$/.test(value)
    ? undefined
    : 'has a value with line breaks, control characters or letters outside ASCII';
}
