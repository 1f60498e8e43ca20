import { gzipSync } from 'node:zlib';
import { type Answer, eventStreamMessage, type ServerDialect } from '../lib/model-server/index.ts';
import type { BadExchange } from './bad-exchanges.ts';

const delta = (text: string): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}\n\n`;
const stream = [delta('one '), delta('two '), 'event: message_stop\ndata: {"type":"message_stop"}\n\n'] as const;
const chunk = eventStreamMessage(
  { ':event-type': 'contentBlockDelta', ':content-type': 'application/json', ':message-type': 'event' },
  Buffer.from('{"contentBlockIndex":0,"delta":{"text":"one"}}'),
);

const paths: Readonly<Partial<Record<ServerDialect, string>>> = {
  anthropic: '/v1/messages',
  bedrock: '/model/example/converse-stream',
  ollama: '/api/chat',
};

/** A valid request, with an invalid answer. */
function of(name: string, answer: Answer, dialect: ServerDialect = 'anthropic'): BadExchange {
  const body = '{"model":"example","max_tokens":9,"messages":[{"role":"user","content":"hello"}],"stream":true}';
  const request = Buffer.from(
    `POST ${paths[dialect]} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return {
    name: `Answer: ${name}`,
    dialect,
    request: () => [request],
    answer: () => answer,
    direct: answer.kind === 'raw' ? answer.status : 200,
  };
}

interface RawOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly abortAfter?: number;
}

function raw(
  events: readonly (string | Buffer)[],
  { status = 200, headers = { 'content-type': 'text/event-stream' }, ...more }: RawOptions = {},
): Answer {
  return { kind: 'raw', status, events: events.map((event) => Buffer.from(event)), headers, ...more };
}

const json = { headers: { 'content-type': 'application/json' } };
const eventStream = { headers: { 'content-type': 'application/vnd.amazon.eventstream' } };
const damaged = (at: number): Buffer =>
  Buffer.from(chunk).fill(
    (chunk.at(at) ?? 0) ^ 1,
    at < 0 ? chunk.length + at : at,
    (at < 0 ? chunk.length + at : at) + 1,
  );
const long = (at: number, length: number): Buffer => {
  const copy = Buffer.from(chunk);
  copy.writeUInt32BE(length, at);
  return copy;
};

/** Answers that a provider does not give, or that could confuse a reader of Holdfast. */
export const badAnswers: readonly BadExchange[] = [
  of('SSE with carriage returns', raw(stream.map((event) => event.replaceAll('\n', '\r')))),
  of('SSE with CR LF', raw(stream.map((event) => event.replaceAll('\n', '\r\n')))),
  of(
    'SSE with CR LF cut between the two',
    raw(
      stream
        .join('')
        .replaceAll('\n', '\r\n')
        .split(/(?<=\r)/u),
    ),
  ),
  of(
    'SSE with all three ends of lines',
    raw([stream[0].replaceAll('\n', '\r'), stream[1].replaceAll('\n', '\r\n'), stream[2]]),
  ),
  of('SSE with a byte order mark', raw(['\ufeff', ...stream])),
  of('SSE with a byte order mark in the middle', raw([stream[0], '\ufeff', stream[1], stream[2]])),
  of('SSE that is not UTF-8', raw([stream[0], Buffer.from(delta('\xff\xfe'), 'latin1'), stream[2]])),
  of(
    'SSE with a character cut in two',
    raw([Buffer.from(delta('字')).subarray(0, -8), Buffer.from(delta('字')).subarray(-8), stream[2]]),
  ),
  of('SSE with NUL', raw([`id: a\0b\n${delta('a\0b')}`, stream[2]])),
  of(
    'SSE with data over several lines',
    raw([
      'event: content_block_delta\ndata: {"type":"content_block_delta",\ndata:"index":0,\ndata: "delta":{"type":"text_delta","text":"one"}}\n\n',
      stream[2],
    ]),
  ),
  of(
    'SSE with fields without colons and unknown ones',
    raw([`data\nretry: 10\nunknown: field\n${stream[0]}`, 'event\n\n', stream[2]]),
  ),
  of('SSE with an event that has no data', raw(['event: ping\n\n', ...stream])),
  of('SSE whose last event has no end', raw([stream[0], stream[2].slice(0, -1)])),
  of('SSE with data that is not JSON', raw([stream[0], 'data: {"type":\n\n', 'data: hello\n\n', stream[2]])),
  of(
    'SSE with events that nobody knows',
    raw(['event: future\ndata: {"type":"future"}\n\n', 'data: []\n\n', 'data: null\n\n', ...stream]),
  ),
  of('SSE with a line of 10 MB', raw([stream[0], delta('x'.repeat(10 * 1024 * 1024)), stream[2]])),
  of('SSE with 100,000 comments', raw([': awake\n'.repeat(100_000), ...stream])),
  of('SSE 10,000 deep', raw([`data: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n\n`, ...stream])),
  of('SSE cut off in an event', raw([stream[0], stream[1].slice(0, 60)])),
  of('SSE and a reset', raw(stream, { abortAfter: 2, headers: { 'content-type': 'text/event-stream' } })),
  of('SSE that calls itself JSON', raw(stream, json)),
  of('JSON that calls itself SSE', raw(['{"type":"message","content":[]}'])),
  of('JSON cut off', raw(['{"type":"message","content":[{"type":"te'], json)),
  of(
    'JSON that is not UTF-8',
    raw([Buffer.from('{"type":"message","content":[{"type":"text","text":"\xff"}]}', 'latin1')], json),
  ),
  of('JSON 10,000 deep', raw([`{"type":"message","content":${'['.repeat(10_000)}${']'.repeat(10_000)}}`], json)),
  of(
    'an answer that says gzip and is none',
    raw(stream, { headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' } }),
  ),
  of(
    'gzip cut off',
    raw([gzipSync(stream.join('')).subarray(0, -12)], {
      headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
    }),
  ),
  of(
    'an answer in a coding that nobody knows',
    raw(stream, { headers: { 'content-type': 'text/event-stream', 'content-encoding': 'x-example' } }),
  ),
  of(
    'a refusal in HTML',
    raw(['<html><body>Bad Gateway</body></html>'], { status: 502, headers: { 'content-type': 'text/html' } }),
  ),
  of('a refusal without a body', raw([], { status: 503, headers: {} })),
  of('a redirect to another host', raw([], { status: 307, headers: { location: 'http://attacker.test/v1/messages' } })),
  of('no content', raw([], { status: 204, headers: {} })),
  of('an event stream with a wrong checksum', raw([chunk, damaged(-1), chunk], eventStream), 'bedrock'),
  of('an event stream with a damaged payload', raw([chunk, damaged(-8), chunk], eventStream), 'bedrock'),
  of('an event stream with a damaged prelude', raw([chunk, damaged(9), chunk], eventStream), 'bedrock'),
  of('an event stream that is longer than it can be', raw([chunk, long(0, 0xffffffff), chunk], eventStream), 'bedrock'),
  of('an event stream of no length', raw([chunk, long(0, 0), chunk], eventStream), 'bedrock'),
  of('an event stream with headers longer than itself', raw([chunk, long(4, 0xffff), chunk], eventStream), 'bedrock'),
  of('an event stream cut off', raw([chunk, chunk.subarray(0, 20)], eventStream), 'bedrock'),
  of(
    'an event stream with JSON that is none',
    raw(
      [eventStreamMessage({ ':event-type': 'contentBlockDelta', ':message-type': 'event' }, Buffer.from('{"a'))],
      eventStream,
    ),
    'bedrock',
  ),
  of(
    'lines of JSON with an empty and a broken one',
    raw(['{"message":{"content":"one"},"done":false}\n\n{"mess\n', '{"message":{"content":"two"},"done":true}'], {
      headers: { 'content-type': 'application/x-ndjson' },
    }),
    'ollama',
  ),
];
