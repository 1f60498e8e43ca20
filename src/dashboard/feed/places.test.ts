import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { appendEvents, readEvents } from '../../audit/index.ts';
import { startEvent } from '../../audit/testing/events.ts';
import { freshJournal } from '../../audit/testing/scratch.ts';
import { JournalPlaces } from './places.ts';

function longJournal(count: number, rotateAt = 60_000): string {
  const journal = freshJournal();
  for (let done = 0; done < count; done += 100)
    appendEvents(
      journal,
      Array.from({ length: 100 }, (_, index) => startEvent(`s${done + index}`)),
      { rotateAt },
    );
  return journal;
}

function line(seq: unknown): string {
  return `${JSON.stringify({ v: 2, seq, time: '2026-01-01T00:00:00.000Z', type: 'refusal', mac: 'a'.repeat(64) })}\n`;
}

function write(journal: string, text: string): void {
  mkdirSync(dirname(journal), { recursive: true });
  writeFileSync(journal, text);
}

function whole(places: JournalPlaces): JournalPlaces {
  while (places.step(8).rest === 'more');
  return places;
}

test('the newest are known after the first step, and how many there are', () => {
  const journal = longJournal(3000);
  const entries = readEvents(journal);
  const places = new JournalPlaces(journal);
  const { rest, entries: first } = places.step(0);
  expect(rest).toBe('more');
  expect(places.known).toBe(first.length);
  expect(places.known).toBeLessThan(600);
  expect(places.count).toBe(entries.length);
  expect(places.read(entries.length - 100, 100)).toEqual(entries.slice(-100));
});

test('unknown fields are left out, never replaced', () => {
  const journal = longJournal(3000);
  const entries = readEvents(journal);
  const places = new JournalPlaces(journal);
  for (let step = 0; step < 5; step += 1) {
    places.step(0);
    const unknown = entries.length - places.known;
    expect(places.read(0, unknown)).toEqual([]);
    expect(places.read(unknown - 3, 5)).toEqual(entries.slice(unknown, unknown + 2));
    expect(places.withSeq(entries[unknown - 1]?.seq ?? 0)).toBeUndefined();
    expect(places.withSeq(entries[unknown]?.seq ?? 0)).toEqual(entries[unknown]);
  }
});

test('every step gives other entries, and all of them are all there are, while more come', () => {
  const journal = longJournal(2000);
  const places = new JournalPlaces(journal);
  const seqs: number[] = [];
  for (let rest = 'more', step = 0; rest === 'more'; step += 1) {
    if (step < 4) appendEvents(journal, [startEvent(`new${step}`)], { rotateAt: 30_000 });
    const { entries, rest: left, change } = places.step(0);
    expect(change).toBe('none');
    seqs.push(...entries.map(({ seq }) => seq));
    rest = left;
  }
  expect(seqs.toSorted((a, b) => a - b)).toEqual(readEvents(journal).map(({ seq }) => seq));
  expect(places.read(0, 10_000)).toEqual(readEvents(journal));
});

test('a journal whose first file is gone begins where it does', () => {
  const journal = longJournal(1000, 30_000);
  rmSync(journal.replace('.jsonl', '-000001.jsonl'));
  const places = new JournalPlaces(journal);
  places.step(0);
  const { length } = readEvents(journal);
  expect(places.count).toBe(length);
  expect(whole(places).step(8).change).toBe('none');
  expect(places.count).toBe(length);
});

test.each([
  ['numbers that leave some out', [1, 2, 500], 'corrected'],
  ['a number that no journal has room for', [1, 1e15], 'corrected'],
  ['numbers that go backwards', [9, 5, 1], 'corrected'],
  ['one number twice', [1, 1, 3], 'none'],
  ['no numbers', ['x', null, {}], 'corrected'],
])('%s are corrected when all was read', (_, seqs, change) => {
  const journal = freshJournal();
  write(journal, seqs.map(line).join(''));
  const places = new JournalPlaces(journal);
  expect(places.step(1000).change).toBe(change);
  expect(places.count).toBe(seqs.length);
  expect(places.read(0, 100).map(({ seq }) => seq)).toEqual(seqs);
  appendFileSync(journal, line(7));
  expect(places.step(8)).toMatchObject({ change: 'none', rest: 'none' });
  expect(places.count).toBe(seqs.length + 1);
  expect(places.withSeq(7)?.seq).toBe(7);
});

test('no more are announced than there is room for', () => {
  const journal = longJournal(1000, 1e9);
  appendFileSync(journal, line(Number.MAX_SAFE_INTEGER));
  const places = new JournalPlaces(journal);
  places.step(0);
  expect(places.count).toBeLessThan(readFileSync(journal).length / 100);
});
