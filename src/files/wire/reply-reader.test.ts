import { array, assert, nat, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import type { FileResult } from '../types.ts';
import type { WorkerReply } from './reply.ts';
import { WorkerReplyReader } from './reply-reader.ts';
import { errorFrame, eventFrame, frame, frameOf, helloFrame, u32, type SentReply } from './testing/frames.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const greeting: WorkerReply = {
  kind: 'hello',
  version: 1,
  limits: { largestFrame: 1_048_576, largestPayload: 262_144, handles: 256, watches: 64 },
};

function read(...chunks: readonly Buffer[]): WorkerReply[] {
  const reader = new WorkerReplyReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
}

function result(id: number, index: number, value: FileResult = { kind: 'done' }): SentReply {
  return { kind: 'result', id, index, result: value };
}

const protocolError = expect.objectContaining({ code: 'HF_FILES_PROTOCOL' });

const stat = {
  type: 'file',
  mode: 0o100644,
  links: 1,
  uid: 1000,
  gid: 1000,
  blockSize: 4096,
  size: 2n ** 40n,
  inode: 2n ** 63n,
  device: 66n,
  specialDevice: 0n,
  blocks: 8n,
  accessed: -1n,
  modified: 1_700_000_000_123_456_789n,
  changed: 0n,
  born: 13_000_000_000_000_000_001n,
} as const;

describe('every reply comes back as it was', () => {
  test.each<FileResult>([
    { kind: 'done' },
    { kind: 'data', size: 2 ** 50, data: Buffer.from([0, 255]) },
    { kind: 'opened', handle: 4_294_967_295 },
    { kind: 'written', length: 262_144 },
    { kind: 'path', path: Buffer.from([0xff, 0x2f]) },
    { kind: 'stat', stat },
    {
      kind: 'entries',
      more: 3,
      entries: [
        { name: Buffer.from('a\nb'), type: 'symlink' },
        { name: Buffer.from([0x80]), type: 'file', stat },
      ],
    },
    { kind: 'entries', more: 0, entries: [] },
    { kind: 'failed', errno: 2, syscall: 'open', path: Buffer.from('/srv/project/x') },
  ])('$kind', (value) => {
    expect(read(helloFrame(), frameOf(result(1, 0, value)))).toEqual([greeting, result(1, 0, value)]);
  });

  test('events between the results of a request', () => {
    const event: SentReply = { kind: 'event', event: { handle: 1, event: 'moved-to', path: Buffer.from('a') } };
    const replies = [
      result(1, 0),
      event,
      result(1, 1),
      { kind: 'end', id: 1, done: 2 } as const,
      { kind: 'end', id: 2, done: 0 } as const,
      result(1, 0),
    ];
    expect(read(helloFrame(), ...replies.map(frameOf))).toEqual([greeting, ...replies]);
  });

  test('wherever the stream is cut', () => {
    const replies = [
      result(1, 0, { kind: 'stat', stat }),
      result(1, 1, { kind: 'data', size: 9, data: Buffer.alloc(5000, 'x') }),
      { kind: 'end', id: 1, done: 2 } as const,
    ];
    const bytes = Buffer.concat([helloFrame(), ...replies.map(frameOf)]);
    assert(
      property(array(nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(read(...chunks)).toEqual([greeting, ...replies]);
      }),
    );
  });

  test('a large frame that comes byte by byte costs no more than its size', async () => {
    const work = (size: number): void => {
      const bytes = frameOf(result(1, 0, { kind: 'data', size: 1, data: Buffer.alloc(size) }));
      const reader = new WorkerReplyReader();
      reader.push(helloFrame());
      expect(Array.from(bytes, (_, i) => reader.push(bytes.subarray(i, i + 1))).flat()).toHaveLength(1);
    };
    expect(await growth(work, 200_000)).toBeLessThan(linear);
  });
});

describe('messages that the worker must not send', () => {
  test.each<[string, readonly Buffer[]]>([
    ['text', [Buffer.from('panic: at the disco\n')]],
    ['a result before the greeting', [frameOf(result(1, 0))]],
    ['a second greeting', [helloFrame(), helloFrame()]],
    ['another magic number', [helloFrame({ magic: 1 })]],
    ['another version', [helloFrame({ version: 2 })]],
    ['an unknown kind of frame', [helloFrame(), frame(0, 99, [])]],
    ['a frame without a kind', [helloFrame(), u32(4), u32(0)]],
    ['a frame of 4 GiB', [helloFrame(), u32(0xffff_ffff)]],
    ['a frame above the limit', [helloFrame(), u32(1024 * 1024 + 1)]],
    ['a result of unknown kind', [helloFrame(), frame(1, 2, [u32(0), Buffer.from([42])])]],
    ['a result that is cut short', [helloFrame(), frame(1, 2, [u32(0), Buffer.from([2, 0])])]],
    ['a result with trailing bytes', [helloFrame(), frame(1, 2, [u32(0), Buffer.from([0, 0])])]],
    ['an end with trailing bytes', [helloFrame(), frame(1, 3, [u32(0), u32(0)])]],
    ['a stat of an unknown type', [helloFrame(), frame(1, 2, [u32(0), Buffer.from([5, 77])])]],
    [
      'a name that is longer than its frame',
      [helloFrame(), frame(1, 2, [u32(0), Buffer.from([6]), u32(0), Buffer.from([1, 255, 255, 65])])],
    ],
    [
      'a size that is not a number',
      [helloFrame(), frame(1, 2, [u32(0), Buffer.from([1]), u32(0xffff_ffff), u32(0xffff_ffff)])],
    ],
    ['an unknown event', [helloFrame(), eventFrame(1, 88, 'a')]],
    ['a result that skips one', [helloFrame(), frameOf(result(1, 1))]],
    ['a result twice', [helloFrame(), frameOf(result(1, 0)), frameOf(result(1, 0))]],
    ['a result of another request in between', [helloFrame(), frameOf(result(1, 0)), frameOf(result(2, 0))]],
    ['the end of another request', [helloFrame(), frameOf(result(1, 0)), frameOf({ kind: 'end', id: 2, done: 0 })]],
    [
      'an end that counts one too many',
      [helloFrame(), frameOf(result(1, 0)), frameOf({ kind: 'end', id: 1, done: 2 })],
    ],
    ['an end that forgets one', [helloFrame(), frameOf(result(1, 0)), frameOf({ kind: 'end', id: 1, done: 0 })]],
  ])('%s', (_, chunks) => {
    expect(() => read(...chunks)).toThrow(protocolError);
  });

  test('its own complaint is a reply', () => {
    expect(read(helloFrame(), errorFrame('a request is malformed'))).toEqual([
      greeting,
      { kind: 'error', message: 'a request is malformed' },
    ]);
  });

  test('after one wrong byte nothing is believed any more', () => {
    const reader = new WorkerReplyReader();
    expect(() => reader.push(Buffer.from('xxxxxxxxxxxxxxxx'))).toThrow(protocolError);
    expect(() => reader.push(helloFrame())).toThrow(protocolError);
  });

  test('any bytes are replies or HF_FILES_PROTOCOL, and nothing else', () => {
    assert(
      property(uint8Array({ maxLength: 300 }), uint8Array({ maxLength: 300 }), (first, second) => {
        expectReplies([Buffer.from(first), Buffer.from(second)]);
        expectReplies([helloFrame(), Buffer.from(first), Buffer.from(second)]);
        expectReplies([helloFrame(), frame(1, (first[0] ?? 0) % 7, [Buffer.from(second)])]);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('changed bytes of true replies are replies or HF_FILES_PROTOCOL', () => {
    const bytes = Buffer.concat([
      helloFrame(),
      frameOf(result(1, 0, { kind: 'entries', more: 0, entries: [{ name: Buffer.from('a'), type: 'file', stat }] })),
      frameOf({ kind: 'end', id: 1, done: 1 }),
    ]);
    assert(
      property(nat(bytes.length - 1), nat(255), nat(bytes.length), (at, value, end) => {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        expectReplies([changed.subarray(0, end), changed.subarray(end)]);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

function expectReplies(chunks: readonly Buffer[]): void {
  try {
    for (const reply of read(...chunks)) expect(['hello', 'result', 'end', 'event', 'error']).toContain(reply.kind);
  } catch (error) {
    expect(error).toEqual(protocolError);
  }
}
