import { refuse } from '../ssrf/refuse.ts';
import type { Refused } from '../types.ts';

export type Headers = Readonly<Record<string, string>>;

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
