import { isIPv6 } from 'node:net';

/** An end of a TCP connection. IPv4 addresses within IPv6 are spelled as IPv4. */
export interface InternetAddress {
  /** As text. */
  readonly address: string;
  readonly port: number;
}

/** `linux/socket.h`. */
export const family = { unspecified: 0, ipv4: 2, ipv6: 10 } as const;
const sizes: ReadonlyMap<number, number> = new Map([
  [family.ipv4, 8],
  [family.ipv6, 24],
]);
const mapped = '00000000000000000000ffff';

/** From `struct sockaddr_in` or `sockaddr_in6`; undefined for anything else, and for one that is too short. */
export function readAddress(bytes: Buffer): InternetAddress | undefined {
  const kind = bytes.length < 2 ? family.unspecified : bytes.readUInt16LE(0);
  const size = sizes.get(kind);
  if (size === undefined || bytes.length < size) return undefined;
  const port = bytes.readUInt16BE(2);
  if (kind === family.ipv4) return { address: dotted(bytes.subarray(4, 8)), port };
  const raw = bytes.subarray(8, 24);
  return { address: raw.toString('hex', 0, 12) === mapped ? dotted(raw.subarray(12)) : groups(raw), port };
}

/** As the kernel takes it for a socket of that family; IPv4 in an IPv6 socket is mapped. */
export function writeAddress({ address, port }: InternetAddress, kind: number): Buffer {
  const bytes = Buffer.alloc(kind === family.ipv6 ? 28 : 16);
  bytes.writeUInt16LE(kind, 0);
  bytes.writeUInt16BE(port, 2);
  if (kind === family.ipv6)
    (isIPv6(address) ? rawGroups(address) : Buffer.from(`${mapped}${rawDotted(address).toString('hex')}`, 'hex')).copy(
      bytes,
      8,
    );
  else rawDotted(address).copy(bytes, 4);
  return bytes;
}

/** The machine itself, or all of its addresses. */
export function isOwnMachine(address: string): boolean {
  return address.startsWith('127.') || address === '0.0.0.0' || address === '::' || address === '::1';
}

function dotted(bytes: Buffer): string {
  return [...bytes].join('.');
}

function rawDotted(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** As `normaliseHost` would spell it: the longest run of zeros is left out. */
function groups(bytes: Buffer): string {
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  const text = words.join(':');
  const run = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/gu)].toSorted((a, b) => b[0].length - a[0].length)[0];
  return run === undefined ? text : `${text.slice(0, run.index)}::${text.slice(run.index + run[0].length + 1)}`;
}

function rawGroups(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const words = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [words(head), words(tail ?? '')];
  const all =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return Buffer.from(all.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
