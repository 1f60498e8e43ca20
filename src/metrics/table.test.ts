import { describe, expect, test } from 'vitest';
import { everyEvent } from '../audit/testing/every-event.ts';
import { countedOf } from './counted.ts';
import { eventTypes } from './choices.ts';
import { ModelNames } from './model-names.ts';
import { type MetricName, type MetricRow, metricTable } from './table.ts';

const rows: readonly (readonly [string, MetricRow])[] = Object.entries(metricTable);
const context = { models: new ModelNames(), isNew: () => true };

describe('each metric', () => {
  test.each(rows)('%s has the name, the unit and the words of its kind', (name, { type, help, labels }) => {
    expect(name).toMatch(/^(?:holdfast|process)_[a-z_]+$/u);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    // Base units: seconds, bytes and US dollars.
    expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|kb|mb|megabytes|cents)(?:_|$)/u);
    expect(help).toMatch(/^[A-Z][^\n]*[^.]$/u);
    for (const [label, values] of Object.entries(labels)) {
      expect(label).toMatch(/^[a-z]+$/u);
      if (values !== 'few') expect(new Set(values).size).toBe(values.length);
    }
  });

  test('no label is a path, a host, a session or a text', () => {
    const labels = new Set(rows.flatMap(([, row]) => Object.keys(row.labels)));
    for (const label of ['path', 'host', 'session', 'workspace', 'argv', 'user', 'address', 'rule', 'file', 'hash'])
      expect(labels).not.toContain(label);
  });
});

describe('each event', () => {
  const events = everyEvent('s-1', 'hostile "text"\n');

  test.each(events.map((event) => [event.type, event] as const))('%s adds only what the table knows', (_, event) => {
    for (const { name, labels, value } of countedOf(event, context)) {
      const row: MetricRow = metricTable[name];
      expect(row.of).toBe('journal');
      expect(Object.keys(labels)).toEqual(Object.keys(row.labels));
      expect(value).toBeGreaterThanOrEqual(0);
      for (const [label, text] of Object.entries(labels)) {
        const values = row.labels[label];
        if (values !== 'few') expect(values).toContain(text);
      }
    }
  });

  test('and every counter of the journal gets something from some event', () => {
    const counted = new Set<MetricName>(events.flatMap((event) => countedOf(event, context)).map(({ name }) => name));
    const missing = rows.flatMap(([name, row]) =>
      row.of === 'journal' && !counted.has(name as MetricName) ? [name] : [],
    );
    // The first two count every entry. The event of a model has a price.
    expect(missing).toEqual([
      'holdfast_model_unpriced_calls_total',
      'holdfast_journal_entries_total',
      'holdfast_journal_unread_entries_total',
    ]);
    expect(eventTypes).toEqual(expect.arrayContaining(events.map(({ type }) => type)));
  });
});
