import type { TextFinding } from '../../text/index.ts';
import type { UpstreamDialler } from '../dial/upstream-proxy.ts';
import type { PipelineContext } from '../pipeline/context.ts';
import type { DecidedUrl } from '../ssrf/decide-url.ts';
import type { Destination, Refused } from '../types.ts';
import type { Headers } from './headers.ts';
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
