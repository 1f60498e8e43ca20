import { describe, expect, test } from 'vitest';
import { eventOf, exchanges } from '../../../test/fixtures/llm/index.ts';
import type { Exchange } from '../../../test/fixtures/llm/index.ts';
import type { CallOutcome, EventReading } from '../types.ts';
import { dialects } from './dialects.ts';
import { recogniseCall } from './recognise/recognise-call.ts';
import { gather } from './testing/gather.ts';
import { valueAt } from './testing/read-leaves.ts';

const hosts: Readonly<Record<string, string>> = {
  anthropic: 'api.anthropic.com',
  openai: 'api.openai.com',
  gemini: 'generativelanguage.googleapis.com',
  bedrock: 'bedrock-runtime.eu-west-1.amazonaws.com',
  ollama: 'gpu.internal',
};
const servers = Object.entries(hosts).map(([style, host]) => ({
  hosts: [host],
  provider: style,
  style: style as 'openai',
}));

describe.each(exchanges.map((exchange) => [exchange.name, exchange] as const))('%s', (_name, exchange) => {
  const dialect = dialects[exchange.dialect];
  const events = exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? []);

  test('its path is that of a call of the dialect', () => {
    const [style = ''] = exchange.dialect.split('-');
    expect(
      recogniseCall({ host: hosts[style] ?? '', port: 443, method: 'POST', path: exchange.path }, servers),
    ).toMatchObject({ dialect: exchange.dialect, operation: 'generate' });
  });

  test('the whole answer is metered', () => {
    const meter = dialect.openMeter();
    meter.read(exchange.answer, undefined);
    expect(meter.outcome('ended')).toEqual(expected(exchange));
    expect(meter.outcome('cut')).toEqual(expected(exchange));
  });

  test('the stream is metered, and is partial at every prefix', () => {
    const outcomes = prefixes(exchange, events.length);
    expect(outcomes.at(-1)).toEqual(expected(exchange));
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome.completeness, `after ${index} events`).toBe(
        index >= completeAt(exchange) ? 'complete' : 'partial',
      );
      for (const [field, tokens] of Object.entries(outcome.usage ?? {}))
        expect(tokens, field).toSatisfy(Number.isSafeInteger);
      expect(outcome.toolCalls.length).toBeLessThanOrEqual(exchange.toolCalls.length);
      for (const [position, call] of outcome.toolCalls.entries())
        expect(exchange.toolCalls[position]?.arguments.startsWith(call.arguments)).toBe(true);
    }
  });

  test('pieces of the stream make up its text, its thinking and its arguments', () => {
    const readings = events.map(({ data, name }) => ({ event: data, reading: dialect.readEvent(data, name) }));
    expect(gather(readings, 'text')).toBe(exchange.text);
    expect(gather(readings, 'thinking')).toBe(exchange.thinking ?? '');
  });

  test('the whole answer has the same text, and every path leads to its value', () => {
    const reading = dialect.readDocument(exchange.answer);
    expect(reading.closes).toBe('all');
    expect(documentText(reading, exchange)).toBe(exchange.text);
    for (const delta of reading.deltas)
      expect(typeof valueAt(exchange.answer, delta.path)).toBe(delta.kind === 'arguments-value' ? 'object' : 'string');
  });

  test('open texts close before the answer ends, and nothing follows', () => {
    const open = new Set<string>();
    for (const { data, name } of events) {
      const { deltas, closes } = dialect.readEvent(data, name);
      for (const { channel } of deltas) open.add(channel);
      const ended = [...open].filter(
        (channel) =>
          closes === 'all' || closes.some((closed) => channel === closed || channel.startsWith(`${closed}.`)),
      );
      for (const channel of ended) open.delete(channel);
    }
    expect([...open]).toEqual([]);
  });

  test('an event that is made up for a piece reads as that piece', () => {
    for (const { data, name } of events) {
      for (const delta of dialect
        .readEvent(data, name)
        .deltas.filter(({ kind, channel }) => kind !== 'arguments-value' && !channel.endsWith('.whole'))) {
        const made = dialect.deltaEvent(delta, 'held back', data);
        const again = dialect.readEvent(made, dialect.eventName(made));
        expect(again.deltas.map(({ channel, kind, path }) => [channel, kind, valueAt(made, path)])).toEqual([
          [delta.channel, delta.kind, 'held back'],
        ]);
        expect(again.closes).toEqual([]);
        expect(dialect.eventName(made)).toBe(name);
      }
    }
  });
});

function expected({ usage, model, toolCalls }: Exchange): CallOutcome {
  return { usage, ...(model === '' ? {} : { model }), completeness: 'complete', toolCalls };
}

/** Outcomes of a stream cut after 0, 1, 2 … events. */
function prefixes(exchange: Exchange, count: number): readonly CallOutcome[] {
  const meter = dialects[exchange.dialect].openMeter();
  const events = exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? []);
  return [...Array(count + 1).keys()].map((index) => {
    const event = events[index - 1];
    if (event !== undefined) meter.read(event.data, event.name);
    return meter.outcome('cut');
  });
}

/** How many events it takes until the answer has said all. Chat Completions says so with its usage, before `[DONE]`. */
function completeAt(exchange: Exchange): number {
  const count = exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? []).length;
  return exchange.name.includes('Chat Completions: caching') ? count - 1 : count;
}

function documentText({ deltas }: EventReading, { answer }: Exchange): string {
  return deltas
    .filter(({ kind }) => kind === 'text')
    .map(({ path }) => valueAt(answer, path))
    .join('');
}
