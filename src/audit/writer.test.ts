import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headPath } from './head.ts';
import { readEvents } from './entries.ts';
import { refusalEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';
import { journalWriter } from './writer.ts';

test('keeps what many hand over, in the order in which they did, and on the disk when one of them awaits that', async () => {
  const file = freshJournal();
  const writer = journalWriter(file);
  const names = Array.from({ length: 200 }, (_, index) => `s-${index}`);
  await Promise.all(
    names.map((name, index) => writer.append(index === 150 ? [refusalEvent(name)] : [startEvent(name)])),
  );
  expect(readEvents(file).map((entry) => 'session' in entry && entry.session)).toEqual(names);
  expect(JSON.parse(readFileSync(headPath(file), 'utf8'))).toMatchObject({ seq: 200, synced: 200 });
  expect((await verifyJournal(file)).problems).toEqual([]);
});

test('is used again after it was quiet', async () => {
  const file = freshJournal();
  const writer = journalWriter(file);
  await writer.append([startEvent('a')]);
  await writer.append([]);
  await writer.append([startEvent('b'), startEvent('c')]);
  expect(readEvents(file)).toHaveLength(3);
});

test('tells every caller when nothing could be kept', async () => {
  const file = freshJournal();
  mkdirSync(file, { recursive: true });
  const writer = journalWriter(file);
  const results = await Promise.allSettled([writer.append([startEvent('a')]), writer.append([startEvent('b')])]);
  expect(results).toMatchObject([{ reason: { code: 'HF_JOURNAL_FAILED' } }, { reason: { code: 'HF_JOURNAL_FAILED' } }]);
});
