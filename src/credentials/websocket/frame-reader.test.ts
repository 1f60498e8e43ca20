import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunksOf } from '../masking/testing/chunks.ts';
import { FrameViolation, opcodes, unmask } from './frame-head.ts';
import { createByteQueue, createWebSocketReader, type FramePiece, pieceSize } from './frame-reader.ts';
import { framesOf, messagesIn } from './testing/frames.ts';
import { writeFrame } from './framed-tunnel.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const { text, binary, continuation, ping, pong, close } = opcodes;

function read(chunks: readonly Buffer[], sender: 'client' | 'server' = 'server'): readonly FramePiece[] {
  const reader = createWebSocketReader(sender);
  return chunks.flatMap((chunk) => [...reader.read(chunk)]);
}

describe('frames', () => {
  // RFC 6455 §5.7.
  test.each([
    { what: 'a text', sender: 'server', bytes: '81 05 48656c6c6f', messages: [{ opcode: text, text: 'Hello' }] },
    {
      what: 'a masked text',
      sender: 'client',
      bytes: '81 85 37fa213d 7f9f4d5158',
      messages: [{ opcode: text, text: 'Hello' }],
    },
    {
      what: 'a text in two',
      sender: 'server',
      bytes: '01 03 48656c 80 02 6c6f',
      messages: [{ opcode: text, text: 'Hello' }],
    },
    {
      what: 'a ping and its masked pong',
      sender: 'client',
      bytes: '8a 85 37fa213d 7f9f4d5158',
      messages: [{ opcode: pong, text: 'Hello' }],
    },
    {
      what: 'a ping inside of a message',
      sender: 'server',
      bytes: '01 03 48656c 89 00 80 02 6c6f',
      messages: [
        { opcode: ping, text: '' },
        { opcode: text, text: 'Hello' },
      ],
    },
    {
      what: 'empty messages',
      sender: 'server',
      bytes: '81 00 82 00',
      messages: [
        { opcode: text, text: '' },
        { opcode: binary, text: '' },
      ],
    },
    {
      what: 'a close frame, and nothing after it',
      sender: 'server',
      bytes: '88 02 03e8 81 05 48656c6c6f',
      messages: [{ opcode: close, text: '\x03\xe8' }],
    },
    {
      what: 'a close frame, and garbage after it',
      sender: 'server',
      bytes: '88 00 ffffffff',
      messages: [{ opcode: close, text: '' }],
    },
  ] as const)('$what', ({ sender, bytes, messages }) => {
    expect(messagesIn(hex(bytes), sender)).toEqual(messages);
  });

  test.each([
    ['a frame of a client without a mask', 'client', '81 05 48656c6c6f'],
    ['a control frame of a client without a mask', 'client', '89 00'],
    ['a frame of a server with a mask', 'server', '81 85 37fa213d 7f9f4d5158'],
    ['a continuation of nothing', 'server', '80 02 6c6f'],
    ['a continuation of what has ended', 'server', '81 01 48 80 01 48'],
    ['a text inside of a text', 'server', '01 01 48 01 01 48'],
    ['a binary message inside of a text', 'server', '01 01 48 82 01 48'],
    ['half a status', 'server', '88 01 03'],
  ] as const)('with %s are a violation', (_, sender, bytes) => {
    expect(() => read([hex(bytes)], sender)).toThrow(FrameViolation);
  });

  test('up to 64 KiB are one piece, and longer ones as they come', () => {
    const small = writeFrame({ opcode: binary, isFinal: true, payload: Buffer.alloc(pieceSize, 's') }, 'client');
    expect(read(chunksOf(small, [1000])).map(({ bytes }) => bytes.length)).toEqual([pieceSize]);
    const large = writeFrame({ opcode: binary, isFinal: true, payload: Buffer.alloc(3 * pieceSize, 'l') }, 'client');
    const pieces = read(chunksOf(large, [40_000]));
    expect(pieces.reduce((length, { bytes }) => length + bytes.length, 0)).toBe(3 * pieceSize);
    expect(
      pieces.slice(0, -1).every((piece) => piece.kind === 'data' && !piece.isLast && piece.bytes.length >= pieceSize),
    ).toBe(true);
    expect(pieces.at(-1)).toMatchObject({ isLast: true });
  });

  test('that promise far more than comes hold no more than a piece', () => {
    const reader = createWebSocketReader('server');
    const head = hex('82 7f 001fffffffffffff');
    let given = 0;
    for (const chunk of [head, ...Array.from({ length: 100 }, () => Buffer.alloc(10_000))])
      for (const { bytes } of reader.read(chunk)) given += bytes.length;
    expect(1_000_000 - given).toBeLessThan(pieceSize);
  });

  const said = fc.record({
    opcode: fc.constantFrom(text, binary),
    text: fc.string({ maxLength: 300 }).map((value) => Buffer.from(value).toString('latin1')),
    cuts: fc.array(fc.nat(300), { maxLength: 4 }),
  });
  const controls = fc.record({
    opcode: fc.constantFrom(ping, pong),
    text: fc.string({ maxLength: 30 }).map((value) => Buffer.from(value).toString('latin1')),
  });

  test('say the same in whatever chunks they come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(said, controls), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.constantFrom('client', 'server'),
        (messages, lengths, sender) => {
          const bytes = framesOf(messages, sender === 'client' ? 'server' : 'client');
          const heard = messages.map(({ opcode, text: saidText }) => ({ opcode, text: saidText }));
          expect(messagesIn(bytes, sender)).toEqual(heard);
          expect(read(chunksOf(bytes, lengths), sender)).toEqual(read([bytes], sender));
        },
      ),
    );
  });

  test('that are damaged are read or refused, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.uint8Array({ maxLength: 20 }),
        (messages, changes, more) => {
          const bytes = Buffer.concat([framesOf(messages, 'client'), more]);
          for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
          try {
            read(chunksOf(bytes, [7]));
          } catch (error) {
            expect(error).toBeInstanceOf(FrameViolation);
          }
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('go on in one message whose first frame is empty', () => {
    expect(
      messagesIn(
        Buffer.concat([
          writeFrame({ opcode: text, isFinal: false, payload: Buffer.alloc(0) }, 'client'),
          writeFrame({ opcode: continuation, isFinal: true, payload: Buffer.from('x') }, 'client'),
        ]),
        'server',
      ),
    ).toEqual([{ opcode: text, text: 'x' }]);
  });
});

describe('a mask', () => {
  test('is taken off by putting it on again, from wherever it begins', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        fc.uint8Array({ minLength: 4, maxLength: 4 }),
        fc.nat(100),
        (bytes, mask, cut) => {
          const given = Buffer.from(bytes);
          const masked = unmask(given, { mask: Buffer.from(mask), at: 0 });
          const parts = [
            unmask(masked.subarray(0, cut), { mask: Buffer.from(mask), at: 0 }),
            unmask(masked.subarray(cut), { mask: Buffer.from(mask), at: Math.min(cut, given.length) }),
          ];
          expect(Buffer.concat(parts)).toEqual(given);
          expect(given).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });
});

describe('a queue of bytes', () => {
  test('returns its bytes in order, in any portions', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), fc.array(fc.nat(20)), (chunks, portions) => {
        const queue = createByteQueue();
        for (const chunk of chunks) queue.add(Buffer.from(chunk));
        const whole = Buffer.concat(chunks);
        let taken = 0;
        for (const portion of [...portions, whole.length]) {
          expect(queue.length).toBe(whole.length - taken);
          const expected = whole.subarray(taken, taken + portion);
          expect(queue.peek(portion)).toEqual(expected);
          expect(queue.take(portion)).toEqual(expected);
          taken += expected.length;
        }
      }),
    );
  });
});
