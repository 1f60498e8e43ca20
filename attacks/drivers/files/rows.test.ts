import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, describe, onTestFinished, test } from 'vitest';
import { dealt } from '../../../scripts/testing/extent.ts';
import { filesArena, type FilesArena } from './arena.ts';
import { raceRows } from './race.ts';
import { performRows } from './rows.ts';
import { unconfinedFiles } from './testing/unconfined.ts';

const present = ['python3', 'git', 'cc'].every(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
);
const trial = test.skipIf(!present);
const reason = present ? '' : ' (skipped: needs python3, git and a C compiler)';

function arenaOf(attack: string): FilesArena {
  const base = mkdtempSync('/var/tmp/holdfast-rows-');
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return filesArena(attack, base);
}

const linesOf = (table: string): readonly string[] =>
  readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const rowOf = (line: string): string => line.split('\t', 1)[0] ?? '';
const namesIn = (table: string): readonly string[] => linesOf(table).map(rowOf);

describe(`the worker of sandbox.files without a box${reason}`, { timeout: 120_000 }, () => {
  trial.each(['files-write-outside', 'files-read-outside', 'files-protected'])(
    'is led astray by every row of %s',
    async (attack) => {
      const arena = arenaOf(attack);
      await using files = unconfinedFiles(arena.workspace);
      await performRows(arena.rows, { arena: arena.root, canary: arena.canary, files });
      const rows = namesIn(arena.rows);
      expect(arena.succeeded()).toEqual(rows.filter((row) => row !== 'granted'));
      expect(readFileSync(`${arena.workspace}/tried`, 'utf8').trim().split('\n')).toEqual(rows);
      expect(readFileSync(`${arena.workspace}/loot`, 'utf8').split('\n')).toContain(`${arena.canary}-granted-`);
    },
  );

  trial.each(['race-files-parent', 'race-files-read'])('is led astray by every row of %s', async (attack) => {
    const led = new Set<string>();
    const missing = (lines: readonly string[]): readonly string[] => lines.filter((line) => !led.has(rowOf(line)));
    let left = dealt(linesOf(arenaOf(attack).rows), 4);
    // The machine's load decides who wins a race. So the test repeats until each row has won once.
    for (let round = 0; round < 25 && left.length > 0; round += 1) {
      const arena = arenaOf(attack);
      writeFileSync(arena.rows, `${left.join('\n')}\n`);
      await using files = unconfinedFiles(arena.workspace);
      await raceRows(arena.rows, {
        files,
        arena: arena.root,
        canary: arena.canary,
        tools: arena.tools,
        // Some win within 64 tries, and the next round tries the others again.
        tries: 64,
        each: () => undefined,
      });
      for (const row of arena.succeeded()) led.add(row);
      left = missing(left);
    }
    expect(left).toEqual([]);
    expect(led.size).toBeGreaterThan(0);
  });

  trial('changes nothing when nothing is done: what is counted is not there by itself', () => {
    expect(arenaOf('files-write-outside').succeeded()).toEqual([]);
    expect(arenaOf('files-protected').succeeded()).toEqual([]);
  });
});
