import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { message } from './types.ts';
import { type Fate, ProtocolViolation, type Visitor, Walker } from './walker.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const chunks = (bytes: Buffer, cuts: readonly number[]): readonly Buffer[] => {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((left, right) => left - right);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
};

const anyMessage = fc.record({ type: fc.constantFrom(0x50, 0x51, 0x64, 0x44), body: fc.uint8Array({ maxLength: 40 }) });

/** P is dropped, D has something before it, Q something behind it, d is streamed by its head. */
function visitorOf(walker: () => Walker): Visitor {
  return {
    needs: (type, size) => (type === 0x64 ? 5 : size),
    visit({ type }): Fate {
      if (type === 0x44) walker().insertBefore(Buffer.from('<'));
      if (type === 0x51) walker().insertAfter(Buffer.from('>'));
      return type === 0x50 ? 'drop' : 'pass';
    },
  };
}

describe('messages go through', () => {
  test('the same in whatever chunks they come', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessage, { maxLength: 12 }),
        fc.array(fc.nat(400), { maxLength: 20 }),
        (messages, cuts) => {
          const encoded = messages.map(({ type, body }) => message(type, Buffer.from(body)));
          const expected = Buffer.concat(
            messages.flatMap(({ type }, index) => {
              const bytes = encoded[index] ?? Buffer.alloc(0);
              if (type === 0x50) return [];
              return [
                ...(type === 0x44 ? [Buffer.from('<')] : []),
                bytes,
                ...(type === 0x51 ? [Buffer.from('>')] : []),
              ];
            }),
          );
          const walker: Walker = new Walker(visitorOf(() => walker));
          const out = chunks(Buffer.concat(encoded), cuts).flatMap((chunk) => walker.push(chunk));
          expect(Buffer.concat(out)).toEqual(expected);
          expect(walker.isBetween).toBe(true);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test('as the very bytes that came, where nothing is changed', () => {
    const walker = new Walker({ needs: () => 5, visit: () => 'pass' });
    const bytes = Buffer.concat([message(0x44, Buffer.alloc(100)), message(0x44, Buffer.alloc(100))]);
    const [first, ...rest] = walker.push(bytes);
    expect(first?.buffer).toBe(bytes.buffer);
    expect(rest).toEqual([]);
  });

  test('and wait in order while one is held', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 8 }), (cuts) => {
        let hold = true;
        const walker = new Walker({
          needs: (_, size) => size,
          visit: ({ type }) => (type === 0x51 && hold ? 'hold' : 'pass'),
        });
        const messages = [
          message(0x50, Buffer.from('first')),
          message(0x51, Buffer.from('held')),
          message(0x53),
          message(0x51, Buffer.from('more')),
        ];
        const before = chunks(Buffer.concat(messages), cuts).flatMap((chunk) => walker.push(chunk));
        expect(Buffer.concat(before)).toEqual(messages[0]);
        expect(walker.isHolding).toBe(true);
        expect(walker.resume()).toEqual([]);
        hold = false;
        expect(Buffer.concat(walker.resume())).toEqual(Buffer.concat(messages.slice(1)));
        expect(walker.isHolding).toBe(false);
        expect(walker.resume()).toEqual([]);
      }),
    );
  });
});

describe('an inserted message', () => {
  test('waits for the end of the current one', () => {
    const walker = new Walker({ needs: () => 5, visit: () => 'pass' });
    expect(walker.insertAfter(Buffer.from('now'))).toBe('now');
    const long = message(0x44, Buffer.alloc(20));
    expect(Buffer.concat(walker.push(long.subarray(0, 9)))).toEqual(long.subarray(0, 9));
    expect(walker.insertAfter(Buffer.from('!'))).toBe('later');
    expect(Buffer.concat(walker.push(Buffer.concat([long.subarray(9), long])))).toEqual(
      Buffer.concat([long.subarray(9), Buffer.from('!'), long]),
    );
  });

  test('is no part of a message of which only some of the head is there', () => {
    const walker = new Walker({ needs: () => 5, visit: () => 'pass' });
    expect(walker.push(Buffer.from([0x44, 0, 0]))).toEqual([]);
    expect(walker.isBetween).toBe(false);
    expect(walker.insertAfter(Buffer.from('!'))).toBe('now');
  });
});

describe('an invalid head', () => {
  test.each([0, 1, 2, 3, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])('length %i breaks the protocol', (length) => {
    const head = Buffer.alloc(5);
    head[0] = 0x44;
    head.writeUInt32BE(length, 1);
    const walker = new Walker({ needs: () => 5, visit: () => 'pass' });
    const good = message(0x44, Buffer.from('good'));
    expect(Buffer.concat(walker.push(Buffer.concat([good, head])))).toEqual(good);
    expect(walker.failure).toBeInstanceOf(ProtocolViolation);
    expect([walker.push(good), walker.insertAfter(good)]).toEqual([[], 'now']);
  });

  test('a long message is never collected that is needed by its head only', () => {
    const seen: number[] = [];
    const walker = new Walker({ needs: () => 5, visit: ({ bytes }) => (seen.push(bytes.length), 'pass') });
    const head = Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xfe]);
    expect(walker.push(head)).toHaveLength(1);
    for (let round = 0; round < 50; round += 1) expect(walker.push(Buffer.alloc(1000))).toHaveLength(1);
    expect(seen).toEqual([5]);
  });
});
