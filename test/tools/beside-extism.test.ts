import { expect, test } from 'vitest';
import { besideExtism, caseNames } from '../../scripts/beside-extism/measure.ts';
import { extismTable, writtenTable } from '../../scripts/beside-extism.ts';

const whole = process.env['HOLDFAST_EXTENT'] === 'whole';

function cells(table: string): readonly (readonly string[])[] {
  return table.split('\n').map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/gu, '')));
}

test(`docs/tools.md has the measured figures (else: node scripts/beside-extism.ts)${whole ? '' : ': Holdfast; Extism, whose versions are fixed, at night'}`, {
  timeout: 240_000,
}, async () => {
  const written = writtenTable();
  expect(cells(written)).toHaveLength(caseNames.length + 2);
  const measured = extismTable(await besideExtism(whole ? 'all' : 'ours'));
  if (whole) expect(written).toBe(measured);
  else expect(cells(written).map((row) => [row[0], row.at(-1)])).toEqual(cells(measured));
});
