import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../scripts/testing/extent.ts';
import { LineTransport, type LineLimits, type InvalidLine, LineSplitter } from './line-transport.ts';

interface Heard {
  readonly messages: readonly JSONRPCMessage[];
  readonly answers: readonly { readonly id: unknown; readonly error?: { readonly code: number } }[];
  readonly wrong: readonly InvalidLine[];
}

/** Returns the messages that a transport reads from these chunks. */
async function heard(
  chunks: readonly Uint8Array[],
  limits: LineLimits = {},
  told: 'answered' | 'told' = 'answered',
): Promise<Heard> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const [messages, wrong]: [JSONRPCMessage[], InvalidLine[]] = [[], []];
  let written = '';
  output.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const transport = new LineTransport(
    { input, output },
    { ...limits, ...(told === 'told' ? { onWrong: (each: InvalidLine) => wrong.push(each) } : {}) },
  );
  transport.listen((message) => messages.push(message));
  await transport.start();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await transport.closed;
  return {
    messages,
    wrong,
    answers: written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Heard['answers'][number]),
  };
}

const bytes = (text: string): Buffer => Buffer.from(text);
const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

/** Cuts anywhere, even within a character. */
function cut(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [...at, whole.length].map((end, index) => whole.subarray(at[index - 1] ?? 0, end));
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Reachable bytes, because a busy machine may hold any amount of garbage. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const hostileLine = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((raw) => Buffer.from(raw.filter((byte) => byte !== 0x0a))),
  fc.json({ maxDepth: 3 }).map((text) => bytes(text.replaceAll('\n', ' '))),
  fc
    .constantFrom(
      '{',
      '[]',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":{},"method":"x"}',
      '{"jsonrpc":"2.0","id":1,"result":7}',
      '{"__proto__":{"id":1}}',
      'null',
      '\ufeff{}',
      '"\\ud800"',
    )
    .map(bytes),
);

describe('any bytes', () => {
  test('leave the next message readable, and any cuts give the same messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileLine, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (lines, places) => {
          const whole = Buffer.concat([...lines, bytes(ping(4_242_424))].flatMap((line) => [line, bytes('\n')]));
          const once = await heard([whole]);
          const inPieces = await heard(cut(whole, places));
          expect(inPieces).toEqual(once);
          expect(once.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 4_242_424, method: 'ping' });
          for (const { error } of once.answers) expect([-32_700, -32_600, -32_000]).toContain(error?.code);
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('from a server are reported, and nothing is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileLine, { maxLength: 8 }), async (lines) => {
        const { answers, messages } = await heard(
          [...lines, bytes(ping(4_242_424))].map((line) => Buffer.concat([line, bytes('\n')])),
          {},
          'told',
        );
        expect(answers.filter(({ id, error }) => error?.code !== -32_600 || id !== null)).toEqual([]);
        expect(messages.at(-1)).toMatchObject({ method: 'ping' });
      }),
      { numRuns: rounds(150) },
    );
  });
});

describe('a message that is too long', () => {
  test('is reported once and dropped, and the next one is read', async () => {
    const chunks = [...Array.from({ length: 20 }, () => bytes('x'.repeat(100))), bytes(`\n${ping(1)}\n`)];
    const { wrong, messages } = await heard(chunks, { longest: 500 }, 'told');
    expect(wrong.map(({ line }) => line)).toEqual(['too-long']);
    expect(messages).toHaveLength(1);
  });

  test('is one byte more than the limit', async () => {
    const line = ping(1);
    expect((await heard([bytes(`${line}\n`)], { longest: line.length })).messages).toHaveLength(1);
    expect((await heard([bytes(`${line}\n`)], { longest: line.length - 1 })).answers).toMatchObject([
      { id: null, error: { code: -32_700 } },
    ]);
  });
});

describe('a message that comes one byte at a time', () => {
  test('is read whole, without extra memory', () => {
    const [splitter, count] = [new LineSplitter(2_000_000), 1_000_000];
    const byte = bytes('x');
    const before = heapInUse();
    for (let at = 0; at < count; at += 1)
      for (const line of splitter.push(byte.subarray(0))) expect.unreachable(line.kind);
    expect(heapInUse() - before).toBeLessThan(10 * count);
    expect([...splitter.push(bytes('\n'))]).toEqual([{ kind: 'line', text: 'x'.repeat(count) }]);
  });
});

describe('requests that wait', () => {
  test('are 64 at most, and the 65th is refused by its own id', async () => {
    const { messages, answers } = await heard([bytes(Array.from({ length: 65 }, (_, id) => `${ping(id)}\n`).join(''))]);
    expect(messages).toHaveLength(64);
    expect(answers).toMatchObject([{ id: 64, error: { code: -32_000 } }]);
  });

  test('have unique ids until they are cancelled', async () => {
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const { messages, answers } = await heard([bytes([ping(1), ping(1), cancel, ping(1), ''].join('\n'))]);
    expect(messages).toHaveLength(3);
    expect(answers).toMatchObject([{ id: null, error: { code: -32_600 } }]);
  });
});
