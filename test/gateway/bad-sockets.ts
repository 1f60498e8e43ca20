import type { Answer } from '../lib/model-server/index.ts';
import type { BadExchange } from './bad-exchanges.ts';

const handshake = Buffer.from(
  'GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer sk-EXAMPLE\r\n\r\n',
);
const create = '{"type":"response.create","model":"example","input":"hello é字"}';
const mask = Buffer.of(0x11, 0x22, 0x33, 0x44);

interface FrameParts {
  readonly opcode: number;
  readonly final?: 0 | 1;
  readonly reserved?: number;
  readonly from?: 'client' | 'server';
}

/** Source: RFC 6455 §5.2. */
function frame(payload: string | Buffer, { opcode, final = 1, reserved = 0, from = 'client' }: FrameParts): Buffer {
  const bytes = Buffer.from(payload);
  const masked = from === 'client' ? 0x80 : 0;
  const length =
    bytes.length < 126
      ? Buffer.of(masked | bytes.length)
      : Buffer.of(masked | 126, bytes.length >> 8, bytes.length & 255);
  const body = from === 'client' ? [mask, bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0))] : [bytes];
  return Buffer.concat([Buffer.of((final << 7) | (reserved << 4) | opcode), length, ...body]);
}

/** A text in frames of `size` bytes, which also cut characters. */
function fragments(text: string, size: number, from: 'client' | 'server' = 'client'): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    frame(bytes.subarray(index * size, (index + 1) * size), {
      opcode: index === 0 ? 1 : 0,
      final: index === count - 1 ? 1 : 0,
      from,
    }),
  );
}

const ping = frame('awake', { opcode: 9 });
const server = (text: string): Buffer => frame(text, { opcode: 1, from: 'server' });
const completed = '{"type":"response.completed","response":{"id":"r","output":[]}}';

const of = (name: string, frames: readonly Buffer[], answer?: Answer): BadExchange => ({
  name: `WebSocket: ${name}`,
  dialect: 'openai',
  request: () => [handshake, Buffer.concat(frames)],
  ...(answer === undefined ? {} : { answer: () => answer }),
  direct: 101,
});

const answered = (name: string, events: readonly Buffer[]): BadExchange =>
  of(name, [frame(create, { opcode: 1 })], { kind: 'raw', status: 101, events });

export const badSockets: readonly BadExchange[] = [
  of('a message of one frame', [frame(create, { opcode: 1 })]),
  of('a message in frames of one byte', fragments(create, 1)),
  of(
    'a ping between fragments',
    fragments(create, 20).flatMap((fragment, index) => (index === 1 ? [ping, fragment] : [fragment])),
  ),
  of('empty fragments', [
    frame('', { opcode: 1, final: 0 }),
    frame(create, { opcode: 0, final: 0 }),
    frame('', { opcode: 0 }),
  ]),
  of('two messages at once', [frame(create, { opcode: 1 }), frame(create, { opcode: 1 })]),
  of('JSON cut off', [frame(create.slice(0, -2), { opcode: 1 })]),
  of('JSON in a binary message', [frame(create, { opcode: 2 })]),
  of('a text that is not UTF-8', [frame(Buffer.of(0x22, 0xff, 0x22), { opcode: 1 })]),
  of('a continuation of nothing', [frame(create, { opcode: 0 })]),
  of('a message that begins within another', [frame('{', { opcode: 1, final: 0 }), frame(create, { opcode: 1 })]),
  of('a ping in fragments', [frame('awake', { opcode: 9, final: 0 })]),
  of('a reserved bit', [frame(create, { opcode: 1, reserved: 4 })]),
  of('a reserved opcode', [frame(create, { opcode: 3 })]),
  of('a client that does not mask', [frame(create, { opcode: 1, from: 'server' })]),
  of('a length of 2^63', [Buffer.of(0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0)]),
  of('a close of one byte', [frame(Buffer.of(3), { opcode: 8 })]),
  of('a close within a message', [
    frame(create.slice(0, 9), { opcode: 1, final: 0 }),
    frame(Buffer.of(3, 0xe8), { opcode: 8 }),
  ]),
  answered('an answer in frames of one byte', fragments(completed, 1, 'server')),
  answered('an answer with a ping within', [
    ...fragments(completed, 30, 'server').slice(0, 1),
    frame('awake', { opcode: 9, from: 'server' }),
    ...fragments(completed, 30, 'server').slice(1),
  ]),
  answered('an answer that is not JSON', [server('hello')]),
  answered('an answer that is not UTF-8', [frame(Buffer.of(0xff), { opcode: 1, from: 'server' })]),
  answered('a binary answer', [frame(completed, { opcode: 2, from: 'server' })]),
  answered('an answer that is masked', [frame(completed, { opcode: 1 })]),
  answered('an answer that nobody knows', [server('{"type":"response.future"}'), server(completed)]),
];
