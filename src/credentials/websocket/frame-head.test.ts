import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameViolation, opcodes, readFrameHead } from './frame-head.ts';
import { closeFrame, writeFrame } from './framed-tunnel.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('a head', () => {
  // The first seven are the examples of RFC 6455 §5.7.
  test.each([
    ['text', '81 05', { opcode: 1, isFinal: true, length: 5, size: 2 }],
    ['masked text', '81 85 37fa213d', { opcode: 1, isFinal: true, length: 5, size: 6, mask: hex('37fa213d') }],
    ['the first of two frames', '01 03', { opcode: 1, isFinal: false, length: 3, size: 2 }],
    ['the last of two frames', '80 02', { opcode: 0, isFinal: true, length: 2, size: 2 }],
    ['a ping', '89 05', { opcode: 9, isFinal: true, length: 5, size: 2 }],
    ['256 octets', '82 7e 0100', { opcode: 2, isFinal: true, length: 256, size: 4 }],
    ['65,536 octets', '82 7f 0000000000010000', { opcode: 2, isFinal: true, length: 65_536, size: 10 }],
    ['the shortest of two octets of length', '82 7e 007e', { opcode: 2, isFinal: true, length: 126, size: 4 }],
    ['the longest of two octets of length', '82 7e ffff', { opcode: 2, isFinal: true, length: 65_535, size: 4 }],
    [
      '2^53 - 1 octets',
      '82 7f 001fffffffffffff',
      { opcode: 2, isFinal: true, length: Number.MAX_SAFE_INTEGER, size: 10 },
    ],
    [
      'a long head',
      '82 ff 0000000000010000 01020304',
      { opcode: 2, isFinal: true, length: 65_536, size: 14, mask: hex('01020304') },
    ],
    ['an empty pong', '8a 00', { opcode: 10, isFinal: true, length: 0, size: 2 }],
    ['a close frame as long as they may be', '88 7d', { opcode: 8, isFinal: true, length: 125, size: 2 }],
  ])('of %s is read, and awaited byte by byte', (_, bytes, head) => {
    const whole = hex(bytes);
    expect(readFrameHead(Buffer.concat([whole, Buffer.from('payload')]))).toEqual(head);
    for (let length = 0; length < whole.length; length += 1)
      expect(readFrameHead(whole.subarray(0, length))).toBeUndefined();
  });

  test.each([
    ['with the first reserved bit', 'c1 05'],
    ['with the second reserved bit', 'a1 05'],
    ['with the third reserved bit', '91 05'],
    ['of a reserved kind of message', '83 05'],
    ['of the last reserved kind of message', '87 05'],
    ['of a reserved kind of control frame', '8b 05'],
    ['of the last reserved kind of control frame', '8f 05'],
    ['of a control frame in pieces', '09 05'],
    ['of a close frame in pieces', '08 02'],
    ['of a control frame with a long length', '89 7e 0080'],
    ['of a control frame with the longest length', '88 7f 0000000000010000'],
    ['that spells 125 octets in two', '82 7e 007d'],
    ['that spells 0 octets in two', '82 7e 0000'],
    ['that spells 65,535 octets in eight', '82 7f 000000000000ffff'],
    ['of 2^53 octets', '82 7f 0020000000000000'],
    ['of 2^63 octets', '82 7f 8000000000000000'],
    ['of 2^64 - 1 octets', '82 7f ffffffffffffffff'],
  ])('%s is a violation', (_, bytes) => {
    expect(() => readFrameHead(hex(bytes))).toThrow(FrameViolation);
  });

  test('of any bytes is read, awaited or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 16 }), (bytes) => {
        try {
          const head = readFrameHead(Buffer.from(bytes));
          if (head === undefined) return bytes.length < 14;
          return head.size <= bytes.length && Number.isSafeInteger(head.length) && head.length >= 0;
        } catch (error) {
          return error instanceof FrameViolation;
        }
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('a frame that was written', () => {
  const lengths = fc.oneof(fc.nat(300), fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 65_537));
  test('is read as it was', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 2), fc.boolean(), lengths, (opcode, isFinal, length) => {
        for (const to of ['client', 'server'] as const) {
          const bytes = writeFrame({ opcode: opcode as 0 | 1 | 2, isFinal, payload: Buffer.alloc(length, 'p') }, to);
          const head = readFrameHead(bytes);
          expect(head).toMatchObject({ opcode, isFinal, length });
          expect([head?.mask !== undefined, (head?.size ?? 0) + length]).toEqual([to === 'server', bytes.length]);
        }
      }),
    );
  });

  test('is masked unpredictably, and shows the server nothing of its payload', () => {
    const frames = Array.from({ length: 20 }, () =>
      writeFrame({ opcode: opcodes.text, isFinal: true, payload: Buffer.from('the payload') }, 'server'),
    );
    expect(new Set(frames.map((frame) => frame.toString('hex', 2, 6))).size).toBe(20);
    expect(new Set(frames.map((frame) => frame.toString('hex', 6))).size).toBe(20);
  });

  test('and ends a WebSocket says why', () => {
    expect(closeFrame({ status: 1008, reason: 'no' }, 'client')).toEqual(hex('88 04 03f0 6e6f'));
  });
});
