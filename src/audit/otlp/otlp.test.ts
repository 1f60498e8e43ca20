import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { anything, assert, constantFrom, dictionary, property, string } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority } from '../../egress/tls/authority.ts';
import { identity } from '../../egress/tls/testing/servers.ts';
import type { JournalEntry } from '../entries.ts';
import { entriesOf } from '../testing/entries.ts';
import { endEvent, refusalEvent, startEvent } from '../testing/events.ts';
import { everyEvent } from '../testing/every-event.ts';
import { exportOtlp, logRecordOf, type OtlpExportOptions } from './export-otlp.ts';
import {
  type AnyValue,
  otlpAttributes,
  type KeyValue,
  type LogsRequest,
  type TracesRequest,
  otlpValue,
} from './proto-json.ts';
import { otlpTarget } from './target.ts';
import { type Answering, type Received, startReceiver } from './testing/receiver.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const secret = 'EXAMPLE-canary-of-a-header';

function exportTo(url: string, options: Partial<OtlpExportOptions> = {}): ReturnType<typeof exportOtlp> {
  return exportOtlp({
    target: otlpTarget(url, [['Authorization', `Bearer ${secret}`]]),
    entries: entriesOf([startEvent('s-1'), refusalEvent('s-1'), endEvent('s-1')]),
    host: 'dev-1',
    timeout: 5000,
    pause: 1,
    ...options,
  });
}

async function failureOf(
  work: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly remedy: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as Error & { code: string; remedy: string },
  );
  if (error === undefined) throw new Error('it did not fail');
  expect(JSON.stringify([error.message, error.remedy, error.stack, String(error.cause)])).not.toContain(secret);
  return error;
}

function logsOf({ body }: Received): LogsRequest {
  return JSON.parse(body) as LogsRequest;
}

function attributes(list: readonly KeyValue[]): Readonly<Record<string, AnyValue>> {
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

describe('an export', () => {
  test('sends logs and a span for each session that has ended, as the specification writes them', async () => {
    const receiver = await startReceiver();
    expect(await exportTo(receiver.url)).toEqual({ logs: 3, spans: 1, rejected: 0 });
    const [logs, traces] = receiver.received as [Received, Received];
    expect([logs.method, logs.url, logs.headers['content-type'], logs.headers['authorization']]).toEqual([
      'POST',
      '/v1/logs',
      'application/json',
      `Bearer ${secret}`,
    ]);
    expect(traces.url).toBe('/v1/traces');

    const { resourceLogs } = logsOf(logs);
    expect(attributes(resourceLogs[0].resource.attributes)).toEqual({
      'service.name': { stringValue: 'holdfast' },
      'host.name': { stringValue: 'dev-1' },
    });
    const [start, refusal] = resourceLogs[0].scopeLogs[0].logRecords;
    expect(start).toMatchObject({
      timeUnixNano: '1767323045000000000',
      severityNumber: 9,
      severityText: 'INFO',
      eventName: 'holdfast.session.start',
      body: { stringValue: 'begins: true (native)' },
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/u),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/u),
    });
    expect(refusal).toMatchObject({ severityText: 'WARN', severityNumber: 13, traceId: start?.traceId });
    expect(attributes(refusal?.attributes ?? [])).toMatchObject({
      'session.id': { stringValue: 's-1' },
      'holdfast.seq': { intValue: '2' },
      'holdfast.request.path': { stringValue: '/etc/shadow' },
      'holdfast.verdict.remedy': { stringValue: 'grant it' },
      'holdfast.verdict.line': { intValue: '0' },
      'threat.technique.id': {
        arrayValue: { values: expect.arrayContaining([{ stringValue: expect.stringMatching(/^T\d{4}/u) }]) },
      },
    });

    const [span] = (JSON.parse(traces.body) as TracesRequest).resourceSpans[0].scopeSpans[0].spans;
    expect(span).toMatchObject({
      name: 'holdfast.session',
      kind: 1,
      traceId: start?.traceId,
      spanId: start?.spanId,
      startTimeUnixNano: '1767323045000000000',
      endTimeUnixNano: '1767323047000000000',
      status: { code: 0 },
    });
    expect(attributes(span?.attributes ?? [])).toMatchObject({
      'process.command_args': { arrayValue: { values: [{ stringValue: 'true' }] } },
      'process.exit.code': { intValue: '0' },
    });
  });

  test('has no span of a running session, and one that describes the failure of another', async () => {
    const receiver = await startReceiver();
    const entries = entriesOf([
      startEvent('runs'),
      startEvent('library'),
      startEvent('library'),
      endEvent('library'),
      startEvent('fails'),
      { ...endEvent('fails'), exitCode: 124, reason: 'time-out' },
      endEvent('unknown'),
    ]);
    expect(await exportTo(receiver.url, { entries })).toMatchObject({ spans: 1 });
    const spans = (JSON.parse(receiver.received.at(-1)?.body ?? '') as TracesRequest).resourceSpans[0].scopeSpans[0]
      .spans;
    expect(spans.map(({ status }) => status)).toEqual([{ code: 2, message: 'time-out' }]);
  });

  test('goes in requests that collectors take, every entry once', async () => {
    const receiver = await startReceiver();
    const long = startEvent(
      's',
      Array.from({ length: 90 }, () => 'x'.repeat(8000)),
    );
    expect(
      await exportTo(receiver.url, {
        entries: entriesOf([...Array.from({ length: 1200 }, () => refusalEvent('s')), long, long, long]),
      }),
    ).toMatchObject({ logs: 1203 });
    const batches = receiver.received.map((one) => logsOf(one).resourceLogs[0].scopeLogs[0].logRecords);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
    expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThan(2_000_000);
    const sequence = batches
      .flat()
      .map(({ attributes: list }) => Number((attributes(list)['holdfast.seq'] as { intValue: string }).intValue));
    expect(sequence).toEqual(Array.from({ length: 1203 }, (_, index) => index + 1));
  });

  test('without entries sends nothing', async () => {
    const receiver = await startReceiver();
    expect(await exportTo(receiver.url, { entries: [] })).toEqual({ logs: 0, spans: 0, rejected: 0 });
    expect(receiver.received).toEqual([]);
  });

  test('counts entries that the collector took and dropped', async () => {
    const answers = [
      '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}',
      '{"partialSuccess":{"rejectedSpans":1}}',
    ];
    const receiver = await startReceiver({ answer: (index, response) => void response.end(answers[index]) });
    expect(await exportTo(receiver.url)).toMatchObject({ rejected: 3 });
  });

  test.each([
    '',
    'no JSON',
    '[]',
    'null',
    '{"partialSuccess":7}',
    '{"partialSuccess":{"rejectedLogRecords":"-9"}}',
    '{"partialSuccess":{"rejectedLogRecords":{}}}',
    'x'.repeat(1_000_000),
  ])('takes the answer %.40j for a success', async (body) => {
    const receiver = await startReceiver({ answer: (_index, response) => void response.end(body) });
    expect(await exportTo(receiver.url)).toMatchObject({ logs: 3, rejected: 0 });
  });
});

describe('a collector that', () => {
  const status =
    (...statuses: readonly number[]): Answering =>
    (index, response) =>
      void response.writeHead(statuses[index] ?? 200).end(secret);

  test.each([429, 502, 503, 504])('answers %d gets it again', async (code) => {
    const receiver = await startReceiver({ answer: status(code, code) });
    expect(await exportTo(receiver.url)).toMatchObject({ logs: 3, spans: 1 });
    expect(receiver.received.map(({ url }) => url)).toEqual(['/v1/logs', '/v1/logs', '/v1/logs', '/v1/traces']);
    expect(new Set(receiver.received.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  });

  test('says when to come back is waited for', async () => {
    const receiver = await startReceiver({
      answer: (index, response) =>
        void response.writeHead(index === 0 ? 503 : 200, index === 0 ? { 'retry-after': '1' } : {}).end(),
    });
    const begin = performance.now();
    await exportTo(receiver.url);
    expect(performance.now() - begin).toBeGreaterThan(950);
  });

  test.each([400, 401, 404, 413, 500])(
    'answers %d does not get it again, and its words and headers are not repeated',
    async (code) => {
      const receiver = await startReceiver({ answer: status(code, code, code) });
      expect(await failureOf(exportTo(`${receiver.url}/base?token=${secret}`))).toMatchObject({
        code: 'HF_EXPORT_FAILED',
        message: `the collector at ${receiver.url}/base/v1/logs did not take the export: it answered ${code}`,
      });
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('redirects is not followed: the headers are for it alone', async () => {
    const other = await startReceiver();
    const receiver = await startReceiver({
      answer: (_index, response) => void response.writeHead(307, { location: `${other.url}/v1/logs` }).end(),
    });
    expect(await failureOf(exportTo(receiver.url))).toMatchObject({
      message: expect.stringContaining('redirects (307)'),
    });
    expect(other.received).toEqual([]);
    // A retry must not happen, because nothing suggests another answer.
    expect(receiver.received).toHaveLength(1);
  });

  test.each<readonly [string, Answering]>([
    ['is never ready', status(...Array.from({ length: 10_000 }, () => 503))],
    [
      'wants it back in a year',
      (_index, response) => void response.writeHead(429, { 'retry-after': '31536000' }).end(),
    ],
    ['never answers', () => undefined],
    ['breaks off', (_index, response) => void response.destroy()],
    [
      'answers for ever',
      (_index, response) => void (response.writeHead(200), setInterval(() => response.write('x'), 50).unref()),
    ],
  ])('%s is given up in time', async (_name, answer) => {
    const receiver = await startReceiver({ answer });
    // A server that asks for a retry in a year, or answers forever, does not time out by itself.
    expect(await failureOf(exportTo(receiver.url, { timeout: 600, pause: 20 }))).toMatchObject({
      code: 'HF_EXPORT_FAILED',
    });
  });

  test('is not there is tried again until the time is over', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    expect(await failureOf(exportTo(`http://127.0.0.1:${port}`, { timeout: 2000 }))).toMatchObject({
      message: expect.stringContaining('no connection to it (ECONNREFUSED)'),
      remedy: expect.stringContaining('--timeout'),
    });
  });

  test('speaks something else is not believed', async () => {
    const server = createServer((socket) => void socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    expect(
      await failureOf(exportTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeout: 500 })),
    ).toMatchObject({ code: 'HF_EXPORT_FAILED' });
  });
});

describe('a certificate', () => {
  test.each([undefined, '0'])(
    'without trust is refused at once, with NODE_TLS_REJECT_UNAUTHORIZED=%s',
    async (value) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { key, cert } = identity(createAuthority(), 'collector.example.com') as { key: string; cert: string };
      const receiver = await startReceiver({ tls: { key, cert } });
      // Without the time-out, the retries would go on longer than a test may take.
      expect(await failureOf(exportTo(receiver.url, { timeout: 600_000, pause: 60_000 }))).toMatchObject({
        code: 'HF_EXPORT_FAILED',
        remedy: expect.stringContaining('certificate'),
      });
      expect(receiver.received).toEqual([]);
    },
  );
});

describe('otlpTarget', () => {
  test.each([
    ['http://c.example.com:4318', 'http://c.example.com:4318/v1/logs'],
    ['https://c.example.com/otlp/', 'https://c.example.com/otlp/v1/logs'],
    ['https://c.example.com/v1/logs', 'https://c.example.com/v1/logs'],
    ['https://c.example.com/v1/traces?x=1#y', 'https://c.example.com/v1/logs?x=1'],
  ])('%s gets logs at %s', (base, logs) => {
    expect(otlpTarget(base).logs.href).toBe(logs);
  });

  test.each([
    '',
    'collector',
    'ftp://c.example.com',
    'file:///etc/passwd',
    `https://user:${secret}@c.example.com`,
    `https://${secret}@c.example.com`,
  ])('%s is not a collector', (url) => {
    expect(() => otlpTarget(url)).toThrow(
      expect.objectContaining({ code: 'HF_USAGE', message: expect.not.stringContaining(secret) }),
    );
  });

  test.each([
    ['X-A', `${secret}\r\nX-B: 1`],
    ['X A', secret],
    ['', secret],
    ['Host', secret],
    ['Content-Length', secret],
    ['X-A', `\u20AC${secret}`],
  ])('the header %j is refused, and its value is not told', async (name, value) => {
    const failure = await failureOf((async () => otlpTarget('https://c.example.com', [[name, value]]))());
    expect(failure.code).toBe('HF_USAGE');
  });
});

describe('log records', () => {
  test.each(entriesOf(everyEvent('s-1', 'name')).map((entry) => [entry.type, entry] as const))(
    'of %s have words and fields',
    (type, entry) => {
      const record = logRecordOf(entry, 0);
      expect(record.eventName).toBe(`holdfast.${type}`);
      expect(record.body).toEqual({ stringValue: expect.stringMatching(/\S/u) });
      expect(record.traceId === undefined).toBe(!('session' in entry));
    },
  );

  test('of any content are messages that parsers accept', () => {
    assert(
      property(
        dictionary(constantFrom('session', 'request', 'argv', 'port', 'refusal', 'decision', 'seq'), anything()),
        string({ unit: 'binary' }),
        (fields, text) => {
          const record = logRecordOf(
            {
              v: 2,
              seq: 1,
              time: 'x',
              type: text.length % 2 === 0 ? 'refusal' : text,
              prev: '',
              mac: '',
              text,
              ...fields,
            } as unknown as JournalEntry,
            0,
          );
          const written = JSON.stringify(record);
          expect(written.isWellFormed()).toBe(true);
          expect(JSON.parse(written)).toEqual(record);
          expect(record.timeUnixNano).toMatch(/^\d+$/u);
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('are bounded', () => {
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 'x'.repeat(20_000)]));
    const list = otlpAttributes('holdfast', { ...fields, deep: { deeper: fields } });
    expect(list).toHaveLength(128);
    expect(JSON.stringify(list).length).toBeLessThan(128 * 8400);
  });

  test.each([
    ['a', { stringValue: 'a' }],
    ['\uD800', { stringValue: '\uFFFD' }],
    [true, { boolValue: true }],
    [2 ** 53 - 1, { intValue: '9007199254740991' }],
    [1.5, { doubleValue: 1.5 }],
    [['a', 1], { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } }],
    [[{ a: 1 }], undefined],
    [{ a: 1 }, undefined],
    [null, undefined],
  ])('%j is written as %j', (value, written) => {
    expect(otlpValue(value)).toEqual(written);
  });
});
