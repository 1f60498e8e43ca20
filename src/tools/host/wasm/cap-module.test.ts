import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolFailure } from '../engine.ts';
import { capModule, leb128 } from './cap-module.ts';
import { webAssembly } from './web-assembly.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const head = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module that exports a memory and a table of these limits. */
function moduleWith(memory: readonly number[], table: readonly number[] = [0, 0]): Uint8Array {
  const section = (id: number, body: readonly number[]): readonly number[] => [id, ...leb128(body.length), ...body];
  return Uint8Array.from([
    ...head,
    ...section(4, [1, 0x70, ...table]),
    ...section(5, [1, ...memory]),
    ...section(7, [2, 1, 0x6d, 2, 0, 1, 0x74, 1, 0]),
  ]);
}

interface Growable {
  grow(by: number): number;
}

function exportsOf(bytes: Uint8Array): {
  readonly m: Growable & { readonly buffer: ArrayBuffer };
  readonly t: Growable & { readonly length: number };
} {
  return new webAssembly.Instance(new webAssembly.Module(bytes), {}).exports as never;
}

const caps = { pages: 4, entries: 100 };

describe('a module with caps', () => {
  test.each([
    ['that declares no maximum', [0, 1], 4],
    ['that declares less', [1, 1, 2], 2],
    ['that declares more', [1, 1, ...leb128(65_536)], 4],
    ['that starts at its maximum', [0, 4], 4],
  ] as const)('%s grows to them and no further', (_, memory, pages) => {
    const { m } = exportsOf(capModule(moduleWith(memory), caps));
    m.grow(pages - m.buffer.byteLength / 65_536);
    expect(() => m.grow(1)).toThrow(RangeError);
    expect(m.buffer.byteLength).toBe(pages * 65_536);
  });

  test('grows further without them', () => {
    expect(exportsOf(moduleWith([0, 1])).m.grow(100)).toBe(1);
  });

  test('has a capped table', () => {
    const { t } = exportsOf(capModule(moduleWith([0, 0], [0, 1]), caps));
    t.grow(99);
    expect(() => t.grow(1)).toThrow(RangeError);
  });

  test.each([
    ['a memory that starts with more', moduleWith([0, 5]), 'memory'],
    ['a table that starts with more', moduleWith([0, 0], [0, ...leb128(101)]), 'memory'],
    ['a shared memory', moduleWith([3, 1, 2]), 'invalid'],
    ['64-bit addresses', moduleWith([4, 1]), 'invalid'],
    ['a length that is cut off', Uint8Array.from([...head, 5, 0x80]), 'invalid'],
    ['a length beyond 32 bits', Uint8Array.from([...head, 5, 0xff, 0xff, 0xff, 0xff, 0x7f]), 'invalid'],
  ] as const)('%s is refused', (_, bytes, reason) => {
    expect(() => capModule(bytes, caps)).toThrow(expect.objectContaining({ reason }));
  });
});

test('any bytes give a module with the caps, or a failure with a reason', () => {
  const whole = moduleWith([0, 1], [0, 1]);
  const changed = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }).map((changes) => {
    const bytes = Uint8Array.from(whole);
    for (const [at, value] of changes) bytes[at] = value;
    return bytes;
  });
  fc.assert(
    fc.property(
      fc.oneof(
        changed,
        fc.uint8Array({ maxLength: 64 }),
        fc.uint8Array({ maxLength: 64 }).map((tail) => Uint8Array.from([...head, ...tail])),
      ),
      (bytes) => {
        let capped: Uint8Array;
        try {
          capped = capModule(bytes, caps);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolFailure);
          return;
        }
        growsNoFurther(capped);
      },
    ),
    { numRuns: rounds(3000) },
  );
});

/** Compiled by V8 itself: what it takes for a memory or a table is held to the caps. */
function growsNoFurther(bytes: Uint8Array): void {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = new webAssembly.Instance(new webAssembly.Module(bytes), {}).exports;
  } catch {
    return;
  }
  for (const value of Object.values(exported))
    if (value instanceof Object && 'grow' in value) expect(() => (value as Growable).grow(101)).toThrow();
}
