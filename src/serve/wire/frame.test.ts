import { array, assert, constantFrom, integer, nat, property, record, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isHoldfastError } from '../../errors/index.ts';
import { serveLimits } from '../limits.ts';
import { encodeWireFrame, WireFrameReader, type Frame } from './frame.ts';

const frame = record({
  type: constantFrom('message', 'stdin', 'stdout', 'stderr'),
  channel: nat(2 ** 32 - 1),
  payload: uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

/** The same bytes, cut at these places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (one, other) => one - other,
  );
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const plain = (frames: readonly Frame[]) =>
  frames.map(({ type, channel, payload }) => ({ type, channel, payload: payload.toString('hex') }));

function head(size: number, type: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt8(type, 4);
  return bytes;
}

test('frames come out unchanged, in any pieces', () => {
  assert(
    property(array(frame, { maxLength: 8 }), array(nat(), { maxLength: 20 }), (frames, places) => {
      const reader = new WireFrameReader();
      const read = cut(Buffer.concat(frames.map(encodeWireFrame)), places).flatMap((piece) => reader.push(piece));
      expect(plain(read)).toEqual(plain(frames));
    }),
  );
});

test('any bytes give frames, or a protocol error', () => {
  assert(
    property(array(uint8Array({ maxLength: 60 }), { maxLength: 8 }), (pieces) => {
      const reader = new WireFrameReader();
      try {
        for (const piece of pieces) reader.push(Buffer.from(piece));
      } catch (error) {
        expect(isHoldfastError(error) && error.code).toBe('HF_SERVE_PROTOCOL');
      }
    }),
  );
});

test('a changed byte gives a protocol error, or frames within bounds', () => {
  assert(
    property(
      array(frame, { minLength: 1, maxLength: 4 }),
      nat(),
      integer({ min: 1, max: 255 }),
      (frames, place, change) => {
        const bytes = Buffer.concat(frames.map(encodeWireFrame));
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const reader = new WireFrameReader();
        try {
          for (const { payload } of reader.push(bytes)) expect(payload.length).toBeLessThanOrEqual(serveLimits.message);
        } catch (error) {
          expect(isHoldfastError(error) && error.code).toBe('HF_SERVE_PROTOCOL');
        }
      },
    ),
  );
});

describe('refuses by its head, before it keeps a byte:', () => {
  test.each([
    { what: 'a message that is too long', size: serveLimits.message + 1, type: 0 },
    { what: 'a piece that is too long', size: serveLimits.piece + 1, type: 1 },
    { what: 'an end with content', size: 1, type: 4 },
    { what: 'a credit of three bytes', size: 3, type: 5 },
    { what: 'an unknown type', size: 0, type: 6 },
  ])('$what', ({ size, type }) => {
    expect(() => new WireFrameReader().push(head(size, type))).toThrow(/broke the protocol/u);
  });

  test.each([
    { what: 'the longest message', size: serveLimits.message, type: 0 },
    { what: 'the longest piece', size: serveLimits.piece, type: 1 },
  ])('accepts $what', ({ size, type }) => {
    expect(new WireFrameReader().push(Buffer.concat([head(size, type), Buffer.alloc(size)]))).toHaveLength(1);
  });
});
