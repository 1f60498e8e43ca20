import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventOf, type Exchange, exchanges } from '../../../test/fixtures/llm/index.ts';
import { dialects } from '../dialects/dialects.ts';
import { createAnswerKeeper, type KeptEvent } from './answer-keeper.ts';
import { conversationOf, wordsOfAnswer } from './conversation.ts';

/** The events of a stream as they are kept, through JSON as on the disk. */
function kept(
  { dialect }: Exchange,
  events: readonly { readonly name?: string | undefined; readonly data: unknown }[],
  most = 1e6,
): { readonly events: readonly KeptEvent[]; readonly end: string } {
  const written: KeptEvent[] = [];
  const keeper = createAnswerKeeper({
    dialect: dialects[dialect],
    framing: 'sse',
    most,
    write: (event) => void written.push(JSON.parse(JSON.stringify(event)) as KeptEvent),
  });
  for (const { data, name } of events) keeper.read(data, name);
  return { end: keeper.end(), events: written };
}

const streamOf = (exchange: Exchange) => exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? []);

describe.each(exchanges)('$dialect: $name', (exchange) => {
  const dialect = dialects[exchange.dialect];
  const sayOf = (events: readonly KeptEvent[], framing: 'sse' | 'json') => {
    const { said, toolCalls, usage, model } = wordsOfAnswer(events, { dialect, framing });
    const of = (wanted: string): string =>
      said
        .filter(({ kind }) => kind === wanted)
        .map(({ text }) => text)
        .join('');
    return {
      text: of('text'),
      thinking: of('thinking'),
      tools: toolCalls.map(({ name, arguments: words }) => [name, words]),
      usage,
      model,
    };
  };
  const whole = sayOf(
    streamOf(exchange).map(({ data, name }) => ({ data, ...(name === undefined ? {} : { event: name }) })),
    'sse',
  );

  test('says the same as the stream, in fewer events', () => {
    const { events, end } = kept(exchange, streamOf(exchange));
    expect(end).toBe('whole');
    expect(events.length).toBeLessThanOrEqual(streamOf(exchange).length + 2);
    expect(sayOf(events, 'sse')).toEqual(whole);
    expect(whole.text).toBe(exchange.text);
  });

  test('has each text whole, wherever it was cut', () => {
    const text = JSON.stringify(kept(exchange, streamOf(exchange)).events);
    if (exchange.text !== '') expect(text).toContain(JSON.stringify(exchange.text).slice(1, -1));
  });

  test('its document stays as it is', () => {
    const written: KeptEvent[] = [];
    const keeper = createAnswerKeeper({
      dialect,
      framing: 'json',
      most: 1e6,
      write: (event) => void written.push(event),
    });
    keeper.read(exchange.answer, undefined);
    expect([keeper.end(), written]).toEqual(['whole', [{ data: exchange.answer }]]);
    expect(sayOf(written, 'json').text).toContain(exchange.text);
  });

  test('its request can be read as a conversation', () => {
    const said = conversationOf(dialect, JSON.stringify(exchange.request));
    expect(said.length).toBeGreaterThan(0);
    for (const { role, text } of said)
      expect([role, text]).toEqual([expect.stringMatching(/^[\w.]+$/u), expect.stringMatching(/./u)]);
  });
});

const [first] = exchanges as [Exchange];

test('too large content is cut, with a mark', () => {
  const { events, end } = kept(first, streamOf(first), 3);
  expect(end).toBe('cut');
  expect(events.length).toBeGreaterThan(0);
});

test('any events go in, nested without end too, and nothing is thrown', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
  for (const { dialect } of exchanges) {
    const keeper = createAnswerKeeper({
      dialect: dialects[dialect],
      framing: 'sse',
      most: 1000,
      write: ({ data }) => void JSON.stringify(data),
    });
    keeper.read(deep, 'x');
    expect(keeper.end()).toBe('cut');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.option(fc.string(), { nil: undefined }))), (events) => {
        kept(
          { ...first, dialect },
          events.map(([data, name]) => ({ data, name })),
        );
      }),
      { numRuns: 20 },
    );
    expect(conversationOf(dialects[dialect], JSON.stringify({ messages: [null, 1, { content: [[]] }] }))).toEqual([]);
    expect(conversationOf(dialects[dialect], '{')).toEqual([]);
  }
});
