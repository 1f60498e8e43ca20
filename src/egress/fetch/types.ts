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
  /** Default: `GET`. */
  readonly method?: string;
  /** Headers of the request. A redirect to another origin carries only headers that cannot hold a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Most bytes of decoded content. The rest is cut off. Default: 5 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds for the whole fetch. Default: 30,000. */
  readonly timeout?: number;
  /** Default: 5. */
  readonly maxRedirects?: number;
  /** Treatment of content that is not text. Default: `refuse`. */
  readonly binary?: 'refuse' | 'bytes';
  /** `source` returns HTML unchanged. Default: `text`. */
  readonly html?: 'text' | 'source';
  /**
   * Treatment of invisible characters and escape sequences. `keep` is for programs that need every byte. Default:
   * `reveal`.
   */
  readonly hidden?: 'reveal' | 'keep';
  readonly signal?: AbortSignal;
  /**
   * Returns true if the caller's own list admits a destination. Called for every hop, redirects included, in addition
   * to the policy. Default: the policy alone decides.
   */
  readonly admits?: (destination: Destination) => boolean;
}

interface Fetched {
  /** From 100 to 599. A server error counts as a result. */
  readonly status: number;
  readonly finalUrl: string;
  /** As the server sent it. Empty if it sent none. */
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
   * `source`: as sent. `html`: a page that was converted to text. `stripped`: a page whose tags were removed because
   * its conversion took too long.
   */
  readonly form: 'source' | 'html' | 'stripped';
  /** Invisible characters, and characters that a terminal would obey. */
  readonly findings: readonly TextFinding[];
}

export interface FetchedBytes extends Fetched {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

export type FetchResult = FetchedText | FetchedBytes | Refused;

type Headers = Readonly<Record<string, string>>;

/**
 * Headers that Holdfast sets, or that concern one connection only (RFC 9110 §7.6.1). A caller that set one of them
 * could turn one request into two.
 */
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

/** The only headers that go to another origin. Any other header may hold a credential. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

const mostHeaders = 64;
const longestValue = 8192;

/**
 * Checks the caller's headers, whose names are in lower case. Refuses headers that cannot be sent, or that two parsers
 * could read differently. Messages never repeat a value.
 */
export function checkedHeaders(headers: Headers): { readonly kind: 'headers'; readonly headers: Headers } | Refused {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (entries.length > mostHeaders)
    return refuse('malformed-request', `the request has more than ${mostHeaders} headers`, {
      remedy: 'leave some out',
    });
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    return refuse('malformed-request', 'a header appears twice', { remedy: 'write each header once' });
  for (const [name, value] of entries) {
    const problem = problemOf(name, value);
    if (problem !== undefined)
      return refuse('malformed-request', `the header "${name}" ${problem}`, { remedy: 'correct it, or leave it out' });
  }
  return { kind: 'headers', headers: Object.fromEntries(entries) };
}

/** Returns the headers of a request that is redirected to another origin. */
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
