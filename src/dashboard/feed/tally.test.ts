import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalEntry, JournalEvent } from '../../audit/index.ts';
import { endEvent, refusalEvent, startEvent } from '../../audit/testing/events.ts';
import { EventTally } from './tally.ts';

const now = Date.parse('2026-05-01T12:00:00Z');

function entries(events: readonly JournalEvent[], time = now): readonly JournalEntry[] {
  return events.map((event, seq) => ({ ...event, v: 2, seq, time: new Date(time).toISOString(), prev: '', mac: '' }));
}

function connection(host: string, bytes: number): JournalEvent {
  return {
    type: 'connection',
    session: 's',
    workspace: '/srv/project',
    front: 'connect',
    host,
    port: 443,
    sent: bytes,
    received: 2 * bytes,
    duration: 1,
  };
}

function tallyOf(events: readonly JournalEvent[], time = now): EventTally {
  const tally = new EventTally();
  tally.add(entries(events, time), now);
  return tally;
}

test('a session runs while its supervisor lives, and is lost when that is gone', () => {
  const tally = tallyOf([startEvent('s', ['npm', 'test'])]);
  expect(tally.summary(now, () => true).sessions).toMatchObject([
    { id: 's', command: 'npm test', state: 'running', commands: 1 },
  ]);
  expect(tally.summary(now, () => false).sessions).toMatchObject([{ state: 'lost' }]);
});

test('a session has ended when each of its commands has', () => {
  const tally = tallyOf([startEvent('s'), startEvent('s'), endEvent('s')]);
  expect(tally.summary(now, () => true).sessions).toMatchObject([{ state: 'running', commands: 2 }]);
  tally.add(entries([endEvent('s')]), now);
  expect(tally.summary(now, () => true).sessions).toMatchObject([{ state: 'ended', exitCode: 0 }]);
});

test('refusals with one rule and one message are one, and the newest is first', () => {
  const other = { ...refusalEvent('s'), verdict: { ...refusalEvent('s').verdict, message: 'another' } };
  const { refusals, sessions, day } = tallyOf([startEvent('s'), refusalEvent('s'), other, refusalEvent('s')]).summary(
    now,
    () => true,
  );
  expect(refusals.map(({ message, count }) => [message, count])).toEqual([
    ['not granted', 2],
    ['another', 1],
  ]);
  expect(sessions[0]?.refusals).toBe(3);
  expect(day.refusals).toBe(3);
});

test('the sums of the day have nothing older', () => {
  const tally = tallyOf([refusalEvent('s'), connection('example.org', 10)], now - 25 * 3_600_000);
  expect(tally.summary(now, () => true).day).toEqual({ refusals: 0, connections: 0, sent: 0, received: 0 });
});

test('the chart adds up to the traffic, with any number of hosts', () => {
  const hosts = Array.from({ length: 700 }, (_, index) => connection(`host-${index}.example`, index));
  const { network, day } = tallyOf(hosts).summary(now, () => true);
  expect(network.hosts.length).toBe(7);
  expect(network.hosts.at(-1)?.host).toBe('all others');
  const all = (3 * (700 * 699)) / 2;
  expect(network.hosts.reduce((sum, { sent, received }) => sum + sent + received, 0)).toBe(all);
  expect(network.hosts.flatMap(({ bytes }) => bytes).reduce((sum, amount) => sum + amount, 0)).toBe(all);
  expect(day.sent + day.received).toBe(all);
  for (const { bytes } of network.hosts) expect(bytes).toHaveLength(network.times.length);
});

test('texts of events are filtered and cut', () => {
  const hostile = `a\u202e\u001b[2J${'x'.repeat(100_000)}`;
  const summary = tallyOf([
    startEvent('s', [hostile]),
    { ...refusalEvent('s'), verdict: { ...refusalEvent('s').verdict, message: hostile, remedy: hostile } },
    connection(hostile, 1),
  ]).summary(now, () => true);
  const texts = JSON.stringify(summary);
  expect(texts).not.toMatch(/[\p{Cf}\p{Cc}]/u);
  expect(texts.length).toBeLessThan(10_000);
});

test('events without what every one has are passed over', () => {
  const tally = new EventTally();
  const broken = ['session.start', 'session.end', 'refusal', 'connection'].flatMap((type) => [
    { type },
    { type, seq: 1, time: 'x' },
    { type, seq: 1, time: new Date(now).toISOString(), session: 5, argv: 'x', verdict: null, host: {} },
  ]);
  tally.add(broken as unknown as readonly JournalEntry[]);
  const { sessions, refusals, network } = tally.summary(now, () => true);
  expect([sessions, refusals, network.hosts]).toEqual([[], [], []]);
});

test('the newest two hundred sessions and refusals are kept', () => {
  const events = Array.from({ length: 300 }, (_, index) => [
    startEvent(`s${index}`),
    { ...refusalEvent(`s${index}`), verdict: { ...refusalEvent('').verdict, message: `m${index}` } },
  ]).flat();
  const { sessions, refusals } = tallyOf(events).summary(now, () => true);
  expect([sessions.length, sessions[0]?.id, refusals.length, refusals[0]?.message]).toEqual([200, 's299', 200, 'm299']);
});

test('the order in which events are read changes nothing', () => {
  const event = fc.oneof(
    fc.constantFrom('a', 'b', 'c').map((session) => startEvent(session, [`run-${session}`])),
    fc.constantFrom('a', 'b', 'c').map((session) => endEvent(session)),
    fc
      .constantFrom('x', 'y')
      .map((message): JournalEvent => ({ ...refusalEvent('a'), verdict: { ...refusalEvent('a').verdict, message } })),
    fc
      .tuple(fc.constantFrom('one.example', 'two.example'), fc.nat(1000))
      .map(([host, bytes]) => connection(host, bytes)),
  );
  const read = (given: readonly JournalEntry[]): unknown => {
    const tally = new EventTally();
    tally.add(given, now);
    const { network, ...summary } = tally.summary(now, () => true);
    return { ...summary, hosts: network.hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1)) };
  };
  fc.assert(
    fc.property(
      fc
        .array(event, { maxLength: 30 })
        .chain((events) =>
          fc.tuple(
            fc.constant(entries(events)),
            fc.shuffledSubarray([...entries(events)], { minLength: events.length }),
          ),
        ),
      ([inOrder, shuffled]) => {
        expect(read(shuffled)).toEqual(read(inOrder));
      },
    ),
  );
});

test('the table of hosts is of the last day as well', () => {
  const tally = tallyOf([connection('old.example', 10)], now - 25 * 3_600_000);
  tally.add(entries([connection('new.example', 10)]), now);
  expect(tally.summary(now, () => true).network.hosts.map(({ host, sent }) => [host, sent])).toEqual([
    ['new.example', 10],
  ]);
  expect(tally.summary(now + 24 * 3_600_000, () => true).network.hosts).toEqual([]);
});

test('of thousands of sessions and refusals, the newest hundreds are held', () => {
  const events = Array.from({ length: 5000 }, (_, index) => [
    startEvent(`s${index}`),
    { ...refusalEvent(`s${index}`), verdict: { ...refusalEvent('').verdict, message: `m${index}` } },
  ]).flat();
  for (const given of [entries(events), entries(events).toReversed()]) {
    const tally = new EventTally();
    tally.add(given, now);
    const { sessions, refusals } = tally.summary(now, () => true);
    expect([
      sessions.length,
      sessions[0]?.id,
      sessions.at(-1)?.id,
      refusals.length,
      refusals[0]?.message,
      refusals.at(-1)?.message,
    ]).toEqual([200, 's4999', 's4800', 200, 'm4999', 'm4800']);
  }
});
