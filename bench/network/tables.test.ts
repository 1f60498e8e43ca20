import { expect, test } from 'vitest';
import { latencyTable, rateTable } from './tables.ts';

const measured = (name: string, samples: readonly number[]) => ({ kind: 'measured' as const, name, samples });

test('latencies are printed in microseconds, beside their tail and their compared row', () => {
  const [, base, row, absent, reason] = latencyTable(
    [
      measured('base', [1, 1, 1]),
      measured('row', [0.5, 0.25, 2]),
      { kind: 'absent', name: 'peer', reason: 'it is not installed' },
    ],
    'base',
  ).split('\n');
  expect(base?.split(/\s+/u)).toEqual(['base', '1000', '1000', '1000', '1000', '1.00', '1.00']);
  expect(row?.split(/\s+/u)).toEqual(['row', '500', '300', '1700', '1970', '3.94', '0.50']);
  expect([absent, reason]).toEqual([expect.stringMatching(/^peer +absent$/u), 'peer is absent: it is not installed']);
});

test('rates are compared by their medians, and have no ratio to an absent row', () => {
  const options = { unit: 'GB/s', baseline: 'base', digits: 1 };
  const [titles, row] = rateTable([measured('row', [3, 1, 2]), measured('base', [4])], options).split('\n');
  expect(titles).toContain('median GB/s');
  expect(row?.split(/\s+/u)).toEqual(['row', '2.0', '1.2', '2.8', '0.50']);
  expect(rateTable([measured('row', [2])], options)).toMatch(/–$/u);
});
