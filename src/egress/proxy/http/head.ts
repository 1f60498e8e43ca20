import { incomplete, malformed, type Parsed } from '../parser.ts';

/** Octets of a request head that is addressed to the proxy. */
export const longestHead = 16 * 1024;

const end = Buffer.from('\r\n\r\n');

/** A request head without the empty line that ends it, as latin1. */
export function parseHead(bytes: Buffer): Parsed<string> {
  const at = bytes.indexOf(end);
  if (at > longestHead || (at === -1 && bytes.length > longestHead)) return malformed(`The head of the request is longer than ${longestHead} octets.`);
  if (at !== -1) return { kind: 'parsed', value: bytes.toString('latin1', 0, at), length: at + end.length };
  return hasBareLineFeed(bytes) ? malformed('A line ends with a bare LF.') : incomplete;
}

/** Such a head would never end for us and has long ended for another parser. */
function hasBareLineFeed(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) if (bytes[at - 1] !== 0x0d) return true;
  return false;
}
