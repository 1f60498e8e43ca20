import { anything, assert, constantFrom, dictionary, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../entries.ts';
import { entriesOf } from '../testing/entries.ts';
import { everyEvent } from '../testing/every-event.ts';
import { describeEntry, isKnown, milliseconds } from './describe-entry.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const entries = entriesOf(everyEvent('s-1', 'name'));

describe('describeEntry', () => {
  test.each(entries.map((entry) => [entry.type, entry] as const))('tells of %s in words', (_type, entry) => {
    expect(isKnown(entry)).toBe(true);
    expect(describeEntry(entry)).toMatch(/^[^{]/u);
    expect(describeEntry(entry)).not.toMatch(/undefined|\[object|NaN/u);
  });

  test.each<readonly [JournalEntry['type'], string]>([
    ['refusal', 'read /etc/name: name is not granted (files.read.default); grant it'],
    ['connection', 'name.example.com:443 (connect): name'],
    ['request', 'GET https://name.example.com:443/name: 200'],
    ['session.end', 'ends after 12 ms: status 3, time-out'],
    ['approval.resolved', 'abababababab: deny (time-out) after 1 min 1 s'],
    ['text', 'command-output name: 2 × tag, 1 × bidi, says "name"'],
    ['alarm', 'phantom-unbound of name to name.example.com:443 in the query'],
  ])('%s', (type, text) => {
    expect(entries.filter((entry) => entry.type === type).map(describeEntry)).toEqual([text]);
  });

  const later = { seq: 9, time: '2030-01-01T00:00:00Z', prev: '', mac: '' };

  test.each([
    [
      'a later version',
      { ...later, v: 3, type: 'refusal', request: { kind: 'telepathy' } },
      '{"v":3,"type":"refusal","request":{"kind":"telepathy"}}',
    ],
    [
      'a type of a later version',
      { ...later, v: 2, type: 'future.kind', what: 1 },
      '{"v":2,"type":"future.kind","what":1}',
    ],
    ['a type that objects have', { ...later, v: 2, type: 'constructor' }, '{"v":2,"type":"constructor"}'],
    ['fields that are not there', { ...later, v: 2, type: 'refusal' }, '{"v":2,"type":"refusal"}'],
  ])('shows %s as it is', (_name, entry, text) => {
    expect(describeEntry(entry as unknown as JournalEntry)).toBe(text);
  });

  test('takes anything', () => {
    assert(
      property(
        constantFrom(...entries.map(({ type }) => type), 'odd'),
        dictionary(
          constantFrom(
            'request',
            'verdict',
            'argv',
            'files',
            'findings',
            'host',
            'refusal',
            'decoded',
            'entries',
            'hash',
            'v',
          ),
          anything(),
        ),
        string(),
        (type, fields, session) => {
          expect(typeof describeEntry({ ...later, v: 2, session, ...fields, type } as unknown as JournalEntry)).toBe(
            'string',
          );
        },
      ),
      { numRuns: rounds(3000) },
    );
  });
});

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1500, '1.5 s'],
  [61_000, '1 min 1 s'],
])('%d milliseconds are %s', (duration, text) => {
  expect(milliseconds(duration)).toBe(text);
});
