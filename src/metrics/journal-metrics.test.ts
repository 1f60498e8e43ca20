import { appendFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { appendEvents } from '../audit/index.ts';
import type { JournalEvent } from '../audit/events.ts';
import { endEvent, refusalEvent, startEvent } from '../audit/testing/events.ts';
import { everyEvent } from '../audit/testing/every-event.ts';
import { freshJournal } from '../audit/testing/scratch.ts';
import { JournalMetrics } from './journal-metrics.ts';
import type { MetricName } from './table.ts';

const living = `${Date.now().toString(36)}-${process.pid.toString(36)}-1`;
const killed = `${Date.now().toString(36)}-${(2 ** 22).toString(36)}-1`;

function asked(session: string, hash = 'ab'.repeat(32)): JournalEvent {
  const { request, verdict, workspace } = refusalEvent(session);
  return { type: 'approval.requested', session, workspace, request, verdict, hash, title: 'may it' };
}

function answered(session: string): JournalEvent {
  return {
    type: 'approval.resolved',
    session,
    workspace: '/srv/project',
    hash: 'ab'.repeat(32),
    decision: 'once',
    waited: 1500,
  };
}

async function valueOf(metrics: JournalMetrics, name: MetricName, labels: object = {}): Promise<number> {
  await metrics.refresh();
  return metrics
    .counters()
    .filter((one) => one.name === name && Object.entries(labels).every(([key, text]) => one.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}

describe('counters', () => {
  test('count what came since they began, from any process, also across files', async () => {
    const journal = freshJournal();
    appendEvents(journal, [startEvent('old'), refusalEvent('old'), endEvent('old')]);
    const metrics = new JournalMetrics(journal);
    expect(await valueOf(metrics, 'holdfast_commands_started_total')).toBe(0);
    for (let round = 0; round < 20; round += 1)
      appendEvents(journal, [startEvent(living), refusalEvent(living), endEvent(living)], { rotateAt: 2000 });
    expect(await valueOf(metrics, 'holdfast_commands_started_total', { backend: 'native' })).toBe(20);
    expect(await valueOf(metrics, 'holdfast_sessions_started_total')).toBe(1);
    expect(await valueOf(metrics, 'holdfast_refusals_total', { request: 'file', reason: 'not-granted' })).toBe(20);
    expect(await valueOf(metrics, 'holdfast_journal_entries_total', { type: 'journal.rotated' })).toBeGreaterThan(0);
    expect(await valueOf(metrics, 'holdfast_commands_started_total')).toBe(20);
  });

  test('tell how commands ended', async () => {
    const journal = freshJournal();
    const metrics = new JournalMetrics(journal);
    const ends = [
      {},
      { exitCode: 3 },
      { exitCode: 137, signal: 9 },
      { exitCode: 143, signal: 15, reason: 'time-out' },
      { exitCode: 125, reason: 'failure' },
    ] as const;
    appendEvents(
      journal,
      ends.map((end) => ({ ...endEvent('s'), ...end })),
    );
    for (const outcome of ['success', 'failure', 'signal', 'timeout', 'error'])
      expect(await valueOf(metrics, 'holdfast_commands_ended_total', { outcome })).toBe(1);
    expect(await valueOf(metrics, 'holdfast_command_run_seconds_total')).toBeCloseTo(0.06);
  });

  test('stand at 0 before the first event where the labels are known', () => {
    const zeros = new JournalMetrics(freshJournal()).counters();
    expect(zeros.filter(({ name }) => name === 'holdfast_connections_total').map(({ labels }) => labels)).toEqual([
      { outcome: 'allowed' },
      { outcome: 'denied' },
      { outcome: 'failed' },
    ]);
    expect(zeros.every(({ value }) => value === 0)).toBe(true);
  });

  test('every type of event has counters, and none is unread', async () => {
    const journal = freshJournal();
    const metrics = new JournalMetrics(journal);
    const events = everyEvent(living, 'x');
    appendEvents(journal, events);
    expect(await valueOf(metrics, 'holdfast_journal_entries_total')).toBe(events.length);
    expect(await valueOf(metrics, 'holdfast_journal_unread_entries_total')).toBe(0);
    expect(await valueOf(metrics, 'holdfast_model_tokens_total', { kind: 'output' })).toBe(9);
    expect(await valueOf(metrics, 'holdfast_approvals_resolved_total', { decision: 'deny', because: 'time-out' })).toBe(
      1,
    );
  });

  test('name models as the price table does', async () => {
    const journal = freshJournal();
    const metrics = new JournalMetrics(journal);
    const calls = everyEvent(living, 'x').filter((event) => event.type === 'model');
    appendEvents(
      journal,
      calls.flatMap((call) => [
        { ...call, model: 'claude-sonnet-4-5-20250929' },
        { ...call, model: 'claude-sonnet-4-5' },
      ]),
    );
    expect(await valueOf(metrics, 'holdfast_model_calls_total', { model: 'claude-sonnet-4-5' })).toBe(2);
  });

  test('damaged entries, unknown types and impossible numbers neither count nor break anything', async () => {
    const journal = freshJournal();
    const metrics = new JournalMetrics(journal);
    appendEvents(journal, [startEvent('s')]);
    const line = (fields: string): string =>
      `{"v":2,"seq":9,"time":"2026-01-01T00:00:00.000Z",${fields},"prev":"${'a'.repeat(64)}","mac":"${'a'.repeat(64)}"}\n`;
    const end = '"session":"s","workspace":"/","exitCode":0,"signal":0,"reason":"exit"';
    appendFileSync(journal, line('"type":"session.end","session":7'));
    appendFileSync(journal, line('"type":"of.tomorrow"'));
    appendFileSync(journal, line(`"type":"session.end",${end},"duration":1e999`));
    appendFileSync(journal, line(`"type":"session.end",${end},"duration":-5`));
    appendFileSync(journal, 'no line of a journal\n');
    expect(await valueOf(metrics, 'holdfast_journal_unread_entries_total')).toBe(1);
    expect(await valueOf(metrics, 'holdfast_journal_entries_total', { type: 'other' })).toBe(1);
    expect(await valueOf(metrics, 'holdfast_commands_ended_total', { outcome: 'success' })).toBe(2);
    expect(await valueOf(metrics, 'holdfast_command_run_seconds_total')).toBe(0);
  });

  test('go on in the journal that takes the place of another', async () => {
    const journal = freshJournal();
    const metrics = new JournalMetrics(journal);
    appendEvents(
      journal,
      Array.from({ length: 30 }, () => refusalEvent('s')),
    );
    expect(await valueOf(metrics, 'holdfast_refusals_total')).toBe(30);
    renameSync(dirname(journal), `${dirname(journal)}.aside`);
    appendEvents(journal, [refusalEvent('s')]);
    expect(await valueOf(metrics, 'holdfast_refusals_total')).toBe(31);
  });
});

describe('open work', () => {
  test('is known from before, and ends', async () => {
    const journal = freshJournal();
    appendEvents(journal, [startEvent(living), startEvent(living), asked(living), startEvent(killed), asked(killed)]);
    const metrics = new JournalMetrics(journal);
    expect(metrics.open()).toEqual({ sessions: 1, commands: 2, approvals: 1, supervisors: [process.pid] });
    appendEvents(journal, [endEvent(living), answered(living)]);
    await metrics.refresh();
    expect(metrics.open()).toEqual({ sessions: 1, commands: 1, approvals: 0, supervisors: [process.pid] });
    appendEvents(journal, [endEvent(living)]);
    await metrics.refresh();
    expect(metrics.open()).toEqual({ sessions: 0, commands: 0, approvals: 0, supervisors: [] });
  });

  test('of any number of sessions is a bounded number', async () => {
    const journal = freshJournal();
    const metrics = new JournalMetrics(journal);
    appendEvents(
      journal,
      Array.from({ length: 5000 }, (_, index) => [
        startEvent(`s-${index}`),
        asked(`s-${index}`, index.toString(16).padStart(64, '0')),
      ]).flat(),
    );
    await metrics.refresh();
    expect(metrics.open(() => true)).toMatchObject({ sessions: 2000, approvals: 2000 });
  });
});
