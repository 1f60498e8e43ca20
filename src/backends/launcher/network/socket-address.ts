import { isIPv6 } from 'node:net';

/** `struct sockaddr_in` or `sockaddr_in6` of an address literal: `0.0.0.0`, `127.0.0.1`, `198.18.0.1`, `::`, `::1`. */
export function socketAddress(address: string, port: number): Buffer {
  const bytes = Buffer.alloc(isIPv6(address) ? 28 : 16);
  bytes.writeUInt16LE(isIPv6(address) ? 10 : 2, 0);
  bytes.writeUInt16BE(port, 2);
  if (address === '::1') bytes[23] = 1;
  else if (!isIPv6(address)) bytes.set(address.split('.').map(Number), 4);
  return bytes;
}
