import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventOf, exchanges } from '../../../test/fixtures/llm/index.ts';
import type { Delta, Dialect } from '../types.ts';
import { dialects } from './dialects.ts';
import { valueAt } from './testing/read-leaves.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const all = Object.values(dialects);
const deep = JSON.parse('{"a":['.repeat(10_000) + ']}'.repeat(10_000)) as unknown;

/** Every event and answer that is known, with one member anywhere put aside for something else. */
const damaged = fc
  .record({
    exchange: fc.constantFrom(...exchanges),
    pick: fc.nat(),
    where: fc.nat(),
    what: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(-1, Number.POSITIVE_INFINITY, Number.NaN, '', [], {}, null, deep, 1e15, '__proto__'),
    ),
  })
  .map(({ exchange, pick, where, what }) => {
    const values = [
      { data: exchange.answer, name: undefined },
      ...exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? []),
    ];
    const { data, name } = values[pick % values.length] ?? { data: {} };
    const copy = structuredClone(data);
    const places = holders(copy);
    const [holder, key] = places[where % Math.max(1, places.length)] ?? [{}, 'x'];
    (holder as Record<string, unknown>)[key] = what;
    return { dialect: dialects[exchange.dialect], event: copy, name };
  });

function holders(value: unknown): readonly (readonly [object, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[value, key] as const, ...holders(member)]);
}

function readAll(dialect: Dialect, event: unknown, name: string | undefined): readonly Delta[] {
  const meter = dialect.openMeter();
  meter.read(event, name);
  meter.read(event, undefined);
  const { usage } = meter.outcome('ended');
  for (const tokens of Object.values(usage ?? {})) expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
  const deltas = [...dialect.readEvent(event, name).deltas, ...dialect.readDocument(event).deltas];
  for (const delta of deltas)
    expect(typeof valueAt(event, delta.path)).toBe(delta.kind === 'arguments-value' ? 'object' : 'string');
  for (const delta of deltas) dialect.deltaEvent(delta, 'x', event);
  return deltas;
}

test('a damaged event never throws, and every delta leads to a string', () => {
  fc.assert(
    fc.property(damaged, ({ dialect, event, name }) => void readAll(dialect, event, name)),
    { numRuns: rounds(1500) },
  );
});

test('any JSON is an event of every dialect', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...all), (event, dialect) => void readAll(dialect, event, undefined)),
    { numRuns: rounds(500) },
  );
});

test('an event of any dialect, read as one of any other', () => {
  for (const exchange of exchanges)
    for (const raw of exchange.stream)
      for (const dialect of all) readAll(dialect, eventOf(exchange, raw)?.data, eventOf(exchange, raw)?.name);
});

describe.each(all)('$name', (dialect) => {
  test('10,000 deep, where arguments should be', () => {
    const events = [
      { type: 'message', content: [{ type: 'tool_use', name: 'x', input: deep }] },
      { choices: [{ message: { tool_calls: [{ function: { name: 'x', arguments: deep } }] } }] },
      { object: 'response', output: [{ type: 'tool_search_call', arguments: deep }] },
      { candidates: [{ content: { parts: [{ functionCall: { name: 'x', args: deep } }] } }] },
      { output: { message: { content: [{ toolUse: { name: 'x', input: deep } }] } } },
      { message: { tool_calls: [{ function: { name: 'x', arguments: deep } }] }, done: true },
      deep,
    ];
    for (const event of events) readAll(dialect, event, undefined);
  });

  test('members named as those of prototypes', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const event = JSON.parse(
        `{"type":"${key}","${key}":{"usage":{"input_tokens":5}},"index":"${key}","delta":"${key}"}`,
      ) as unknown;
      expect(readAll(dialect, event, key)).toEqual([]);
      expect(dialect.openMeter().outcome('ended')).toEqual({ completeness: 'partial', toolCalls: [] });
    }
  });

  test('a hundred thousand small events, and what is kept stays small', () => {
    const meter = dialect.openMeter();
    const events = [
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: 'x'.repeat(100) } },
      {
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: 'x'.repeat(100) } }] },
          },
        ],
      },
      { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: 'x'.repeat(100) } } }] } }] },
      { message: { tool_calls: [{ function: { name: 'f', arguments: { a: 'x'.repeat(100) } } }] } },
      { start: { toolUse: { name: 'f' } }, delta: { toolUse: { input: 'x'.repeat(100) } } },
    ];
    for (let time = 0; time < 20_000; time++) for (const event of events) meter.read(event, undefined);
    const { toolCalls } = meter.outcome('cut');
    expect(toolCalls.length).toBeLessThanOrEqual(256);
    expect(toolCalls.reduce((sum, call) => sum + call.arguments.length, 0)).toBeLessThanOrEqual(1024 * 1024);
  });

  test('a model of any length is kept short', () => {
    const meter = dialect.openMeter();
    const long = 'm'.repeat(1e6);
    for (const event of [
      { type: 'message', model: long },
      { model: long, modelVersion: long, object: 'response' },
      { response: { model: long } },
    ])
      meter.read(event, undefined);
    expect(meter.outcome('ended').model?.length ?? 0).toBeLessThanOrEqual(256);
  });
});

test('an event that is like another one can be written, whatever that one has', () => {
  const nested = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as unknown;
  const like = Object.fromEntries(
    [
      'id',
      'object',
      'created',
      'model',
      'system_fingerprint',
      'service_tier',
      'created_at',
      'modelVersion',
      'responseId',
      'createTime',
      'type',
      'item_id',
      'index',
    ].map((key) => [key, nested]),
  );
  const channels = [
    'choices.0.content',
    'content.0',
    'completion',
    'output.0.content.0',
    'message.content',
    'candidates.0.text',
    'plain.text',
  ];
  for (const dialect of all)
    for (const channel of channels)
      expect(() =>
        JSON.stringify(dialect.deltaEvent({ channel, kind: 'text', path: ['text'] }, 'x', like)),
      ).not.toThrow();
});
