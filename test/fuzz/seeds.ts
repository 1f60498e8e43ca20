import { joinMessage, writeHeaders } from '../../src/llm/streams/event-stream/event-stream-editor.ts';
import { wrapChunk } from '../../src/llm/index.ts';
import type { Random } from '../differential/random.ts';
import { type Exchange, eventOf, exchanges } from '../fixtures/llm/index.ts';
import { damaged } from './mutate.ts';

function isBedrock({ dialect }: Exchange): boolean {
  return dialect.startsWith('bedrock');
}

function isOllama({ dialect }: Exchange): boolean {
  return dialect.startsWith('ollama');
}

export const sseExchanges = exchanges.filter((each) => !isBedrock(each) && !isOllama(each));
export const lineExchanges = exchanges.filter(isOllama);
export const bedrockExchanges = exchanges.filter(isBedrock);

/** Raw events of an exchange, some damaged, some moved, some doubled, in the bytes of its framing. */
export function streamOf(exchange: Exchange, random: Random): Buffer {
  const events = exchange.stream.flatMap((raw) => (random.chance(0.1) ? [] : random.chance(0.1) ? [raw, raw] : [raw]));
  if (events.length > 1 && random.chance(0.2)) events.push(...events.splice(random.below(events.length), 1));
  return Buffer.concat(
    events.map((raw) =>
      random.chance(0.4) ? rawOf(exchange, raw, random) : Buffer.from(isBedrock(exchange) ? messageOf(raw) : raw),
    ),
  );
}

function rawOf(exchange: Exchange, raw: string, random: Random): Buffer {
  const event = eventOf(exchange, raw);
  if (event === undefined) return Buffer.from(raw);
  const data = JSON.stringify(damaged(event.data, random), undefined, random.chance(0.1) ? 1 : 0) ?? 'null';
  if (isBedrock(exchange)) return messageOf(JSON.stringify({ name: event.name, data: JSON.parse(data) as unknown }));
  if (isOllama(exchange)) return Buffer.from(`${data.replaceAll('\n', ' ')}${random.pick(['\n', '\n', '\r\n'])}`);
  const end = random.pick(['\n', '\n', '\r\n', '\r']);
  const lines = data.split('\n').map((line) => `data:${random.pick([' ', ''])}${line}`);
  return Buffer.from([...(event.name === undefined ? [] : [`event: ${event.name}`]), ...lines, '', ''].join(end));
}

/** A message of AWS, as a server of Bedrock writes it. */
function messageOf(raw: string): Buffer {
  const { name = '', data } = JSON.parse(raw) as { readonly name?: string; readonly data: unknown };
  const json = Buffer.from(JSON.stringify(data));
  const headers = writeHeaders({ ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' });
  return joinMessage(headers, name === 'chunk' ? wrapChunk(json, Buffer.from('{"bytes":"","p":"abcd"}')) : json);
}
