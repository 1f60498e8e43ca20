import { expect, test } from 'vitest';
import { rounds } from '../scripts/testing/extent.ts';
import { endurance, failings } from './lib/endurance/endurance.ts';

/** The long form is `node scripts/endurance.ts`. */
test('a long day through serve and supervisors: nothing is lost, left or grows', async () => {
  expect(failings(await endurance(rounds(600)))).toEqual([]);
});
