import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDnsReader, frame } from './frames.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test('messages come out unchanged, in any pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (messages, cuts) => {
        const stream = Buffer.concat(messages.map(frame));
        const reader = createDnsReader(40);
        const read: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const end = at + (cuts[turn % cuts.length] ?? 1);
          const frames = reader.push(stream.subarray(at, end));
          expect(frames).not.toBe('oversize');
          if (frames !== 'oversize') read.push(...frames);
          at = end;
        }
        expect(read).toEqual(messages.map((message) => Buffer.from(message)));
        expect(reader.isEmpty()).toBe(true);
      },
    ),
    { numRuns: rounds(200) },
  );
});

test('a message longer than the limit is refused as soon as it is announced', () => {
  const reader = createDnsReader(100);
  expect(reader.push(frame(Buffer.alloc(100)))).toHaveLength(1);
  expect(reader.push(Buffer.of(0))).toEqual([]);
  expect(reader.isEmpty()).toBe(false);
  expect(reader.push(Buffer.of(101))).toBe('oversize');
});
