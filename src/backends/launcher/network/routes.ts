import { attribute, netlinkFlags, netlinkMessage } from './netlink.ts';

export type AddressFamily = 'ipv4' | 'ipv6';

/** Numbers of include/uapi/linux/rtnetlink.h and socket.h. */
const newAddress = 20;
const newRoute = 24;
const families = { ipv4: 2, ipv6: 10 } as const;
const scopes = { ipv4: 254, ipv6: 0 } as const;
const localTable = 255;
const bootProtocol = 3;
const localType = 2;
const interfaceAddress = 1;
const localAddress = 2;
const outputInterface = 4;
const preferredSource = 7;
/** `lo` is the first interface of every namespace. */
const loopback = 1;

/**
 * The AnyIP route: every address of the family is one of this machine's own, so that whatever is dialled arrives at a
 * listener in the same namespace. Without a preferred source a client would get the address it dials as its own, and
 * could connect to itself.
 */
export function anyAddressRoute(family: AddressFamily): Buffer {
  const route = Buffer.from([families[family], 0, 0, 0, localTable, bootProtocol, scopes[family], localType, 0, 0, 0, 0]);
  const index = Buffer.alloc(4);
  index.writeUInt32LE(loopback);
  const source = family === 'ipv4' ? Buffer.from([127, 0, 0, 1]) : Buffer.from([...Array<number>(15).fill(0), 1]);
  const { request, acknowledge, create } = netlinkFlags;
  return netlinkMessage({ type: newRoute, flags: request | acknowledge | create }, route, attribute(outputInterface, index), attribute(preferredSource, source));
}

/**
 * An IPv4 address of `lo` that is not 127.0.0.1. Without one, C libraries that are asked for what the machine can use
 * (`AI_ADDRCONFIG`, RFC 3493 §6.1) look up no IPv4 address at all.
 */
export function loopbackAddress(address: string): Buffer {
  const head = Buffer.from([families.ipv4, 32, 0, 0, loopback, 0, 0, 0]);
  const bytes = Buffer.from(address.split('.').map(Number));
  const { request, acknowledge, create } = netlinkFlags;
  return netlinkMessage({ type: newAddress, flags: request | acknowledge | create }, head, attribute(localAddress, bytes), attribute(interfaceAddress, bytes));
}
