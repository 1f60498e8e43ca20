import { expect, test } from 'vitest';
import { rounds } from '../scripts/testing/extent.ts';
import { endurance, failings } from './lib/endurance/endurance.ts';
import type { Stretch } from './lib/endurance/figures.ts';

/** The long form is `node scripts/endurance.ts`. */
test('a long day through serve and supervisors: nothing is lost, left or grows', async () => {
  const stretches: Stretch[] = [];
  for await (const stretch of endurance(rounds(600))) stretches.push(stretch);
  expect(failings(stretches)).toEqual([]);
});
