import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rotatedParts } from './parts.ts';
import { freshJournal } from './testing/scratch.ts';
import { changingCalls, killAtCall, killWriters, whatIsWrong } from './testing/kill-writers.ts';

/** The long version is `node scripts/journal-kill-sweep.ts`. */
describe('writers that are killed', () => {
  test('twenty at once, while files are rotated away: nothing that was acknowledged is lost', {
    timeout: 120_000,
  }, async () => {
    const file = freshJournal();
    expect(await killWriters({ file, writers: 20, events: 12, rotateAt: 20_000, killed: 10 })).toEqual([]);
    expect(rotatedParts(file).length).toBeGreaterThan(1);
  });

  const traces = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
  if (!traces)
    console.warn('SKIPPED: writers killed at every system call, because strace is not installed or may not trace here');

  const moments = { killed: 0 };

  describe.skipIf(!traces)('at a system call of the first events and of a rotation', () => {
    test.each(changingCalls)('%s, each time that it is made', { timeout: 120_000 }, async (call) => {
      for (let at = 1; ; at++) {
        const file = freshJournal();
        mkdirSync(dirname(file), { mode: 0o700 });
        const { acknowledged, isKilled } = killAtCall(file, { call, at }, { events: 2, rotateAt: 300 });
        expect(await whatIsWrong(file, acknowledged), `killed at ${call} ${at}`).toEqual([]);
        if (!isKilled) break;
        moments.killed++;
      }
    });

    test('many times in all', () => {
      expect(moments.killed).toBeGreaterThan(30);
    });
  });
});
