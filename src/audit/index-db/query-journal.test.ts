import * as fc from 'fast-check';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { journalEntries, readEvents } from '../entries.ts';
import type { JournalEvent } from '../events.ts';
import { appendEvents } from '../journal.ts';
import { endEvent, refusalEvent, startEvent } from '../testing/events.ts';
import { everyEvent } from '../testing/every-event.ts';
import { freshJournal } from '../testing/scratch.ts';
import { indexedFacts, type RawEntry } from './facts.ts';
import { type EventFilter, matchesFilter, parsePathQuery, type PathQuery } from './filter.ts';
import { parsePhrases, type Phrase } from './phrases.ts';
import { queryJournal } from './query-journal.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const noFilter: EventFilter = {};
const places = { home: '/home/dev', workspace: '/home/dev/app' };

function path(pattern: string): PathQuery {
  const query = parsePathQuery(pattern, places);
  if (query.kind === 'problem') throw new Error(query.message);
  return query;
}

function words(text: string): readonly Phrase[] {
  const phrases = parsePhrases(text);
  if ('kind' in phrases) throw new Error(phrases.message);
  return phrases;
}

function file(session: string, name: string): JournalEvent {
  const refusal = refusalEvent(session);
  return {
    ...refusal,
    request: { kind: 'file', operation: 'read', path: name },
    verdict: { ...refusal.verdict, message: `reading ${name} is not granted` },
  };
}

function connection(session: string, host: string): JournalEvent {
  return {
    type: 'connection',
    session,
    workspace: '/home/dev/app',
    host,
    port: 443,
    front: 'connect',
    decision: 'allow',
    sent: 1,
    received: 2,
    duration: 3,
  };
}

describe('queryJournal', () => {
  const file1 = (): string => {
    const journal = freshJournal();
    appendEvents(journal, [
      startEvent('one'),
      file('one', '/etc/shadow'),
      file('one', '/home/dev/app/src/a.ts'),
      connection('one', 'api.example.com'),
      endEvent('one'),
    ]);
    appendEvents(journal, [
      startEvent('two', ['git', 'push']),
      connection('two', 'example.com'),
      file('two', '/home/dev/app/.env'),
      connection('two', 'evil.example.org'),
    ]);
    return journal;
  };

  const questions: readonly (readonly [string, EventFilter, readonly string[]])[] = [
    ['a session', { session: 'two' }, ['session.start', 'connection', 'refusal', 'connection']],
    ['the beginning of one', { session: 'on' }, ['session.start', 'refusal', 'refusal', 'connection', 'session.end']],
    [
      'types',
      { types: ['session.start', 'session.end', 'no.such.type'] },
      ['session.start', 'session.end', 'session.start'],
    ],
    ['decisions', { decisions: ['deny'], session: 'two' }, ['refusal']],
    ['a file', { path: path('/etc/shadow') }, ['refusal']],
    ['a directory', { path: path('/home/dev/app/src') }, ['refusal']],
    ['what is in no directory of that beginning', { path: path('/home/dev/ap') }, []],
    ['a name at any depth', { path: path('**/.env'), session: 'two' }, ['refusal']],
    ['a pattern', { path: path('src/*.ts') }, ['refusal']],
    ['a host', { host: { kind: 'exact', host: 'example.com' } }, ['connection']],
    ['names below a host', { host: { kind: 'below', suffix: 'example.com' } }, ['connection']],
    ['words', { words: words('granted SHADOW') }, ['refusal']],
    ['a phrase', { words: words('"git push"') }, ['session.start']],
    ['no phrase of other words between', { words: words('"reading granted"') }, []],
    ['the beginning of a word', { words: words('evi*') }, ['connection']],
    [
      'all of it at once',
      { session: 'two', types: ['refusal'], decisions: ['deny'], path: path('**/.env'), words: words('env') },
      ['refusal'],
    ],
    ['nothing that there is', { session: 'three' }, []],
  ];

  test.each(questions)('finds %s', (_name, filter, types) => {
    expect(queryJournal(file1(), { filter }).entries.map(({ type }) => type)).toEqual(types);
  });

  test('gives the newest, oldest first, and says that there are more', () => {
    const journal = file1();
    const { entries, more } = queryJournal(journal, { filter: noFilter, limit: 2 });
    expect(entries).toEqual(readEvents(journal).slice(-2));
    expect(more).toBe(true);
    expect(queryJournal(journal, { filter: noFilter, limit: 100 }).more).toBe(false);
  });

  test('finds by time: the beginning is included, the end is not', () => {
    const journal = freshJournal();
    const at = (second: number): number => Date.UTC(2026, 0, 1, 0, 0, second);
    for (const second of [1, 2, 3])
      appendEvents(journal, [startEvent(`s${second}`)], {
        clock: () => ({ time: at(second), boot: 'b', uptime: second * 1000 }),
      });
    const sessions = (filter: EventFilter): readonly unknown[] =>
      queryJournal(journal, { filter: { ...filter, types: ['session.start'] } }).entries.map(
        (entry) => (entry as { session?: string }).session,
      );
    expect(sessions({ since: at(2), until: at(3) })).toEqual(['s2']);
    expect(sessions({ since: at(4) })).toEqual([]);
  });

  test('has nothing of a missing journal', () => {
    expect(queryJournal(freshJournal(), { filter: noFilter })).toMatchObject({ entries: [], more: false, skipped: 0 });
  });

  test('goes on where it ended, through rotations, and reads entries where they are then', () => {
    const journal = freshJournal();
    for (let round = 0; round < 8; round += 1) {
      appendEvents(journal, everyEvent(`s${round}`, `name${round}`), { rotateAt: 6000 });
      const all = readEvents(journal);
      expect(queryJournal(journal, { filter: noFilter, limit: 10_000 }).entries).toEqual(all);
    }
    expect([...journalEntries(journal)].at(-1)?.part).toBeGreaterThan(5);
  });

  test('a journal of one session after the other is indexed once', () => {
    const journal = file1();
    const told: string[] = [];
    queryJournal(journal, { filter: noFilter, tell: (message) => told.push(message) });
    appendEvents(journal, [startEvent('three')]);
    expect(
      queryJournal(journal, { filter: { session: 'three' }, tell: (message) => told.push(message) }).entries,
    ).toHaveLength(1);
    expect(told).toEqual([]);
  });

  const hostile = [
    "' OR 1=1 --",
    '"; DROP TABLE events; --',
    '%',
    '_',
    '\u0000',
    '*',
    'a NEAR b',
    'NOT x',
    '{col}: y',
    '\ud800',
    'ſ',
    '../..',
    'x'.repeat(100_000),
  ];

  test.each(hostile)('%j in a question is a text like any other', (text) => {
    const journal = file1();
    const everything = queryJournal(journal, { filter: noFilter }).entries.length;
    const phrases = parsePhrases(text);
    const filters: readonly EventFilter[] = [
      { session: text },
      { types: [text] },
      { decisions: [text] },
      { host: { kind: 'exact', host: text } },
      { host: { kind: 'below', suffix: text } },
      ...('kind' in phrases ? [] : [{ words: phrases }]),
    ];
    for (const filter of filters) expect(queryJournal(journal, { filter }).entries).toEqual([]);
    expect(queryJournal(journal, { filter: noFilter }).entries).toHaveLength(everything);
  });
});

describe('a damaged or unusual journal', () => {
  test('is indexed up to broken lines and behind them, and they are counted', () => {
    const journal = freshJournal();
    appendEvents(journal, [startEvent('a'), refusalEvent('a'), endEvent('a')]);
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, [...lines.slice(0, 2), 'garbage', '{"v":2}', '\u0000\ufffe', ...lines.slice(2)].join('\n'));
    expect(queryJournal(journal, { filter: noFilter })).toMatchObject({
      entries: lines.slice(0, -1).map((line) => ({ type: (JSON.parse(line) as RawEntry)['type'] })),
      skipped: 3,
    });
  });

  test('finds lines of a megabyte by facts at their end', () => {
    const journal = freshJournal();
    appendEvents(journal, [startEvent('a', [`${'x '.repeat(524_288)}needle`]), endEvent('a')]);
    expect(queryJournal(journal, { filter: { words: words('needle') } }).entries).toMatchObject([
      { type: 'session.start' },
    ]);
  });

  test('events of other types and versions are kept, and found by the fields they share', () => {
    const journal = freshJournal();
    const later = {
      type: 'future.kind',
      session: 'a',
      workspace: '/w',
      host: 'Example.COM',
      path: '/etc/x',
      decision: 'perhaps',
      nested: { words: ['teapot'] },
    } as unknown as JournalEvent;
    appendEvents(journal, [later]);
    for (const filter of [
      { types: ['future.kind'] },
      { host: { kind: 'exact', host: 'example.com' } },
      { path: path('/etc') },
      { decisions: ['perhaps'] },
      { words: words('teapot') },
    ] satisfies readonly EventFilter[]) {
      expect(queryJournal(journal, { filter }).entries).toMatchObject([later]);
    }
  });

  test('fields of the wrong kind, and JSON that is nested without end, are no obstacle', () => {
    const journal = freshJournal();
    appendEvents(journal, [
      { type: 'x', session: null, time: 'never' },
      { type: 'refusal', session: { toString: 1 }, request: 'no', verdict: [], files: { length: 3 } },
    ] as unknown as readonly JournalEvent[]);
    appendFileSync(
      journal,
      `{"v":2,"seq":9,"time":"x","type":"deep","x":${'['.repeat(100_000)}${']'.repeat(100_000)},"mac":"${'0'.repeat(64)}"}\n`,
    );
    appendFileSync(journal, `{"v":2,"seq":10,"time":"x","type":{"toString":1},"mac":"${'0'.repeat(64)}"}\n`);
    const { entries } = queryJournal(journal, { filter: noFilter });
    expect(entries.map(({ type }) => type)).toEqual(['x', 'refusal', 'deep']);
    expect(entries).toHaveLength(readEvents(journal).length);
  });
});

describe('the index and the filter', () => {
  const texts = ['', 'a', 'ab', 'Ä', 'ä b', 'a-b', 'x"y', '%', "'", '\ud800', '日本 a', 'a\u0000b'];
  const text = fc.constantFrom(...texts);
  const name = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 4 }));
  const absolute = fc
    .array(fc.constantFrom('a', 'ab', 'b', '.', '..', 'a b', '\u00e4', 'a*'), { maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);
  const anyHost = fc.constantFrom('a', 'b.a', 'c.b.a', 'ba', 'xn--4ca.a', '192.0.2.1');
  const event: fc.Arbitrary<JournalEvent> = fc
    .record({
      type: fc.constantFrom('refusal', 'connection', 'odd', 'quarantine'),
      session: fc.constantFrom('s', 'st', 't'),
      path: absolute,
      movedTo: fc.option(absolute),
      host: fc.option(anyHost),
      decision: fc.option(fc.constantFrom('allow', 'deny')),
      message: name,
    })
    .map(
      (fields) =>
        Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as unknown as JournalEvent,
    );
  const phrase = fc
    .oneof(text, fc.constantFrom('a*', '"a b"', '"ä b"*', 'b a'))
    .map((written) => parsePhrases(written));
  const filter: fc.Arbitrary<EventFilter> = fc.record(
    {
      session: fc.constantFrom('s', 'st', 't', 'u'),
      types: fc.subarray(['refusal', 'odd', 'none']),
      decisions: fc.subarray(['allow', 'deny']),
      path: fc.constantFrom('/', '/a', '/a/b', 'a', '**/ab', '/*/b', '/a b').map(path),
      host: fc.oneof(
        anyHost.map((host) => ({ kind: 'exact', host }) as const),
        anyHost.map((suffix) => ({ kind: 'below', suffix }) as const),
      ),
      words: phrase.filter((phrases): phrases is readonly Phrase[] => !('kind' in phrases)),
    },
    { requiredKeys: [] },
  );

  test('agree on every question about every journal', () => {
    const journal = freshJournal();
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        (events, filters) => {
          appendEvents(journal, events, { rotateAt: 20_000 });
          const all = readEvents(journal);
          for (const one of filters) {
            const expected = all.filter((entry) => matchesFilter(one, indexedFacts(entry as unknown as RawEntry)));
            expect(queryJournal(journal, { filter: one, limit: 10_000 }).entries).toEqual(expected);
          }
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});
