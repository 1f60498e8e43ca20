import { describe, expect, test } from 'vitest';
import { assemble, type FilterStep } from './assemble.ts';
import { evaluate } from './testing/evaluate.ts';
import { problemsOf } from './testing/validate.ts';

const call = { auditArch: 0, number: 7, args: [] };
const loadNumber: FilterStep = { kind: 'load', offset: 0 };
const branch = (value: number, yes: string, no: string): FilterStep => ({
  kind: 'branch',
  test: 'equal',
  value,
  yes,
  no,
});
const end = (label: string, value: number): readonly FilterStep[] => [
  { kind: 'label', label },
  { kind: 'return', value },
];

/** A ladder of comparisons with both exits after its end, so that the first jumps are as long as the ladder. */
function ladder(length: number): readonly FilterStep[] {
  const rungs = Array.from({ length }, (_, index): readonly FilterStep[] => [
    { kind: 'label', label: `rung${index}` },
    branch(index, 'found', index + 1 === length ? 'lost' : `rung${index + 1}`),
  ]);
  return [loadNumber, ...rungs.flat(), ...end('lost', 1), ...end('found', 2)];
}

describe('assemble', () => {
  test('writes struct sock_filter, little endian', () => {
    const bytes = assemble([
      { kind: 'load', offset: 4 },
      branch(0xc000_003e, 'yes', 'no'),
      ...end('no', 0),
      ...end('yes', 0x7fff_0000),
    ]);
    expect([...bytes]).toEqual(
      [
        [0x20, 0, 0, 0, 4, 0, 0, 0],
        [0x15, 0, 1, 0, 0x3e, 0, 0, 0xc0],
        [0x06, 0, 0, 0, 0, 0, 0, 0],
        [0x06, 0, 0, 0, 0, 0, 0xff, 0x7f],
      ].flat(),
    );
  });

  test.each([2, 100, 253, 254, 255, 256, 257, 300, 600, 1500])('jumps over a ladder of %i comparisons', (length) => {
    const bytes = assemble(ladder(length));
    expect(problemsOf(bytes)).toEqual([]);
    for (const number of [0, 1, length - 1]) expect(evaluate(bytes, { ...call, number })).toBe(2);
    expect(evaluate(bytes, { ...call, number: length })).toBe(1);
  });

  test.each([250, 252, 253, 254, 255, 256, 260])('both targets of one branch may be %i instructions away', (length) => {
    const filler = Array.from({ length }, (): FilterStep => ({ kind: 'and', mask: 0xffff_ffff }));
    const bytes = assemble([loadNumber, branch(7, 'yes', 'no'), ...filler, ...end('no', 1), ...end('yes', 2)]);
    expect(evaluate(bytes, call)).toBe(2);
    expect(evaluate(bytes, { ...call, number: 8 })).toBe(1);
  });

  test.each([252, 253, 254, 255, 256])(
    'a trampoline of one target does not push the other out of reach at %i',
    (length) => {
      const filler = (count: number) =>
        Array.from({ length: count }, (): FilterStep => ({ kind: 'and', mask: 0xffff_ffff }));
      const bytes = assemble([
        loadNumber,
        branch(7, 'near', 'far'),
        ...filler(length),
        ...end('near', 2),
        ...filler(300),
        ...end('far', 1),
      ]);
      expect(evaluate(bytes, call)).toBe(2);
      expect(evaluate(bytes, { ...call, number: 8 })).toBe(1);
    },
  );

  test('refuses a jump backwards', () => {
    const loop: readonly FilterStep[] = [...end('back', 0), loadNumber, branch(1, 'back', 'on'), ...end('on', 0)];
    expect(() => assemble(loop)).toThrow('does not lie ahead');
  });

  test('refuses a label that is defined twice', () => {
    expect(() => assemble([...end('same', 0), ...end('same', 0)])).toThrow('defined twice');
  });

  test('accepts 4096 instructions and refuses 4097', () => {
    const returns = (count: number): readonly FilterStep[] =>
      Array.from({ length: count }, () => ({ kind: 'return', value: 0 }));
    expect(assemble(returns(4096))).toHaveLength(4096 * 8);
    expect(() => assemble(returns(4097))).toThrow('4097 instructions');
  });
});
