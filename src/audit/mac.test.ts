import { createHmac } from 'node:crypto';
import { assert, nat, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { macFor } from './mac.ts';

const reference = (key: Uint8Array, bytes: Uint8Array): string => createHmac('sha256', key).update(bytes).digest('hex');

describe.each([
  ['few messages', 16],
  ['many messages', 17],
])('macFor: %s', (_name, count) => {
  test('agree with node:crypto, whichever part of a buffer it is', () => {
    assert(
      property(
        uint8Array({ minLength: 32, maxLength: 32 }),
        uint8Array({ maxLength: 300 }),
        nat(20),
        (key, message, before) => {
          const bytes = Buffer.concat([Buffer.alloc(before, 1), message, Buffer.alloc(3, 2)]);
          expect(macFor(key, count)(bytes, before, before + message.length)).toBe(reference(key, message));
        },
      ),
    );
  });

  test('agree after messages of other lengths', () => {
    const key = Buffer.alloc(32, 7);
    const mac = macFor(key, count);
    for (const length of [0, 1, 4031, 4032, 4033, 100_000, 5, 64, 128])
      expect(mac(Buffer.alloc(length, 'x'), 0, length)).toBe(reference(key, Buffer.alloc(length, 'x')));
  });

  // RFC 4231, section 4.3.
  test('know the example of RFC 4231', () => {
    const message = Buffer.from('what do ya want for nothing?');
    expect(macFor(Buffer.from('Jefe'), count)(message, 0, message.length)).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});
