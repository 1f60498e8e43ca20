import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonPorts, eachPort, everyPort, isEveryPort, portCount, portSet } from './port-set.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const range = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.nat({ max: 6 }))
  .map(([from, more]) => ({ from, to: from + more }));
const ranges = fc.array(range, { maxLength: 6 });
const members = (list: readonly { readonly from: number; readonly to: number }[]): ReadonlySet<number> =>
  new Set(eachPort(list));

describe('portSet', () => {
  test.each([
    [[], []],
    [[[5, 5]], [[5, 5]]],
    [
      [
        [8, 9],
        [1, 2],
      ],
      [
        [1, 2],
        [8, 9],
      ],
    ],
    [
      [
        [1, 5],
        [3, 9],
      ],
      [[1, 9]],
    ],
    [
      [
        [1, 5],
        [2, 3],
      ],
      [[1, 5]],
    ],
    [
      [
        [1, 5],
        [6, 9],
      ],
      [[1, 9]],
    ],
    [
      [
        [1, 5],
        [7, 9],
      ],
      [
        [1, 5],
        [7, 9],
      ],
    ],
    [
      [
        [80, 80],
        [80, 80],
      ],
      [[80, 80]],
    ],
  ])('%j is %j', (input, expected) => {
    const read = (list: readonly (readonly number[])[]) => list.map(([from = 0, to = 0]) => ({ from, to }));
    expect(portSet(read(input))).toEqual(read(expected));
  });

  test('keeps every port and adds none, in order and apart', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const set = portSet(list);
        expect(members(set)).toEqual(members(list));
        expect(portCount(set)).toBe(members(list).size);
        set.forEach(({ from }, index) => {
          if (index > 0) expect(from).toBeGreaterThan((set[index - 1]?.to ?? 0) + 1);
        });
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe('commonPorts', () => {
  test('holds the ports of both', () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const inB = members(b);
        expect(eachPort(commonPorts(portSet(a), portSet(b)))).toEqual(
          [...members(a)].filter((port) => inB.has(port)).sort((x, y) => x - y),
        );
      }),
      { numRuns: rounds(500) },
    );
  });

  test('of all ports and some is the latter', () => {
    const some = [
      { from: 22, to: 22 },
      { from: 80, to: 90 },
    ];
    expect(commonPorts(everyPort, some)).toEqual(some);
    expect(commonPorts(some, everyPort)).toEqual(some);
    expect(commonPorts(everyPort, everyPort)).toEqual(everyPort);
    expect(commonPorts(some, [])).toEqual([]);
  });
});

test('every port differs from nearly every port', () => {
  expect(isEveryPort(everyPort)).toBe(true);
  expect(
    isEveryPort(
      portSet([
        { from: 1, to: 80 },
        { from: 81, to: 65_535 },
      ]),
    ),
  ).toBe(true);
  expect(isEveryPort([{ from: 2, to: 65_535 }])).toBe(false);
  expect(isEveryPort([{ from: 1, to: 65_534 }])).toBe(false);
  expect(isEveryPort([])).toBe(false);
  expect(portCount(everyPort)).toBe(65_535);
});
