import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../audit/index.ts';
import type { ConnectionRecord, EgressRefusal, EgressRefusalCode, RequestRecord, StatementRecord } from '../types.ts';
import { verdictOf } from '../ssrf/testing/authorities.ts';
import type { Place } from '../../place/place.ts';
import { createNetworkJournal, type NetworkRecorders } from './network-journal.ts';
import { testPlace } from './testing/place.ts';

const destination = { host: 'a.example', port: 443 };
const allowed: ConnectionRecord = {
  front: 'transparent',
  destination,
  address: '93.184.216.34',
  verdict: verdictOf('allow', { rule: 'network.hosts[0]' }),
  bytesSent: 11,
  bytesReceived: 22,
  duration: 33,
};
const refusal: EgressRefusal = {
  code: 'policy',
  message: 'm',
  remedy: 'r',
  verdict: verdictOf('deny', { rule: 'no-a', line: 7 }),
};
const request: RequestRecord = {
  destination,
  request: { kind: 'http', method: 'GET', scheme: 'https', host: 'a.example', port: 443, path: '/p' },
  status: 200,
  verdict: verdictOf('allow'),
};
const statement: StatementRecord = {
  protocol: 'postgres',
  destination: { host: 'db.example', port: 5432 },
  user: 'app',
  database: 'shop',
  text: 'select 1',
  decision: 'allow',
  outcome: 'SELECT 1',
};

function eventsOf({ paths }: Place): readonly Readonly<Record<string, unknown>>[] {
  return readEvents(paths.journal) as unknown as readonly Readonly<Record<string, unknown>>[];
}

function journal(more: Partial<Parameters<typeof createNetworkJournal>[0]> = {}) {
  const { place } = testPlace('');
  return { place, ...createNetworkJournal({ id: 'session-1', place, ...more }) };
}

describe('connections', () => {
  test('are recorded in the journal in full', () => {
    const { place, recorders, close } = journal();
    recorders.record(allowed);
    expect(close()).toEqual([]);
    const [event] = eventsOf(place);
    expect(event).toMatchObject({
      type: 'connection',
      session: 'session-1',
      workspace: place.workspace.root,
      front: 'transparent',
      host: 'a.example',
      port: 443,
      address: '93.184.216.34',
      decision: 'allow',
      rule: 'network.hosts[0]',
      sent: 11,
      received: 22,
      duration: 33,
    });
    expect(event).not.toHaveProperty('refusal');
    expect(event).not.toHaveProperty('process');
  });

  test('that were refused have no address, and give the reason', () => {
    const { place, recorders, close } = journal();
    recorders.record({ front: 'socks5', destination, refusal, bytesSent: 0, bytesReceived: 0, duration: 1 });
    close();
    const [event] = eventsOf(place);
    expect(event).toMatchObject({ front: 'socks5', refusal: { code: 'policy', message: 'm' } });
    for (const absent of ['address', 'decision', 'rule']) expect(event).not.toHaveProperty(absent);
  });

  test('name the process behind them, and look for each one once', () => {
    const asked: unknown[] = [];
    const { place, recorders, close } = journal({
      processOf: (client) => (asked.push(client), client.port === 1 ? { pid: 9, program: 'curl' } : undefined),
    });
    recorders.record(allowed, { address: '127.0.0.1', port: 1 });
    recorders.record(allowed, { address: '127.0.0.1', port: 2 });
    recorders.record(allowed);
    close();
    expect(eventsOf(place).map(({ process }) => process)).toEqual([{ pid: 9, program: 'curl' }, undefined, undefined]);
    expect(asked).toEqual([
      { address: '127.0.0.1', port: 1 },
      { address: '127.0.0.1', port: 2 },
    ]);
  });
});

describe('requests', () => {
  test('are recorded with request and answer', () => {
    const { place, recorders, close } = journal();
    recorders.recordRequest(request);
    recorders.recordRequest({ ...request, status: 403, refusal, verdict: verdictOf('deny', { rule: 'no-a' }) });
    close();
    const [first, second] = eventsOf(place);
    expect(first).toMatchObject({
      type: 'request',
      method: 'GET',
      scheme: 'https',
      host: 'a.example',
      port: 443,
      path: '/p',
      status: 200,
      decision: 'allow',
    });
    expect(second).toMatchObject({
      status: 403,
      decision: 'deny',
      rule: 'no-a',
      refusal: { code: 'policy', message: 'm' },
    });
  });

  test('that were malformed have no decision', () => {
    const { place, recorders, close } = journal();
    const { verdict: _, ...malformed } = request;
    recorders.recordRequest({ ...malformed, status: 400 });
    close();
    expect(eventsOf(place)[0]).not.toHaveProperty('decision');
  });
});

describe('statements', () => {
  test('are recorded with their user, their decision and their outcome', () => {
    const { place, recorders, close } = journal();
    recorders.recordStatement(statement);
    const { database: _, ...redis } = { ...statement, protocol: 'redis' as const };
    recorders.recordStatement(redis);
    expect(close()).toEqual([]);
    const [first, second] = eventsOf(place);
    expect(first).toMatchObject({
      type: 'statement',
      session: 'session-1',
      workspace: place.workspace.root,
      protocol: 'postgres',
      host: 'db.example',
      port: 5432,
      user: 'app',
      database: 'shop',
      text: 'select 1',
      decision: 'allow',
      outcome: 'SELECT 1',
    });
    expect(first).not.toHaveProperty('destination');
    expect(second).not.toHaveProperty('database');
  });

  test.each([
    [2000, 2000],
    [2001, 2000],
    [1_000_000, 2000],
  ])('of %d characters keep %d', (length, kept) => {
    const { place, recorders, close } = journal();
    recorders.recordStatement({ ...statement, text: 'x'.repeat(length) });
    close();
    expect(String(eventsOf(place)[0]?.['text'])).toHaveLength(kept);
  });
});

describe('refusals', () => {
  test('are returned once, and each is in the journal', () => {
    const { place, recorders, close } = journal();
    for (let count = 0; count < 3; count += 1) recorders.refused(refusal, destination);
    recorders.refused(refusal, { ...destination, port: 80 });
    const given = close();
    expect(given).toEqual(
      [443, 80].map((port) => ({
        request: { kind: 'connect', host: 'a.example', port, protocol: 'tcp' },
        verdict: expect.objectContaining({ decision: 'deny', rule: 'no-a', line: 7, message: 'm', remedy: 'r' }),
      })),
    );
    expect(eventsOf(place).map(({ type }) => type)).toEqual(['refusal', 'refusal', 'refusal', 'refusal']);
  });

  test('at most twenty are returned', () => {
    const { place, recorders, close } = journal();
    for (let port = 1; port <= 30; port += 1) recorders.refused(refusal, { host: 'a.example', port });
    expect([close().length, eventsOf(place).length]).toEqual([20, 30]);
  });

  const codes: Readonly<Record<EgressRefusalCode, 'ours' | 'theirs'>> = {
    policy: 'ours',
    'special-address': 'ours',
    'special-name': 'ours',
    'malformed-host': 'ours',
    'authority-mismatch': 'ours',
    'malformed-request': 'ours',
    'unauthorised-proxy': 'ours',
    'upstream-certificate': 'ours',
    overloaded: 'ours',
    'client-tls': 'ours',
    'phantom-misused': 'ours',
    'secret-exposed': 'ours',
    'foreign-credential': 'ours',
    'credential-unavailable': 'ours',
    'data-loss': 'ours',
    'name-not-found': 'theirs',
    'resolver-failed': 'theirs',
    unreachable: 'theirs',
    'upstream-timeout': 'theirs',
    'upstream-protocol': 'theirs',
  };

  test.each(Object.entries(codes))('%s is %s', (code, whose) => {
    const { recorders, close } = journal();
    recorders.refused({ code: code as EgressRefusalCode, message: 'm', remedy: 'r' }, destination);
    expect(close()).toHaveLength(whose === 'ours' ? 1 : 0);
  });

  test('without a verdict have one that names their code', () => {
    const { recorders, close } = journal();
    recorders.refused({ code: 'special-address', message: 'm', remedy: 'r' }, destination);
    expect(close()).toMatchObject([
      {
        verdict: {
          decision: 'deny',
          code: 'unrepresentable',
          rule: 'special-address',
          layer: 'required',
          file: 'built-in',
          line: 0,
          message: 'm',
          remedy: 'r',
        },
      },
    ]);
  });

  test('count as refusals even if the verdict allowed the connection', () => {
    const { recorders, close } = journal();
    recorders.refused({ ...refusal, code: 'special-address', verdict: verdictOf('allow') }, destination);
    expect(close()).toMatchObject([{ verdict: { decision: 'deny', message: 'm' } }]);
  });
});

describe('look-ups', () => {
  const lookup = { name: 'x.example', outcome: 'refused', verdict: verdictOf('deny', { message: 'm' }) } as const;

  test('for other types than addresses are returned', () => {
    const { place, recorders, close } = journal();
    recorders.recordLookup({ ...lookup, type: 'TXT' });
    expect(close()).toMatchObject([
      { request: { kind: 'dns', name: 'x.example', recordType: 'TXT' }, verdict: { message: 'm' } },
    ]);
    expect(eventsOf(place)).toMatchObject([{ type: 'refusal', observed: 'enforcement' }]);
  });

  test.each([
    { ...lookup, type: 'A' },
    { ...lookup, type: 'AAAA' },
    { name: 'x.example', outcome: 'answered', type: 'TXT', verdict: verdictOf('allow') },
    { name: 'x.example', outcome: 'refused', type: 'TXT' },
  ] as const)('others are not: %j', (record) => {
    const { recorders, close } = journal();
    recorders.recordLookup(record);
    expect(close()).toEqual([]);
  });
});

describe('writing', () => {
  test('waits a little for more records, and happens without a close', async () => {
    const { place, recorders } = journal();
    recorders.record(allowed);
    recorders.record(allowed);
    expect(eventsOf(place)).toEqual([]);
    await expect.poll(() => eventsOf(place).length).toBe(2);
    recorders.record(allowed);
    await expect.poll(() => eventsOf(place).length).toBe(3);
  });

  test.each([
    ['a refusal', ({ refused }: NetworkRecorders) => refused(refusal, destination)],
    [
      'a refused name',
      ({ recordLookup }: NetworkRecorders) =>
        recordLookup({ name: 'x.example', outcome: 'refused', type: 'TXT', verdict: verdictOf('deny') }),
    ],
    [
      'a denied statement',
      ({ recordStatement }: NetworkRecorders) => recordStatement({ ...statement, decision: 'deny' }),
    ],
  ] as const)('of %s comes before the box’s answer, with all earlier records', (_name, happen) => {
    const { place, recorders } = journal();
    recorders.record(allowed);
    recorders.recordStatement(statement);
    expect(eventsOf(place)).toEqual([]);
    happen(recorders);
    expect(eventsOf(place)).toHaveLength(3);
  });

  test('of a flood of refusals is delayed, and loses none', async () => {
    const { place, recorders } = journal();
    for (let port = 1; port <= 1000; port += 1) recorders.refused(refusal, { host: 'a.example', port });
    expect(eventsOf(place)).toHaveLength(20);
    await expect.poll(() => eventsOf(place).length).toBe(1000);
    recorders.refused(refusal, destination);
    expect(eventsOf(place)).toHaveLength(1001);
  });

  // Losing an event is an error.
  test.each(['at the end', 'before'])('that fails %s is reported at the end', async (when) => {
    let told = 0;
    const { place, recorders, close } = journal({ onLost: () => (told += 1) });
    rmSync(dirname(place.paths.journal), { recursive: true, force: true });
    mkdirSync(dirname(dirname(place.paths.journal)), { recursive: true });
    writeFileSync(dirname(place.paths.journal), 'a file where the directory should be');
    recorders.record(allowed);
    if (when === 'before') await expect.poll(() => told).toBe(1);
    expect(close).toThrow(/cannot be used/u);
    expect(told).toBe(1);
  });

  test('no records leave no journal', () => {
    const { place, close } = journal();
    expect(close()).toEqual([]);
    expect(eventsOf(place)).toEqual([]);
  });
});
