import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReplacedBytes, replaceJson } from './replace-json.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test.each([
  ['{"a": {"b": false }, "c":1e400}', '{"a": {"b": true }, "c":1e400}'],
  ['{"a":{"b":null,"b":"x"}}', '{"a":{"b":true,"b":true}}'],
  ['{"a":{"b":[]}}', undefined],
  ['{"a":{"b":[],"b":"x"}}', undefined],
  ['{"a":{"b":1,"b":{"b":2}}}', undefined],
  ['{"a":{"c":1}}', undefined],
  ['{"a":{"b":false}', undefined],
  ['', undefined],
])('%s', (text, expected) =>
  expect(replaceJson(Buffer.from(text), { path: ['a', 'b'], value: true })?.toString()).toBe(expected),
);

test('gives what slicing and joining gives, and leaves the bytes as they were', () => {
  const pieces = fc.array(
    fc.record({
      kept: fc.uint8Array({ maxLength: 20 }),
      replaced: fc.uint8Array({ maxLength: 20 }),
      token: fc.string({ unit: 'grapheme', maxLength: 30 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(pieces, fc.uint8Array({ maxLength: 20 }), (pieces, rest) => {
      const bytes = Buffer.concat([...pieces.flatMap(({ kept, replaced }) => [kept, replaced]), rest]);
      const before = Buffer.from(bytes);
      const written = new ReplacedBytes(bytes);
      let at = 0;
      for (const { kept, replaced, token } of pieces) {
        written.replace(at + kept.length, at + kept.length + replaced.length, token);
        at += kept.length + replaced.length;
      }
      expect(written.finish()).toEqual(
        Buffer.concat([...pieces.flatMap(({ kept, token }) => [kept, Buffer.from(token)]), rest]),
      );
      expect(written.count).toBe(pieces.length);
      expect(bytes).toEqual(before);
    }),
    { numRuns: rounds(500) },
  );
});

test('gives the very bytes where nothing is replaced', () => {
  const bytes = Buffer.from('abc');
  const written = new ReplacedBytes(bytes);
  expect(written.finish()).toBe(bytes);
  expect(written.count).toBe(0);
});

test('needs little more memory than its output', () => {
  const bytes = Buffer.from('ab'.repeat(100_000));
  const same = new ReplacedBytes(bytes);
  for (let at = 0; at < bytes.length; at += 2) same.replace(at, at + 1, 'x');
  expect(same.finish().buffer.byteLength).toBeLessThanOrEqual(bytes.length + 8);
  const longer = new ReplacedBytes(bytes);
  for (let at = 0; at < bytes.length; at += 2) longer.replace(at, at + 1, 'xyz');
  const written = longer.finish();
  expect(written.toString()).toBe('xyzb'.repeat(100_000));
  expect(written.buffer.byteLength).toBeLessThan(written.length * 1.3);
});
