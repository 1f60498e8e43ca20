import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteHold } from './unit-editor.ts';

test('returns its input, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 20 }), (parts) => {
      const hold = createByteHold();
      for (const part of parts) hold.add(Buffer.from(part));
      const all = Buffer.concat(parts);
      expect(hold.length).toBe(all.length);
      expect(hold.take()).toEqual(all);
      expect(hold.length).toBe(0);
      expect(hold.take()).toEqual(Buffer.alloc(0));
    }),
  );
});

test('removed bytes are not overwritten', () => {
  const hold = createByteHold();
  hold.add(Buffer.from('first'));
  const first = hold.take();
  hold.add(Buffer.from('other'));
  expect(first.toString()).toBe('first');
  expect(hold.take().toString()).toBe('other');
});

test('does not keep the chunks, which their owner may use again', () => {
  const hold = createByteHold();
  const chunk = Buffer.from('first');
  hold.add(chunk);
  chunk.fill('x');
  expect(hold.take().toString()).toBe('first');
});

test('a million single octets cost their room twice at most', () => {
  const hold = createByteHold();
  const octet = Buffer.from('x');
  for (let n = 0; n < 1_000_000; n += 1) hold.add(octet);
  const all = hold.take();
  expect(all.length).toBe(1_000_000);
  expect(all.buffer.byteLength).toBeLessThanOrEqual(2_000_000);
});
