import { domainToUnicode } from 'node:url';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { quoted } from './exact-text.ts';

/** A host as it is connected to: in ASCII, a name of other letters as `xn--…`, an IPv6 address in brackets. */
export function hostText(host: string): string {
  const normal = normaliseHost(host);
  if (normal === undefined) return quoted(host);
  return normal.address?.kind === 'v6' ? `[${normal.text}]` : normal.text;
}

/** How a browser would write it, where that is something else: `аpple.com` with a Cyrillic letter passes for another. */
export function readsAs(host: string): string | undefined {
  const normal = normaliseHost(host)?.text;
  if (normal === undefined || !normal.includes('xn--')) return undefined;
  const unicode = domainToUnicode(normal);
  return unicode === '' || unicode === normal ? undefined : escapeHidden(unicode);
}
