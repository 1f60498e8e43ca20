import { describe, expect, test } from 'vitest';
import { rounds } from '../scripts/testing/extent.ts';
import { has } from './lib/holdfast.ts';
import { kinds, killSweep, manners } from './lib/kill-sweep.ts';

/** A box without namespaces starts more slowly: its supervisor answers every call. */
const most = { native: rounds(24), bubblewrap: rounds(24), landlock: rounds(9), warm: rounds(24) } as const;
const backends = kinds.filter((kind) => kind !== 'bubblewrap' || has('bwrap'));
if (backends.length < kinds.length)
  console.warn(
    'SKIPPED: the kill sweep with bubblewrap, because bwrap is not installed (Debian: apt-get install bubblewrap)',
  );

/** The long form is `node scripts/kill-sweep.ts`. */
describe.each(backends)('supervisors of %s boxes killed at random moments', { timeout: 120_000 }, (kind) => {
  test.each(manners)('%s: nothing is left', async (manner) => {
    expect(await killSweep({ kind, manner, rounds: most[kind], longest: 20 })).toEqual([]);
  });
});
