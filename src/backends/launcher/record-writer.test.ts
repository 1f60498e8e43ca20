import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordWriter } from './record-writer.ts';
import { PayloadReader, readRecords } from './testing/records.ts';

const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((value) => !value.includes('\0'));
const field = fc.oneof(
  fc.record({ kind: fc.constant('u16' as const), value: fc.integer({ min: 0, max: 0xffff }) }),
  fc.record({ kind: fc.constant('u32' as const), value: fc.integer({ min: 0, max: 0xffff_ffff }) }),
  fc.record({ kind: fc.constant('u64' as const), value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
  fc.record({ kind: fc.constant('text' as const), value: text }),
);
const record = fc.record({
  kind: fc.integer({ min: 0, max: 0xffff }),
  flags: fc.integer({ min: 0, max: 0xffff }),
  fields: fc.array(field, { maxLength: 6 }),
});

describe('RecordWriter', () => {
  test('writes bytes that a reader of the wire form reads back', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (records) => {
        const writer = new RecordWriter();
        for (const { kind, flags, fields } of records) {
          writer.record(kind, flags);
          for (const item of fields) {
            if (item.kind === 'u64') writer.u64(item.value);
            else if (item.kind === 'text') writer.text(item.value);
            else writer[item.kind](item.value);
          }
        }
        const read = readRecords(writer.finish());
        expect(read.map(({ kind, flags }) => [kind, flags])).toEqual(records.map(({ kind, flags }) => [kind, flags]));
        for (const [index, { fields }] of records.entries()) {
          const reader = new PayloadReader(read[index]?.payload ?? Buffer.alloc(0));
          expect(fields.map((item) => reader[item.kind]())).toEqual(
            fields.map(({ value }) => (typeof value === 'string' ? value.toWellFormed() : value)),
          );
          reader.end();
        }
      }),
    );
  });

  test('grows to any size without losing earlier data', () => {
    const large = 'ü'.repeat(300_000);
    const [first, second, third] = readRecords(
      new RecordWriter()
        .record(1, 2)
        .text('first')
        .record(3, 4)
        .text(large)
        .record(5, 6)
        .bytes(Buffer.alloc(100_000, 7))
        .finish(),
    );
    expect(new PayloadReader(first?.payload ?? Buffer.alloc(0)).text()).toBe('first');
    expect(new PayloadReader(second?.payload ?? Buffer.alloc(0)).text()).toBe(large);
    expect(third?.payload).toEqual(Buffer.alloc(100_000, 7));
  });

  test('writes an empty plan', () => {
    expect(new RecordWriter().finish()).toEqual(Buffer.from('4846503100000000', 'hex'));
  });

  test('refuses a NUL and numbers that do not fit', () => {
    const writer = new RecordWriter().record(1, 0);
    expect(() => writer.text('a\0b')).toThrow(expect.objectContaining({ code: 'HF_PATH_UNREPRESENTABLE' }));
    expect(() => writer.u16(0x1_0000)).toThrow(RangeError);
    expect(() => writer.u32(-1)).toThrow(RangeError);
  });
});
