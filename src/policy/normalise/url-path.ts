/**
 * Returns the path of a URL as rules compare it: unreserved characters decoded, dot segments and doubled slashes
 * resolved. A server does the same before it routes, so `/%61dmin` and `/x/../admin` must not pass a rule about
 * `/admin`. Sources: RFC 3986 §6.2.2.2 and §5.2.4.
 */
export function normaliseUrlPath(path: string): string {
  if (/^(?:\/[\w~-][\w.~-]*)+\/?$/.test(path)) return path;
  const decoded = path.replaceAll(/%([0-9a-fA-F]{2})/g, decodeUnreserved);
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const isDirectory = /\/\.{0,2}$/.test(decoded) && segments.length > 0;
  return `/${segments.join('/')}${isDirectory ? '/' : ''}`;
}

function decodeUnreserved(escape: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
