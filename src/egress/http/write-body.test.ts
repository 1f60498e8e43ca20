import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bodyFrom, textBody } from './interceptor.ts';
import { type Body, field, type Fields } from './message.ts';
import { fieldLines, type OutgoingFraming, writeBody } from './write-body.ts';

async function* chunksOf(...parts: readonly string[]): AsyncGenerator<Buffer, void> {
  for (const part of parts) yield Buffer.from(part);
}

async function written(body: Body, framing: OutgoingFraming): Promise<readonly [string, string]> {
  const sink = new PassThrough();
  const outcome = await writeBody(sink, body, framing);
  sink.end();
  return [outcome, String(Buffer.concat((await sink.toArray()) as Buffer[]))];
}

describe('content', () => {
  test.each([
    ['length', bodyFrom(chunksOf('one', '', 'two'), { length: 6 }), 'complete', 'onetwo'],
    ['until-close', bodyFrom(chunksOf('one', 'two')), 'complete', 'onetwo'],
    [
      'chunked',
      bodyFrom(chunksOf('one', '', 'seventeen letters')),
      'complete',
      '3\r\none\r\n11\r\nseventeen letters\r\n0\r\n\r\n',
    ],
    ['chunked', bodyFrom(chunksOf()), 'complete', '0\r\n\r\n'],
    [
      'chunked',
      bodyFrom(chunksOf('a'), { trailers: (): Fields => [field('X-A', 'b'), field('Content-Length', '9')] }),
      'complete',
      '1\r\na\r\n0\r\nX-A: b\r\n\r\n',
    ],
    ['length', textBody('üb'), 'complete', 'üb'],
    ['length', bodyFrom(chunksOf('short'), { length: 6 }), 'short', 'short'],
    ['length', bodyFrom(chunksOf('long', 'er'), { length: 5 }), 'short', 'long'],
  ] as const)('as %s', async (framing, body, ...expected) => {
    expect(await written(body, framing)).toEqual(expected);
  });

  test('that breaks off rejects', async () => {
    async function* broken(): AsyncGenerator<Buffer, void> {
      yield Buffer.from('half');
      throw new Error('broke off');
    }
    await expect(written(bodyFrom(broken()), 'chunked')).rejects.toThrow('broke off');
  });

  test('for a receiver that is gone is abandoned, and its source released', async () => {
    let isReleased = false;
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (let count = 0; ; count += 1) {
          if (count === 10) sink.destroy();
          yield Buffer.alloc(1000);
        }
      } finally {
        isReleased = true;
      }
    }
    const sink = new Writable({ write: (_, __, done) => done() });
    expect(await writeBody(sink, bodyFrom(endless()), 'until-close')).toBe('cut');
    expect(isReleased).toBe(true);
  });

  test('waits for a slow receiver, and is abandoned if that leaves', async () => {
    let produced = 0;
    async function* endless(): AsyncGenerator<Buffer, void> {
      for (;;) {
        produced += 1;
        yield Buffer.alloc(1000);
      }
    }
    const sink = new Writable({ highWaterMark: 5000, write: () => undefined });
    const writing = writeBody(sink, bodyFrom(endless()), 'until-close');
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(produced).toBeLessThan(10);
    sink.destroy();
    expect(await writing).toBe('cut');
  });
});

describe('field lines', () => {
  test('are lines', () => {
    expect(fieldLines([field('A', 'b'), field('C', '')])).toBe('A: b\r\nC: \r\n');
  });

  test.each([
    field('A', 'b\r\nC: d'),
    field('A', 'b\nc'),
    field('A', 'b\rc'),
    field('A', 'b\0c'),
    field('A b', 'c'),
    field('A:', 'c'),
    field('A\r\nB', 'c'),
    field('', 'c'),
  ])('are refused if they hold more than one line: %j', (bad) => {
    expect(() => fieldLines([bad])).toThrow(expect.objectContaining({ code: 'HF_INTERNAL' }));
  });
});
