import type { Label, Step } from '../assemble.ts';
import type { ArgumentTest } from '../rule.ts';

/** `struct seccomp_data`: the arguments are six little-endian 64-bit words from offset 16. */
const lowHalf = (argument: number): number => 16 + 8 * argument;
const highHalf = (argument: number): number => lowHalf(argument) + 4;

/** Where to go when the test holds and when it does not. */
export interface Exits {
  readonly hit: Label;
  readonly miss: Label;
}

/** The steps of one test. `name` makes its inner labels unique. */
export function compileTest(test: ArgumentTest, exits: Exits, name: string): readonly Step[] {
  const low: Step = { kind: 'load', offset: lowHalf(test.argument) };
  const values = Object.values(test.values);
  switch (test.kind) {
    case 'any-bit':
      return [low, anyBit(union(values), exits)];
    case 'bits-outside':
      return [...(test.width === 64 ? highBits(test.argument, exits, name) : []), low, anyBit(~union(values) >>> 0, exits)];
    case 'one-of':
      return [low, ...masked(test.mask), ...equalsAny(values, exits, name)];
    case 'none-of':
      return [low, ...masked(test.mask), ...equalsAny(values, { hit: exits.miss, miss: exits.hit }, name)];
  }
}

function union(bits: readonly number[]): number {
  return bits.reduce((all, bit) => all | bit, 0) >>> 0;
}

function anyBit(bits: number, { hit, miss }: Exits): Step {
  return { kind: 'branch', test: 'any-bit', value: bits, yes: hit, no: miss };
}

/** All allowed bits lie in the low half, so that any bit in the high half is outside. */
function highBits(argument: number, { hit }: Exits, name: string): readonly Step[] {
  return [
    { kind: 'load', offset: highHalf(argument) },
    { kind: 'branch', test: 'equal', value: 0, yes: `${name}/low`, no: hit },
    { kind: 'label', label: `${name}/low` },
  ];
}

function masked(mask: number | undefined): readonly Step[] {
  return mask === undefined ? [] : [{ kind: 'and', mask }];
}

function equalsAny(values: readonly number[], { hit, miss }: Exits, name: string): readonly Step[] {
  return values.flatMap((value, index): readonly Step[] => {
    if (index === values.length - 1) return [{ kind: 'branch', test: 'equal', value, yes: hit, no: miss }];
    const next = `${name}/${index + 1}`;
    return [
      { kind: 'branch', test: 'equal', value, yes: hit, no: next },
      { kind: 'label', label: next },
    ];
  });
}
