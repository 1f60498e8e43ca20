import { describe, expect, test } from 'vitest';
import { acceptKillSweep } from './testing/kill-sweep.ts';
import { quickPlace, stageTrouble } from './testing/stage-scene.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe(`kill -9 at a random moment${stageTrouble}`, () => {
  test.skipIf(stageTrouble !== '').each([
    ['on one file system', { within: quickPlace }],
    ['on two file systems', { within: quickPlace, stateIn: '/var/tmp' }],
  ])('%s loses nothing', { timeout: 300_000 }, async (_, choices) => {
    const { killed, problems } = await acceptKillSweep({ rounds: rounds(12), ...choices });
    expect(problems).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  });
});
