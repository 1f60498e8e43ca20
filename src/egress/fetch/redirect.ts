import { decideUrl } from '../ssrf/decide-url.ts';
import { refuse } from '../ssrf/refuse.ts';
import type { Refused } from '../types.ts';
import { acrossOrigins } from './headers.ts';
import type { Hop, HopAnswer } from './types.ts';

/** RFC 9110 §15.4. The first three turn everything but HEAD into GET, as browsers do. */
const redirecting: ReadonlyMap<number, 'becomes GET' | 'stays'> = new Map([
  [301, 'becomes GET'],
  [302, 'becomes GET'],
  [303, 'becomes GET'],
  [307, 'stays'],
  [308, 'stays'],
]);

export function isRedirect({ status, location }: Pick<HopAnswer, 'status' | 'location'>): boolean {
  return redirecting.has(status) && location !== undefined;
}

/**
 * The request that follows an answer; undefined when the answer is the last one. Pure: it is decided as any other
 * request later.
 */
export function followRedirect(
  hop: Hop,
  { status, location }: Pick<HopAnswer, 'status' | 'location'>,
): Hop | Refused | undefined {
  const form = redirecting.get(status);
  if (form === undefined || location === undefined) return undefined;
  const decided = decideUrl(absolute(location, hop.decided.url));
  if (decided.kind === 'refused') return redirectRefused(hop, decided);
  if (hop.decided.scheme === 'https' && decided.scheme === 'http')
    return refuse(
      'upstream-protocol',
      `${hop.decided.url.href} redirects from https to http, where everybody can read along`,
      { remedy: `fetch ${decided.url.href} yourself if that is good enough` },
    );
  const headers = decided.url.origin === hop.decided.url.origin ? hop.headers : acrossOrigins(hop.headers);
  if (form === 'stays') return { ...hop, decided, headers };
  const { 'content-type': _, ...others } = headers;
  return { kind: 'hop', decided, method: hop.method === 'HEAD' ? 'HEAD' : 'GET', headers: others };
}

/** Text in, text out: what is odd about a location has to be seen by `decideUrl`, which a URL parser would mend. */
function absolute(location: string, base: URL): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location;
  if (location.startsWith('//')) return base.protocol + location;
  if (/[\p{Cc}\p{Zs}\\]/u.test(location)) return `${base.origin}/${location}`;
  return URL.parse(location, base.href)?.href ?? location;
}

function redirectRefused(hop: Hop, { refusal }: Refused): Refused {
  return refuse(refusal.code, `${hop.decided.url.href} redirects to a URL that is refused: ${refusal.message}`, {
    remedy: refusal.remedy,
  });
}
