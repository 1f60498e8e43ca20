import { createHmac, randomBytes } from 'node:crypto';
import { fstatSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { kernelCall } from '../../kernel/index.ts';

/** The box's own listeners. They share the loopback interface with the host's services. */
export interface BoxListeners {
  /** Call after a socket of the box has got its address. */
  note(socket: number): void;
  /** The address where the box listens on a port at the moment. */
  at(port: number): InternetAddress | undefined;
  /**
   * Returns the host's name for an abstract name of the box. No service of the host has this name or would want it.
   * Attack: a socket whose name the clients of a service ask for.
   */
  abstractName(name: string): string;
  /** The current host name of the socket, if the box has bound this abstract name. */
  ownAbstract(name: string): string | undefined;
}

interface Listener {
  readonly address: InternetAddress;
  readonly inode: string;
}

/** More than any box listens on. The oldest are forgotten. */
const most = 4096;

/** Another program may take a port or a name as soon as the box releases it, so this asks the kernel for its owner. */
export function openListeners(): BoxListeners {
  const ports = new Map<number, Listener>();
  const names = new Map<string, string>();
  const key = randomBytes(32);
  const abstractName = (name: string): string =>
    `holdfast-${createHmac('sha256', key).update(name, 'latin1').digest('hex')}`;
  const keep = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
    const [oldest] = map.keys();
    if (map.size >= most && oldest !== undefined) map.delete(oldest);
    map.set(key, value);
  };
  return {
    note(socket) {
      const bytes = nameOfSocket(socket);
      const inode = String(fstatSync(socket, { bigint: true }).ino);
      const address = readAddress(bytes);
      if (address !== undefined) keep(ports, address.port, { address, inode });
      else if (bytes.length > 3 && bytes[2] === 0) keep(names, bytes.toString('latin1', 3), inode);
    },
    at(port) {
      const found = ports.get(port);
      return found !== undefined && listensOn(port, found.inode) ? found.address : undefined;
    },
    abstractName,
    // If the program chose no name, the kernel did.
    ownAbstract: (name) => [abstractName(name), name].find((each) => hasName(each, names.get(each))),
  };
}

/** `proc_net_tcp.rst`: columns are `sl local remote state … inode`. State `0A` means listening. */
function listensOn(port: number, inode: string): boolean {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6'].some((table) =>
    rowsOf(table).some((row) => {
      const fields = row.trim().split(/\s+/u);
      return fields[1]?.endsWith(ending) === true && fields[3] === '0A' && fields[9] === inode;
    }),
  );
}

/** `/proc/net/unix`: the inode, then the name, with `@` for every NUL. */
function hasName(name: string, inode: string | undefined): boolean {
  if (inode === undefined) return false;
  const ending = ` ${inode} @${name.replaceAll('\0', '@')}`;
  return rowsOf('unix').some((row) => row.endsWith(ending));
}

function rowsOf(table: string): readonly string[] {
  try {
    return readFileSync(`/proc/self/net/${table}`, 'latin1').split('\n');
  } catch {
    return [];
  }
}

const longest = 128;

/** The address of a socket's own end, as the kernel has it. Throws `KernelError`. */
export function nameOfSocket(socket: number): Buffer {
  return asked('getsockname', socket);
}

/** The address of the other end. Throws `ENOTCONN` without one. */
export function peerOfSocket(socket: number): Buffer {
  return asked('getpeername', socket);
}

function asked(call: 'getsockname' | 'getpeername', socket: number): Buffer {
  const [address, length] = [Buffer.alloc(longest), Buffer.alloc(4)];
  length.writeUInt32LE(longest);
  kernelCall(call, socket, address, length);
  return address.subarray(0, Math.min(longest, length.readUInt32LE(0)));
}

/** An end of a TCP connection. IPv4 addresses within IPv6 are spelled as IPv4. */
export interface InternetAddress {
  /** As text. */
  readonly address: string;
  readonly port: number;
}

/** `linux/socket.h`. */
export const addressFamily = { unspecified: 0, ipv4: 2, ipv6: 10 } as const;
const sizes: ReadonlyMap<number, number> = new Map([
  [addressFamily.ipv4, 8],
  [addressFamily.ipv6, 24],
]);
const mapped = '00000000000000000000ffff';

/** Reads a `struct sockaddr_in` or `sockaddr_in6`. Undefined for any other family, and if it is too short. */
export function readAddress(bytes: Buffer): InternetAddress | undefined {
  const kind = bytes.length < 2 ? addressFamily.unspecified : bytes.readUInt16LE(0);
  const size = sizes.get(kind);
  if (size === undefined || bytes.length < size) return undefined;
  const port = bytes.readUInt16BE(2);
  if (kind === addressFamily.ipv4) return { address: dotted(bytes.subarray(4, 8)), port };
  const raw = bytes.subarray(8, 24);
  return { address: raw.toString('hex', 0, 12) === mapped ? dotted(raw.subarray(12)) : groups(raw), port };
}

/** Writes an address for a socket of this type. An IPv6 socket gets a mapped IPv4 address. */
export function writeAddress({ address, port }: InternetAddress, kind: number): Buffer {
  const bytes = Buffer.alloc(kind === addressFamily.ipv6 ? 28 : 16);
  bytes.writeUInt16LE(kind, 0);
  bytes.writeUInt16BE(port, 2);
  if (kind === addressFamily.ipv6)
    (isIPv6(address) ? rawGroups(address) : Buffer.from(`${mapped}${rawDotted(address).toString('hex')}`, 'hex')).copy(
      bytes,
      8,
    );
  else rawDotted(address).copy(bytes, 4);
  return bytes;
}

/** Whether the address is the machine itself, or all of its addresses. */
export function isOwnMachine(address: string): boolean {
  return address.startsWith('127.') || address === '0.0.0.0' || address === '::' || address === '::1';
}

function dotted(bytes: Buffer): string {
  return [...bytes].join('.');
}

function rawDotted(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** Spells the address like `normaliseHost`: the longest run of zeros is left out. */
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
