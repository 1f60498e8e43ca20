import { anything, assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../testing/entries.ts';
import { everyEvent } from '../testing/every-event.ts';
import { indexedFacts, type RawEntry } from './facts.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const facts = new Map(
  entriesOf(everyEvent('s-1', 'name')).map((entry) => [entry.type, indexedFacts(entry as unknown as RawEntry)]),
);

describe('factsOf', () => {
  test.each<readonly [string, readonly string[]]>([
    ['refusal', ['/etc/name']],
    ['quarantine', ['/srv/name/.git/hooks/x', '/var/q/name']],
    ['trust.decided', ['/srv/name/name']],
    ['trust.withheld', ['/srv/name/name']],
    ['request', ['/name']],
    ['session.start', ['/srv/name']],
    ['alarm', []],
  ])('finds the paths of %s', (type, paths) => {
    expect(facts.get(type as never)?.paths).toEqual(paths);
  });

  test.each(['connection', 'request', 'statement', 'credential', 'alarm'])('finds the host of %s', (type) => {
    expect(facts.get(type as never)?.hosts).toEqual(['name.example.com']);
  });

  test('finds the host of a request that was decided, and the name that was looked up', () => {
    expect(indexedFacts({ request: { kind: 'connect', host: 'A.Example.COM', port: 1 } }).hosts).toEqual([
      'a.example.com',
    ]);
    expect(indexedFacts({ request: { kind: 'dns', name: 'b.example.com', recordType: 'A' } }).hosts).toEqual([
      'b.example.com',
    ]);
    expect(indexedFacts({ request: { kind: 'env', name: 'TOKEN' } }).hosts).toEqual([]);
  });

  test.each([
    ['refusal', 'deny'],
    ['statement', 'deny'],
    ['approval.resolved', 'deny'],
    ['request', 'allow'],
    ['session.end', ''],
  ])('finds the decision of %s', (type, decision) => {
    expect(facts.get(type as never)?.decision).toBe(decision);
  });

  test('has the words of an event, and not those of the chain', () => {
    const { text } = indexedFacts({
      v: 2,
      seq: 1,
      time: '2026-01-02T03:04:05Z',
      type: 'refusal',
      session: 'abc',
      workspace: '/srv/x',
      mac: 'ff00',
      prev: 'ee11',
      policy: 'dd22',
      verdict: { message: 'Not GRANTED', line: 3 },
    });
    expect(text.split('\n')).toEqual(['refusal', 'not granted']);
  });

  test('takes anything', () => {
    assert(
      property(anything(), (value) => {
        const { time, type, session, decision, paths, hosts, text } = indexedFacts(Object(value) as RawEntry);
        expect([
          typeof time,
          typeof type,
          typeof session,
          typeof decision,
          Array.isArray(paths),
          Array.isArray(hosts),
          text.isWellFormed(),
        ]).toEqual(['number', 'string', 'string', 'string', true, true, true]);
      }),
      { numRuns: rounds(1000) },
    );
  });
});
