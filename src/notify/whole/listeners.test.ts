import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressFamily, isOwnMachine, readAddress, writeAddress } from './listeners.ts';

describe('addresses of TCP', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(65_535), (address, port) => {
        if (address.includes('.') && isIPv6(address)) return;
        const kind = isIPv6(address) ? addressFamily.ipv6 : addressFamily.ipv4;
        const written = writeAddress(
          { address: isIPv6(address) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address, port },
          kind,
        );
        const read = readAddress(written);
        expect(read?.port).toBe(port);
        expect(writeAddress(read ?? { address: '0.0.0.0', port: 0 }, kind)).toEqual(written);
      }),
    );
  });

  test('of IPv4 within IPv6 are spelled as IPv4', () => {
    expect(readAddress(writeAddress({ address: '127.0.0.1', port: 80 }, addressFamily.ipv6))).toEqual({
      address: '127.0.0.1',
      port: 80,
    });
    expect(readAddress(writeAddress({ address: '::1', port: 80 }, addressFamily.ipv6))).toEqual({
      address: '::1',
      port: 80,
    });
    expect(['127.0.0.2', '0.0.0.0', '::', '::1'].every(isOwnMachine)).toBe(true);
    expect(isOwnMachine('128.0.0.1')).toBe(false);
  });

  test('are not read from too few bytes, or from another family', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const read = readAddress(Buffer.from(bytes));
        if (read !== undefined) expect(bytes.length).toBeGreaterThanOrEqual(8);
      }),
    );
  });
});
