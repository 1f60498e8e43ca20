import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JournalEntry, journalEntries } from './entries.ts';
import { appendEvents } from './journal.ts';
import { type EntryPlace, newestEntries } from './newest-entries.ts';
import { rotatedPath } from './parts.ts';
import { startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const everything = Number.MAX_SAFE_INTEGER;

/** The entries as forward reading finds them, newest first. */
function expected(file: string): readonly object[] {
  return [...journalEntries(file)].map(({ part, offset, entry }) => ({ part, offset, entry })).toReversed();
}

function inPages(file: string, count: number): readonly object[] {
  const all: object[] = [];
  for (let before: EntryPlace | undefined; ; ) {
    const page = newestEntries(file, before === undefined ? { count } : { count, before });
    all.push(...page);
    before = page.at(-1);
    if (before === undefined) return all;
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function line(seq: number, text = ''): string {
  return `${JSON.stringify({ v: 2, seq, time: '2026-01-01T00:00:00.000Z', type: 'refusal', text, mac: 'a'.repeat(64) })}\n`;
}

function seqsOf(found: readonly { readonly entry: JournalEntry }[]): readonly number[] {
  return found.map(({ entry }) => entry.seq);
}

test('a missing journal has no entries, and zero entries of one are none', () => {
  const file = freshJournal();
  expect(newestEntries(file, { count: 10 })).toEqual([]);
  appendEvents(file, [startEvent('a')]);
  expect(newestEntries(file, { count: 0 })).toEqual([]);
});

test('the newest come first, and as many as are asked for', () => {
  const file = freshJournal();
  appendEvents(
    file,
    Array.from({ length: 30 }, (_, index) => startEvent(`s${index}`)),
  );
  expect(seqsOf(newestEntries(file, { count: 3 }))).toEqual([30, 29, 28]);
  expect(newestEntries(file, { count: everything })).toEqual(expected(file));
});

test('pages lead back through every file of a journal, and leave nothing out', () => {
  const file = freshJournal();
  for (let round = 0; round < 12; round += 1)
    appendEvents(file, [startEvent(`s${round}`), startEvent(`t${round}`)], { rotateAt: 2000 });
  for (const count of [1, 2, 5, 7, 100]) expect(inPages(file, count)).toEqual(expected(file));
});

test('places stay right when the file is rotated away', () => {
  const file = freshJournal();
  appendEvents(file, [startEvent('a'), startEvent('b'), startEvent('c')]);
  const [, before] = newestEntries(file, { count: 2 });
  appendEvents(file, [startEvent('d')], { rotateAt: 1 });
  expect(seqsOf(newestEntries(file, { count: 5, ...(before === undefined ? {} : { before }) }))).toEqual([1]);
});

test('a file that is gone is passed over', () => {
  const file = freshJournal();
  for (const session of ['a', 'b', 'c']) appendEvents(file, [startEvent(session)], { rotateAt: 1 });
  rmSync(rotatedPath(file, 2));
  expect(newestEntries(file, { count: everything })).toEqual(expected(file));
});

test('half a line at the end is left out, however long it is', () => {
  const file = freshJournal();
  appendEvents(file, [startEvent('a'), startEvent('b')]);
  const whole = readFileSync(file);
  appendFileSync(file, `{"v":2,"seq":3,"text":"${'x'.repeat(300_000)}`);
  expect(seqsOf(newestEntries(file, { count: 5 }))).toEqual([2, 1]);
  truncateSync(file, whole.length - 1);
  expect(seqsOf(newestEntries(file, { count: 5 }))).toEqual([1]);
});

test('lines that are no entries are left out', () => {
  const file = freshJournal();
  write(file, `\n\nwords\n${line(1)}{"v":2}\n\n${line(2)}\n${'\u0000'.repeat(70_000)}\n`);
  expect(seqsOf(newestEntries(file, { count: 5 }))).toEqual([2, 1]);
});

test.each([65_535, 65_536, 65_537, 262_144, 3_000_000])('a line of %i bytes is an entry like others', (length) => {
  const file = freshJournal();
  const padding = length - Buffer.byteLength(line(2));
  write(file, `${line(1)}${line(2, 'x'.repeat(padding))}${line(3)}`);
  expect(seqsOf(newestEntries(file, { count: 5 }))).toEqual([3, 2, 1]);
  expect(newestEntries(file, { count: 5 })).toEqual(expected(file));
});

test('a line that is longer than any entry may be is left out, and those before it are found', () => {
  const file = freshJournal();
  write(file, `${line(1)}${'x'.repeat(65 * 1_048_576)}\n${line(2)}`);
  expect(seqsOf(newestEntries(file, { count: 5 }))).toEqual([2, 1]);
});

test('both ways of reading find the same in any files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-audit-'));
  const file = join(directory, 'journal.jsonl');
  const lines = fc.array(
    fc.oneof(
      fc.nat(99).map((seq) => line(seq)),
      fc.nat(99).map((seq) => line(seq, '\u{1f512}'.repeat(20_000))),
      fc.constantFrom('\n', 'x\n', '{}\n', 'ä'),
      fc.string().map((text) => `${text}\n`),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lines, lines, fc.integer({ min: 1, max: 7 }), (first, second, count) => {
      write(rotatedPath(file, 1), first.join(''));
      write(file, second.join(''));
      expect(inPages(file, count)).toEqual(expected(file));
    }),
    { numRuns: rounds(150) },
  );
  rmSync(directory, { recursive: true });
});
