import { crc32 } from 'node:zlib';
import { EventStreamCodec } from '@smithy/core/event-streams';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOneByOne, cutAt, pass, places } from '../testing/cut.ts';
import type { EventStreamEdit, EventStreamMessage, Unread } from '../types.ts';
import {
  createEventStreamEditor,
  joinMessage,
  largestMessage,
  readPrelude,
  splitMessage,
  writeHeaders,
} from './event-stream-editor.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const codec = new EventStreamCodec(
  (octets) => Buffer.from(octets as Uint8Array).toString(),
  (text) => Buffer.from(text),
);
const name = fc.constantFrom(':event-type', ':message-type', 'x');
const parts = fc.record({
  headers: fc.dictionary(name, fc.string({ maxLength: 10 })),
  payload: fc.uint8Array({ maxLength: 40 }).map((octets) => Buffer.from(octets)),
});
const messages = fc.array(parts, { maxLength: 5 });

/** As AWS writes a message. */
function encode({ headers, payload }: EventStreamMessage): Buffer {
  return Buffer.from(
    codec.encode({
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, { type: 'string', value }])),
      body: payload,
    }),
  );
}

function streamOf(all: readonly EventStreamMessage[]): Buffer {
  return Buffer.concat(all.map(encode));
}

/** As AWS reads a stream. Throws where it would. */
function decode(stream: Buffer): readonly EventStreamMessage[] {
  const all: EventStreamMessage[] = [];
  for (let at = 0; at < stream.length; at += stream.readUInt32BE(at)) {
    const { headers, body } = codec.decode(stream.subarray(at, at + stream.readUInt32BE(at)));
    all.push({
      headers: Object.fromEntries(Object.entries(headers).map(([key, { value }]) => [key, String(value)])),
      payload: Buffer.from(body),
    });
  }
  return all;
}

function told(
  chunks: readonly Buffer[],
  limit?: number,
): { readonly all: readonly EventStreamMessage[]; readonly out: Buffer; readonly why: readonly Unread[] } {
  const all: EventStreamMessage[] = [];
  const why: Unread[] = [];
  const editor = createEventStreamEditor(
    ({ headers, payload }) => (all.push({ headers: { ...headers }, payload: Buffer.from(payload) }), 'same'),
    { ...(limit === undefined ? {} : { limit }), onUnread: (each) => why.push(each) },
  );
  return { out: pass(editor, chunks), all, why };
}

const message = (payload: string): Buffer =>
  encode({ headers: { ':event-type': 'chunk' }, payload: Buffer.from(payload) });

describe('messages', () => {
  test('are reported verbatim, with the stream cut anywhere', () => {
    fc.assert(
      fc.property(messages, places, (all, at) => {
        const stream = streamOf(all);
        expect(told(cutAt(stream, at))).toEqual({
          all: all.map(({ headers, payload }) => ({ headers: { ...headers }, payload })),
          out: stream,
          why: [],
        });
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('leave with their last octets, and not before', () => {
    fc.assert(
      fc.property(messages, places, (all, at) => {
        const stream = streamOf(all);
        const ends = all.map((_, n) => streamOf(all.slice(0, n + 1)).length);
        const editor = createEventStreamEditor(() => 'same');
        let came = 0;
        let left = 0;
        for (const chunk of cutAt(stream, at)) {
          came += chunk.length;
          left += editor.push(chunk).length;
          expect(left).toBe(Math.max(0, ...ends.filter((end) => end <= came)));
        }
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('that are not changed are not copied', () => {
    const editor = createEventStreamEditor(() => ({ before: [] }));
    const chunk = Buffer.concat([message('a'), message('b')]);
    expect(editor.push(chunk)).toBe(chunk);
  });

  test('that are changed are read by AWS with the new payload and the headers that they had', () => {
    fc.assert(
      fc.property(messages, places, (all, at) => {
        const out = pass(
          createEventStreamEditor(({ payload }) => ({ payload: Buffer.concat([payload, payload]) })),
          cutAt(streamOf(all), at),
        );
        expect(decode(out)).toEqual(
          all.map(({ headers, payload }) => ({ headers: { ...headers }, payload: Buffer.concat([payload, payload]) })),
        );
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('keep headers of each type byte for byte', () => {
    const headers = Buffer.from(
      '016100 016201 016302ff 0164038000 01650400000100 0166057fffffffffffffff 0167060002ff00 0168070002c3a9 016908000001991f000000 016a0900112233445566778899aabbccddeeff'.replaceAll(
        ' ',
        '',
      ),
      'hex',
    );
    const seen: Readonly<Record<string, string>>[] = [];
    const editor = createEventStreamEditor(
      ({ headers: each }) => (seen.push({ ...each }), { payload: Buffer.from('new') }),
    );
    expect(editor.push(joinMessage(headers, Buffer.from('old')))).toEqual(joinMessage(headers, Buffer.from('new')));
    expect(Object.values(seen[0] ?? {})).toEqual([
      'true',
      'false',
      '-1',
      '-32768',
      '256',
      '9223372036854775807',
      '/wA=',
      'é',
      '1757161717760',
      '00112233-4455-6677-8899-aabbccddeeff',
    ]);
  });

  test('may have others before them, and may be dropped', () => {
    fc.assert(
      fc.property(messages, messages, (all, before) => {
        const flat = (list: readonly EventStreamMessage[]): readonly EventStreamMessage[] =>
          list.map(({ headers, payload }) => ({ headers: { ...headers }, payload }));
        const edit = ({ payload }: EventStreamMessage): EventStreamEdit =>
          payload.length % 2 === 0 ? 'drop' : { before };
        const expected = all.filter(({ payload }) => payload.length % 2 === 1).flatMap((each) => [...before, each]);
        expect(decode(pass(createEventStreamEditor(edit), [streamOf(all)]))).toEqual(flat(expected));
      }),
    );
  });
});

describe('a damaged stream', () => {
  test('passes untouched from the damage on, without reports', () => {
    fc.assert(
      fc.property(
        fc.array(parts, { minLength: 1, maxLength: 5 }),
        fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })),
        places,
        (all, [where, flip], at) => {
          const stream = streamOf(all);
          const place = where % stream.length;
          stream[place] = (stream[place] ?? 0) ^ flip;
          const whole = all.filter((_, n) => streamOf(all.slice(0, n + 1)).length <= place).length;
          const seen = told(cutAt(stream, at));
          expect(seen.all.length).toBe(whole);
          expect(seen.out).toEqual(stream);
          expect(seen.why).toEqual(['damaged']);
          expect(() => decode(stream)).toThrow();
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('of any bytes stays the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), places, (octets, at) => {
        const seen = told(cutAt(Buffer.from(octets), at));
        expect(seen.out).toEqual(Buffer.from(octets));
        expect(seen.why.length).toBe(octets.length === 0 ? 0 : 1);
      }),
    );
  });

  test.each([
    ['a checksum that belongs to other lengths', Buffer.concat([Buffer.of(0, 0, 0, 17), message('').subarray(4)])],
    ['zeros', Buffer.alloc(40)],
    ['the highest octets', Buffer.alloc(40, 0xff)],
    ['text', Buffer.from('data: {"type":"content_block_delta"}\n\n')],
  ])('%s', (_, bytes) => {
    const stream = Buffer.concat([message('a'), bytes, message('b')]);
    for (const chunks of [[stream], bytesOneByOne(stream)]) {
      const { all, out, why } = told(chunks);
      expect([all.length, out, why]).toEqual([1, stream, ['damaged']]);
    }
  });

  test('is let go with the prelude, not at its end', () => {
    const editor = createEventStreamEditor(() => 'same');
    expect(editor.push(Buffer.alloc(11))).toEqual(Buffer.alloc(0));
    expect(editor.push(Buffer.alloc(1))).toEqual(Buffer.alloc(12));
    expect(editor.push(message('a'))).toEqual(message('a'));
  });

  test('is not one with invalid headers: the next message is read', () => {
    const stream = Buffer.concat([joinMessage(Buffer.from('ff', 'hex'), Buffer.from('a')), message('b')]);
    const { all, out, why } = told([stream]);
    expect([all.map(({ payload }) => payload.toString()), out, why]).toEqual([['b'], stream, ['damaged']]);
  });

  test('is one that ends in a message', () => {
    for (const length of [1, 11, 12, 13, message('a').length - 1])
      expect(told([message('a').subarray(0, length)])).toEqual({
        all: [],
        out: message('a').subarray(0, length),
        why: ['unfinished'],
      });
  });
});

describe('messages for the end of a stream', () => {
  const rest = [{ headers: { ':event-type': 'rest' }, payload: Buffer.from('held') }];
  const ended = (stream: Buffer): Buffer => {
    const left = [...rest];
    const out = pass(
      createEventStreamEditor(() => 'same', { rest: () => left.splice(0) }),
      [stream],
    );
    const again = [...rest];
    expect(
      pass(
        createEventStreamEditor(() => 'same', { rest: () => again.splice(0) }),
        bytesOneByOne(stream),
      ).equals(out),
    ).toBe(true);
    return out;
  };
  const damaged = message('two').map((octet, at, all) => (at === all.length - 1 ? octet ^ 1 : octet));

  test.each([
    ['that is whole', message('one'), Buffer.alloc(0)],
    ['that is empty', Buffer.alloc(0), Buffer.alloc(0)],
    ['that ends in a message', message('one'), message('two').subarray(0, -3)],
    ['that ends in a prelude', message('one'), message('two').subarray(0, 5)],
    ['with a wrong checksum', message('one'), Buffer.concat([damaged, message('three')])],
    ['with a wrong prelude', message('one'), Buffer.concat([Buffer.alloc(12), message('three')])],
  ])('%s go out ahead of messages that readers drop', (_, read, unread) => {
    expect(ended(Buffer.concat([read, unread])).equals(Buffer.concat([read, streamOf(rest), unread]))).toBe(true);
  });
});

describe('long messages', () => {
  test('over the limit go on as they come, and the next one is read', () => {
    const stream = Buffer.concat([message('x'.repeat(100)), message('a')]);
    for (const chunks of [[stream], bytesOneByOne(stream)]) {
      const { all, out, why } = told(chunks, 50);
      expect([all.map(({ payload }) => payload.toString()), out, why]).toEqual([['a'], stream, ['too-long']]);
    }
  });

  test('at exactly the limit are read', () => {
    expect(told([message('abc')], message('abc').length).why).toEqual([]);
    expect(told([message('abc')], message('abc').length - 1).why).toEqual(['too-long']);
  });

  test('are read as far as AWS lets a service send them', () => {
    const header = writeHeaders({ a: 'b' });
    const most = joinMessage(
      Buffer.concat([
        header,
        writeHeaders(Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`n${n}`, 'x'.repeat(32_000)]))),
      ]),
      Buffer.alloc(24 * 1024 * 1024),
    );
    expect(told([most]).why).toEqual([]);
    const more = joinMessage(header, Buffer.alloc(largestMessage));
    expect(told([more.subarray(0, 65_536), more.subarray(65_536)]).why).toEqual(['too-long']);
  });

  test('that are only announced are not held beyond the limit', () => {
    const editor = createEventStreamEditor(() => 'same', { limit: 100_000 });
    const begun = joinMessage(Buffer.alloc(0), Buffer.alloc(20_000_000));
    let held = 0;
    for (let at = 0; at < begun.length; at += 1000) {
      const chunk = begun.subarray(at, at + 1000);
      held += chunk.length - editor.push(chunk).length;
      expect(held).toBeLessThanOrEqual(100_000);
    }
    expect(held).toBe(0);
  });
});

function prelude(total: number, headers: number): Buffer {
  const lengths = Buffer.alloc(12);
  lengths.writeUInt32BE(total, 0);
  lengths.writeUInt32BE(headers, 4);
  lengths.writeUInt32BE(crc32(lengths.subarray(0, 8)), 8);
  return lengths;
}

describe('a prelude with the right checksum', () => {
  test.each([
    [16, 0],
    [17, 1],
    [0xffff_ffff, 0xffff_ffef],
  ])('of %d bytes with %d of headers is read', (total, headers) => {
    expect(readPrelude(prelude(total, headers))).toEqual({ total, headers });
  });

  test.each([
    [0, 0],
    [15, 0],
    [16, 1],
    [16, 0xffff_ffff],
    [0xffff_ffff, 0xffff_fff0],
  ])('of %d bytes with %d of headers is invalid', (total, headers) => {
    expect(readPrelude(prelude(total, headers))).toBeUndefined();
  });
});

test('a prelude with another checksum is invalid', () => {
  const wrong = prelude(16, 0);
  wrong.writeUInt32BE(wrong.readUInt32BE(8) ^ 1, 8);
  expect(readPrelude(wrong)).toBeUndefined();
});

describe('a message', () => {
  const message = joinMessage(Buffer.from('head'), Buffer.from('payload'));

  test('comes apart as it was joined', () => {
    expect(splitMessage(message)).toEqual({ headers: Buffer.from('head'), payload: Buffer.from('payload') });
  });

  test('with a byte more or fewer is invalid, also with a checksum for another length', () => {
    const longer = Buffer.concat([message.subarray(0, -4), Buffer.alloc(5)]);
    longer.writeUInt32BE(crc32(longer.subarray(0, -4)), longer.length - 4);
    for (const each of [
      longer,
      message.subarray(0, -1),
      Buffer.concat([message, Buffer.alloc(1)]),
      message.subarray(0, 12),
      Buffer.alloc(0),
    ])
      expect(splitMessage(each)).toBeUndefined();
  });
});
