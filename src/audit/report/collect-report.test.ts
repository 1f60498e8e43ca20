import { anything, array, assert, constantFrom, integer, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../entries.ts';
import type { JournalEvent } from '../events.ts';
import { entriesOf } from '../testing/entries.ts';
import { endEvent, refusalEvent, startEvent } from '../testing/events.ts';
import { everyEvent } from '../testing/every-event.ts';
import { collectReport, TimelineBuilder } from './collect-report.ts';
import { reportHtml } from './html.ts';
import { type Fact, lanes, type ReportItem, reportMarkdown, type SessionReport, tones } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function reportOf(events: readonly JournalEvent[], session = 's-1'): SessionReport {
  return collectReport({ session, entries: entriesOf(events) });
}

function itemsOf(report: SessionReport, title: string): readonly ReportItem[] {
  return report.sections.find((section) => section.title === title)?.items ?? [];
}

function factsOf(facts: readonly Fact[] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries((facts ?? []).map(({ label, text }) => [label, text]));
}

const inSession = { session: 's-1', workspace: '/srv/project' };
const connection = {
  ...inSession,
  type: 'connection',
  front: 'connect',
  host: 'api.example.com',
  port: 443,
  sent: 10,
  received: 200,
  duration: 5,
} as const;
const verdict = refusalEvent('s-1').verdict;

describe('collectReport', () => {
  test('leaves out other sessions, and entries without one', () => {
    const report = reportOf([
      startEvent('s-1'),
      startEvent('s-10'),
      refusalEvent('s-10'),
      { type: 'trash.purge', entries: [], bytes: 0 },
      endEvent('s-1'),
    ]);
    expect(report.sections).toEqual([]);
    expect(factsOf(report.facts)).toMatchObject({
      entries: '2',
      workspace: '/srv/project',
      backend: 'native',
      duration: '4.0 s',
    });
  });

  test('says that a session has not ended', () => {
    expect(factsOf(reportOf([startEvent('s-1')]).facts)).toMatchObject({ 'still running': '1' });
    expect(factsOf(reportOf([startEvent('s-1'), endEvent('s-1')]).facts)).not.toHaveProperty('still running');
  });

  test('reports equal refusals once, with their count and the grant', () => {
    const items = itemsOf(reportOf([refusalEvent('s-1'), refusalEvent('s-1'), refusalEvent('s-1')]), 'Refusals');
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ title: 'read /etc/shadow', tone: 'refused' });
    expect(factsOf(items[0]?.facts)).toMatchObject({
      times: '3',
      'to allow it': 'grant it',
      rule: 'files.read.default (required layer, built-in)',
    });
  });

  test('adds up connections by host', () => {
    const items = itemsOf(
      reportOf([
        connection,
        connection,
        { ...connection, refusal: { code: 'c', message: 'not granted' } },
        { ...connection, host: 'b.example.com' },
      ]),
      'Connections',
    );
    expect(items.map(({ title, tone }) => [title, tone])).toEqual([
      ['api.example.com:443', 'refused'],
      ['b.example.com:443', 'calm'],
    ]);
    expect(factsOf(items[0]?.facts)).toMatchObject({
      connections: '3',
      'bytes out': '30',
      'bytes in': '600',
      refused: 'not granted',
    });
  });

  test('puts an approval and its answer together: who, when, and how long it took', () => {
    const asked = {
      ...inSession,
      type: 'approval.requested',
      hash: 'ab',
      request: { kind: 'env', name: 'X' },
      verdict,
      title: 'pass X',
    } as const;
    const answered = {
      ...inSession,
      type: 'approval.resolved',
      hash: 'ab',
      decision: 'once',
      because: 'answer',
      channel: 'dashboard',
      waited: 2500,
    } as const;
    const items = itemsOf(reportOf([asked, answered, { ...answered, hash: 'cd', decision: 'deny' }]), 'Approvals');
    expect(items.map(({ title, tone }) => [title, tone])).toEqual([
      ['pass X', 'asked'],
      ['a question that is not in this journal', 'refused'],
    ]);
    expect(factsOf(items[0]?.facts)).toMatchObject({
      asked: '2026-01-02T03:04:05.000Z',
      answer: 'once by dashboard at 2026-01-02T03:04:06.000Z after 2.5 s',
    });
  });

  test('names credentials and what became of them', () => {
    const used = {
      ...inSession,
      type: 'credential',
      credential: 'github',
      action: 'used',
      host: 'api.github.com',
      port: 443,
    } as const;
    const items = itemsOf(
      reportOf([{ ...inSession, type: 'credential', credential: 'github', action: 'delivered' }, used, used]),
      'Credentials',
    );
    expect(items.map(({ title, facts }) => [title, factsOf(facts)])).toEqual([
      ['github', { was: 'delivered, used × 2', at: 'api.github.com:443 × 2' }],
    ]);
  });

  test('has a section for everything that a session can have', () => {
    expect(reportOf(everyEvent('s-1', 'name')).sections.map(({ title }) => title)).toEqual([
      'Alarms',
      'Refusals',
      'Approvals',
      'Files that nobody had approved',
      'Policy that became stricter',
      'Code',
      'Connections',
      'Requests',
      'Statements to databases',
      'Language models',
      'Changed or blocked data',
      'Credentials',
      'Files moved to quarantine',
      'Files that a program outside uncovered',
      'Traces that act later',
      'Other actions of rules',
      'Hidden text',
      'Similar MITRE ATT&CK techniques',
    ]);
  });

  test('names techniques and what shows them, once each', () => {
    const items = itemsOf(
      reportOf([
        refusalEvent('s-1'),
        refusalEvent('s-1'),
        { ...inSession, type: 'quarantine', path: '/x', movedTo: '/y', reason: 'z' },
      ]),
      'Similar MITRE ATT&CK techniques',
    );
    expect(items.find(({ title }) => title === 'T1546 Event Triggered Execution')?.facts).toEqual([
      { label: 'shown by', text: 'quarantine' },
      { label: 'see', text: 'https://attack.mitre.org/techniques/T1546/' },
    ]);
    expect(new Set(items.map(({ title }) => title)).size).toBe(items.length);
  });

  test('keeps unknown entries unchanged', () => {
    const report = reportOf([
      { ...inSession, type: 'future.kind', what: 'new' },
      { ...inSession, type: 'refusal' },
    ] as unknown as readonly JournalEvent[]);
    expect(itemsOf(report, 'Other entries').map(({ title, facts }) => [title, factsOf(facts)['entry']])).toEqual([
      ['future.kind', expect.stringContaining('"what":"new"')],
      ['refusal', expect.stringContaining('"type":"refusal"')],
    ]);
  });

  test('is bounded, whatever a box says', () => {
    const refusals = Array.from(
      { length: 3000 },
      (_, index) =>
        ({ ...refusalEvent('s-1'), request: { kind: 'file', operation: 'read', path: `/x/${index}` } }) as const,
    );
    const connections = Array.from({ length: 3000 }, (_, index) => ({ ...connection, address: `192.0.2.${index}` }));
    const report = reportOf([...refusals, ...connections]);
    expect(itemsOf(report, 'Refusals')).toHaveLength(500);
    expect(report.sections.find(({ title }) => title === 'Refusals')?.left).toBe(2500);
    expect(factsOf(itemsOf(report, 'Connections')[0]?.facts)['addresses']).toMatch(/, 2980 others$/u);
    expect(report.timeline.marks.length).toBeLessThanOrEqual(1000);
    expect(report.timeline.marks.reduce((sum, { entries }) => sum + entries, 0)).toBe(6000);
  });

  test('takes anything', () => {
    const types = everyEvent('s', 'x').map(({ type }) => type);
    assert(
      property(
        record({
          type: constantFrom(...types),
          request: anything(),
          verdict: anything(),
          host: anything(),
          files: anything(),
          hash: anything(),
          findings: anything(),
          waited: anything(),
          refusal: anything(),
          workspace: anything(),
          credential: anything(),
          path: anything(),
          alarm: anything(),
          title: anything(),
          where: anything(),
          time: string(),
        }),
        (fields) => {
          const entry = { v: 2, seq: 1, prev: '', mac: '', session: 's-1', ...fields } as unknown as JournalEntry;
          const report = collectReport({ session: 's-1', entries: [entry] });
          expect([...reportMarkdown(report), ...reportHtml(report)].join('')).toMatch(/<\/html>\n$/u);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });
});

test('every entry is in one mark of its lane, which has the gravest tone of them', () => {
  const happening = record({
    lane: constantFrom(...lanes),
    tone: constantFrom(...tones),
    at: integer({ min: -1e6, max: 1e13 }),
  });
  assert(
    property(array(happening, { maxLength: 3000 }), (happenings) => {
      const builder = new TimelineBuilder();
      for (const one of happenings) builder.add({ ...one, title: 'x' });
      const { from, to, marks } = builder.build();
      expect(marks.length).toBeLessThanOrEqual(1000);
      for (const lane of lanes) {
        const there = happenings.filter((one) => one.lane === lane);
        const shown = marks.filter((mark) => mark.lane === lane);
        expect(shown.reduce((sum, { entries }) => sum + entries, 0)).toBe(there.length);
        for (const tone of tones.slice(-1))
          expect(shown.some((mark) => mark.tone === tone)).toBe(there.some((one) => one.tone === tone));
      }
      if (happenings.length === 0) return;
      expect([from, to]).toEqual([
        Math.min(...happenings.map(({ at }) => at)),
        Math.max(...happenings.map(({ at }) => at)),
      ]);
    }),
    { numRuns: rounds(100) },
  );
});
