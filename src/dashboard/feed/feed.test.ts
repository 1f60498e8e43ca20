import { renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appendEvents } from '../../audit/index.ts';
import { endEvent, refusalEvent, startEvent } from '../../audit/testing/events.ts';
import { freshJournal } from '../../audit/testing/scratch.ts';
import type { EventRow } from '../wire.ts';
import { Feed, type EventQuery } from './feed.ts';

const all: EventQuery = { text: '', types: [], session: '', from: 0, count: 500 };

async function rowsOf(feed: Feed, query: Partial<EventQuery> = {}): Promise<readonly EventRow[]> {
  return (await feed.page({ ...all, ...query })).rows;
}

function upToDate(feed: Feed): Feed {
  while (feed.refresh().rest === 'more');
  return feed;
}

test('a journal that is not there has no events, and they come when it is', () => {
  const journal = freshJournal();
  const feed = upToDate(new Feed(journal));
  expect(feed.extent).toEqual({ total: 0, read: 0, generation: 0 });
  appendEvents(journal, [startEvent('s')]);
  expect(feed.refresh().news).toBe(true);
  expect(feed.refresh().news).toBe(false);
  expect(feed.summary().sessions).toHaveLength(1);
});

test('any rows can be read, and stay where they are when more come', async () => {
  const journal = freshJournal();
  const events = Array.from({ length: 300 }, (_, index) => startEvent(`s${index}`));
  appendEvents(journal, events);
  const feed = upToDate(new Feed(journal));
  const before = await rowsOf(feed, { from: 100, count: 5 });
  appendEvents(journal, [endEvent('s1')]);
  upToDate(feed);
  expect(await rowsOf(feed, { from: 100, count: 5 })).toEqual(before);
  expect(before.map(({ seq }) => seq)).toEqual([101, 102, 103, 104, 105]);
  expect((await rowsOf(feed, { from: 300 })).map(({ type }) => type)).toEqual(['session.end']);
  expect(await rowsOf(feed, { from: 310 })).toEqual([]);
});

test('words, kinds and sessions are looked for, and a new event is found', async () => {
  const journal = freshJournal();
  appendEvents(journal, [startEvent('one'), refusalEvent('one'), startEvent('two'), endEvent('two')]);
  const feed = upToDate(new Feed(journal));
  expect((await rowsOf(feed, { text: 'shad' })).map(({ type }) => type)).toEqual(['refusal']);
  expect(await feed.page({ ...all, types: ['session.start'] })).toMatchObject({ total: 2 });
  expect(await feed.page({ ...all, session: 'two' })).toMatchObject({ total: 2 });
  appendEvents(journal, [refusalEvent('two')]);
  upToDate(feed);
  expect(await feed.page({ ...all, text: 'shadow' })).toMatchObject({ total: 2 });
});

test('unsearchable words are reported, with the remedy', async () => {
  const feed = upToDate(new Feed(freshJournal()));
  await expect(feed.page({ ...all, text: 'a "b' })).rejects.toMatchObject({
    code: 'HF_USAGE',
    remedy: expect.stringMatching(/./u),
  });
});

test('a detail is the event without its chain; a missing one has none', async () => {
  const journal = freshJournal();
  appendEvents(journal, [refusalEvent('s')]);
  const feed = upToDate(new Feed(journal));
  const row = (await rowsOf(feed)).find(({ type }) => type === 'refusal');
  const detail = JSON.parse((await feed.detail(row?.seq ?? -1))?.json ?? '{}') as object;
  expect(detail).toMatchObject({ type: 'refusal', session: 's' });
  expect(Object.keys(detail)).not.toContain('mac');
  expect(await feed.detail(99_999)).toBeUndefined();
});

test('a journal that is replaced is read again', () => {
  const [journal, other] = [freshJournal(), freshJournal()];
  appendEvents(
    journal,
    Array.from({ length: 50 }, (_, index) => startEvent(`old${index}`)),
  );
  const feed = upToDate(new Feed(journal));
  appendEvents(other, [startEvent('new')]);
  rmSync(journal);
  renameSync(other, journal);
  expect(feed.refresh().news).toBe(true);
  upToDate(feed);
  expect(feed.summary().sessions.map(({ id }) => id)).toEqual(['new']);
  expect(feed.extent).toEqual({ total: 1, read: 1, generation: 1 });
});

test('a journal that is rotated goes on', async () => {
  const journal = freshJournal();
  for (let round = 0; round < 12; round += 1) appendEvents(journal, [startEvent(`s${round}`)], { rotateAt: 2000 });
  const feed = upToDate(new Feed(journal));
  appendEvents(journal, [startEvent('last')], { rotateAt: 500 });
  upToDate(feed);
  expect(await rowsOf(feed, { types: ['session.start'] })).toHaveLength(13);
  expect((await rowsOf(feed, { types: ['journal.rotated'] })).length).toBeGreaterThan(1);
  expect(feed.summary().sessions).toHaveLength(13);
  expect((await rowsOf(feed)).filter(({ type }) => type === 'session.start')).toHaveLength(13);
});

test('a report is a page of its own', () => {
  const journal = freshJournal();
  appendEvents(journal, [startEvent('s'), refusalEvent('s'), endEvent('s')]);
  expect(new Feed(journal).report('s')).toMatch(/^<!doctype html>[^]*not granted/u);
});

test('the newest page is there after one look at a long journal; older ones are waited for', async () => {
  const journal = freshJournal();
  appendEvents(
    journal,
    Array.from({ length: 20_000 }, (_, index) => startEvent(`s${index}`)),
  );
  const feed = new Feed(journal);
  // A step reads a few hundred entries on any machine, and never all of these.
  feed.refresh();
  const { total, read } = feed.extent;
  expect(total).toBe(20_000);
  expect(read).toBeLessThan(20_000);
  const newest = await feed.page({ ...all, from: 'newest', count: 100 });
  expect(newest).toMatchObject({ total: 20_000, from: 19_800 });
  expect(newest.rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, index) => 19_801 + index));
  let isThere = false;
  const [oldest, detail] = [rowsOf(feed, { from: 0, count: 2 }).finally(() => (isThere = true)), feed.detail(1)];
  await new Promise(setImmediate);
  expect(isThere).toBe(false);
  upToDate(feed);
  expect((await oldest).map(({ seq }) => seq)).toEqual([1, 2]);
  expect((await detail)?.row.seq).toBe(1);
});

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [100, 0, 100],
  [101, 0, 101],
  [200, 0, 200],
  [201, 100, 101],
  [299, 100, 199],
  [300, 100, 200],
])('of %i the newest pages begin at %i', async (total, from, length) => {
  const journal = freshJournal();
  appendEvents(
    journal,
    Array.from({ length: total }, () => startEvent('s')),
  );
  const feed = upToDate(new Feed(journal));
  for (const session of ['', 's']) {
    const page = await feed.page({ ...all, session, from: 'newest', count: 100 });
    expect([page.from, page.rows.length]).toEqual([from, length]);
  }
});
