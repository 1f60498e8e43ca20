import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeToolFrame, largestToolFrame } from './protocol/frames.ts';
import type { FromHost } from './protocol/messages.ts';
import { ToolFrameReader, ToolHostConnection } from './tool-host-connection.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const output = (text: string): FromHost => ({
  kind: 'output',
  data: Buffer.from(text).toString('base64'),
  afterwards: 'stays',
});
const log: FromHost = { kind: 'log', level: 'info', text: 'line' };
const ready: FromHost = { kind: 'ready', version: 1 };

/** A program whose words are ours. */
function connected() {
  const stdout = new PassThrough();
  const state = { ended: 0 };
  const connection = new ToolHostConnection({
    stdin: new PassThrough(),
    stdout,
    ended: new Promise(() => undefined),
    end: () => void (state.ended += 1),
    patience: 0,
  });
  return {
    connection,
    state,
    say: (...messages: readonly FromHost[]) =>
      new Promise((resolve) =>
        stdout.write(Buffer.concat(messages.map((message) => encodeToolFrame(message))), resolve),
      ),
  };
}

test('messages of a program in its turn come in order, log lines before an answer', async () => {
  const { connection, say, state } = connected();
  await say(ready);
  expect(await connection.next()).toEqual(ready);
  for (const text of ['one', 'two']) {
    connection.send({ kind: 'run', input: '' });
    await say(log, log, output(text));
    expect([await connection.next(), await connection.next(), await connection.next()]).toEqual([
      log,
      log,
      output(text),
    ]);
  }
  expect([connection.isEnded, state.ended]).toEqual([false, 0]);
});

test.each([
  ['an answer to the next call', output('forged')],
  ['a line of a log', log],
  ['a call', { kind: 'call', what: 'readFile', path: 'a' }],
] as const)('an unrequested message ends the box: %s', async (_, message) => {
  const { connection, say, state } = connected();
  await say(ready);
  await connection.next();
  connection.send({ kind: 'run', input: '' });
  await say(output('honest'));
  expect(await connection.next()).toEqual(output('honest'));
  await say(message);
  connection.send({ kind: 'run', input: '' });
  await expect(connection.next()).rejects.toThrow(/was not requested/u);
  expect([connection.isEnded, state.ended]).toEqual([true, 1]);
});

const message = fc.oneof(
  fc.record({
    kind: fc.constant('log' as const),
    level: fc.constantFrom('info' as const, 'error' as const),
    text: fc.string({ unit: 'binary', maxLength: 100 }).map((text) => text.toWellFormed()),
  }),
  fc.record({
    kind: fc.constant('output' as const),
    data: fc.base64String(),
    afterwards: fc.constant('stays' as const),
  }),
  fc.record({ kind: fc.constant('call' as const), what: fc.constant('readFile' as const), path: fc.string() }),
);

function frame(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body as string);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(bytes.length);
  return Buffer.concat([header, bytes]);
}

test('messages come out unchanged, in any pieces', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages.map((each) => encodeToolFrame(each)));
        const reader = new ToolFrameReader();
        const got: FromHost[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          got.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(got).toEqual(messages);
      },
    ),
    { numRuns: rounds(200) },
  );
});

describe('malformed messages', () => {
  test.each([
    ['not JSON', '{'],
    ['nothing', ''],
    ['another kind', '{"kind":"exec","argv":["sh"]}'],
    ['a call of another name', '{"kind":"call","what":"constructor"}'],
    ['one key more', '{"kind":"loaded","extra":1}'],
    ['a prototype', '{"kind":"call","what":"readFile","__proto__":{"path":"/etc/passwd"}}'],
    ['another type', '{"kind":"call","what":"readFile","path":["a"]}'],
    ['headers that are an object', '{"kind":"call","what":"http","url":"a","method":"GET","headers":{"a":"b"}}'],
    [
      'too many headers',
      JSON.stringify({
        kind: 'call',
        what: 'http',
        url: 'a',
        method: 'GET',
        headers: Array.from({ length: 65 }, () => ['a', 'b']),
      }),
    ],
    ['a line of a log that is too long', JSON.stringify({ kind: 'log', level: 'info', text: 'x'.repeat(5000) })],
    ['another version', '{"kind":"ready","version":2}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('%s', (_, body) => {
    expect(() => [...new ToolFrameReader().push(frame(body))]).toThrow(RangeError);
  });

  test('a length beyond the largest frame is refused before its content comes', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(largestToolFrame + 1);
    expect(() => [...new ToolFrameReader().push(header)]).toThrow(/bytes/u);
  });

  test('any bytes give a message or a RangeError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 64 }),
          fc.json().map((text) => frame(text)),
          fc.uint8Array({ maxLength: 64 }).map((bytes) => frame(Buffer.from(bytes))),
        ),
        (bytes) => {
          try {
            for (const each of new ToolFrameReader().push(Buffer.from(bytes))) expect(typeof each.kind).toBe('string');
          } catch (error) {
            if (!(error instanceof RangeError)) throw error;
          }
        },
      ),
      { numRuns: rounds(1000) },
    );
  });
});
