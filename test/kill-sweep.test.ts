import { describe, expect, test } from 'vitest';
import { has } from './lib/holdfast.ts';
import { kinds, killSweep, manners } from './lib/kill-sweep.ts';

const rounds = 15;
const backends = kinds.filter((kind) => kind !== 'bubblewrap' || has('bwrap'));
if (backends.length < kinds.length) console.warn('SKIPPED: the kill sweep with bubblewrap, because bwrap is not installed (Debian: apt-get install bubblewrap)');

/** The long form is `node scripts/kill-sweep.ts`. */
describe.each(backends)('supervisors of %s boxes killed at random moments', { timeout: 120_000 }, (kind) => {
  test.each(manners)('%s: nothing is left', async (manner) => {
    expect(await killSweep({ kind, manner, rounds, longest: 20 })).toEqual([]);
  });
});
