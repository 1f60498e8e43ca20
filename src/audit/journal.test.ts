import { createHmac } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { genesis, splitLine } from './chain.ts';
import { thisMoment } from './head.ts';
import { appendEvents } from './journal.ts';
import { readEvents } from './entries.ts';
import { endEvent, refusalEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';

const whole = { unkeyed: 0, problems: [], omitted: 0 };

describe('appendEvents', () => {
  test('chains every event to the one before, from the genesis hash on', async () => {
    const file = freshJournal();
    const now = Date.now() - 1234;
    appendEvents(file, [startEvent('a'), refusalEvent('a')], { clock: () => ({ ...thisMoment(), time: now }) });
    appendEvents(file, [endEvent('a')]);
    const entries = readEvents(file);
    expect(entries.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'session.start'],
      [2, 'refusal'],
      [3, 'session.end'],
    ]);
    expect(entries[0]).toMatchObject({ v: 2, prev: genesis, time: new Date(now).toISOString(), argv: ['true'] });
    expect(entries[1]?.prev).toBe(entries[0]?.mac);
    expect(entries[2]?.prev).toBe(entries[1]?.mac);
    expect(await verifyJournal(file)).toEqual({ entries: 3, ...whole });
  });

  test('authenticates the bytes that stand in the file', async () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a', ['echo', 'ünïcödé\n\u2028', '\uD800', '","hash":"'])]);
    const line = readFileSync(file, 'utf8').trimEnd();
    const parts = splitLine(line);
    const key = readFileSync(join(dirname(file), 'audit.key'));
    expect(parts?.mac).toBe(
      createHmac('sha256', key)
        .update(line.slice(0, line.indexOf(',"mac":"')))
        .digest('hex'),
    );
    expect(JSON.parse(line)).toMatchObject({ mac: parts?.mac });
    expect(await verifyJournal(file)).toMatchObject(whole);
  });

  test('writes for the owner only', () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    for (const name of ['journal.jsonl', 'journal.head', 'audit.key'])
      expect(statSync(join(dirname(file), name)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  test('writes nothing for no events', () => {
    const file = freshJournal();
    appendEvents(file, []);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  test('goes on after entries of any length', async () => {
    const file = freshJournal();
    for (const size of [100, 65_000, 65_536, 200_000, 1_000_000, 10])
      appendEvents(file, [startEvent('a', ['x'.repeat(size)])]);
    expect(await verifyJournal(file)).toEqual({ entries: 6, ...whole });
  });
});

describe('a journal that a crash left with half a line', () => {
  const halves = [
    ['half an entry', (line: string) => line.slice(0, line.length / 2)],
    ['a whole entry without its newline', (line: string) => line.slice(0, -1)],
    ['one byte', () => '{'],
    ['half a multi-byte character', () => Buffer.from([0xe2, 0x82])],
  ] as const;

  test.each(halves)('%s: verify locates it, the next event removes it and says so', async (_name, half) => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a'), endEvent('a')]);
    const torn = half(`${readFileSync(file, 'utf8').split('\n')[1]}\n`);
    appendFileSync(file, torn);
    expect((await verifyJournal(file)).problems).toEqual([
      { file, line: 3, message: expect.stringContaining('cut short') },
    ]);

    appendEvents(file, [startEvent('b')]);
    expect(readEvents(file).slice(2)).toMatchObject([
      { type: 'journal.repaired', bytes: torn.length },
      { type: 'session.start', session: 'b' },
    ]);
    expect(await verifyJournal(file)).toEqual({ entries: 4, ...whole });
  });

  test('only half a line', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    writeFileSync(file, '{"v":1,"seq":1');
    appendEvents(file, [startEvent('a')]);
    expect(readEvents(file)).toMatchObject([
      { seq: 1, type: 'journal.repaired', bytes: 14 },
      { seq: 2, session: 'a' },
    ]);
    expect(await verifyJournal(file)).toMatchObject(whole);
  });
});

describe('a journal that cannot be used', () => {
  test.each(['\n', 'no entry\n', '{"v":1}\n', `{"v":1,"hash":"${'0'.repeat(64)}"}\n`])(
    'whose last line is %j: refused, and left as it is',
    (last) => {
      const file = freshJournal();
      appendEvents(file, [startEvent('a')]);
      appendFileSync(file, last);
      const before = readFileSync(file);
      expect(() => appendEvents(file, [startEvent('b')])).toThrow(
        expect.objectContaining({ code: 'HF_JOURNAL_FAILED', remedy: expect.stringContaining('audit verify') }),
      );
      expect(readFileSync(file)).toEqual(before);
    },
  );

  test('because it is a directory', () => {
    const file = freshJournal();
    mkdirSync(file, { recursive: true });
    expect(() => appendEvents(file, [startEvent('a')])).toThrow(expect.objectContaining({ code: 'HF_JOURNAL_FAILED' }));
    expect(() => readEvents(file)).toThrow(expect.objectContaining({ code: 'HF_JOURNAL_FAILED' }));
  });

  test('because a file is where the state directory should be', () => {
    const file = freshJournal();
    writeFileSync(dirname(file), '');
    expect(() => appendEvents(file, [startEvent('a')])).toThrow(
      expect.objectContaining({ code: 'HF_STATE_UNWRITABLE', remedy: expect.stringContaining('XDG_STATE_HOME') }),
    );
  });
});

describe('readEvents', () => {
  test('has none of a missing journal', () => {
    expect(readEvents(freshJournal())).toEqual([]);
  });

  test('skips lines that are not entries', () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    appendFileSync(file, `garbage\n{broken,"hash":"${'0'.repeat(64)}"}\n`);
    expect(readEvents(file)).toHaveLength(1);
  });
});
