import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReportReader, type LauncherReport } from './reports.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function frame(kind: number, payload: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(payload);
  const header = Buffer.alloc(5);
  header.writeUInt32LE(bytes.length + 1);
  header[4] = kind;
  return Buffer.concat([header, bytes]);
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

const failure = Buffer.concat([numbers(13), Buffer.from('open source\0/a b/ü\0')]);
/** Device 5, inode 7, born at 9. */
function hit(effect: number, symlink: number, path: string): Buffer {
  const head = Buffer.alloc(26);
  head.writeBigUInt64LE(5n, 0);
  head.writeBigUInt64LE(7n, 8);
  head.writeBigUInt64LE(9n, 16);
  head[24] = effect;
  head[25] = symlink;
  return Buffer.concat([head, Buffer.from(path)]);
}

const everyReport: readonly (readonly [Buffer, LauncherReport])[] = [
  [frame(1, numbers(7, 12)), { kind: 'started', landlockAbi: 7, initPid: 12 }],
  [frame(2, failure), { kind: 'failed', stage: 'open source', path: '/a b/ü', errno: 13 }],
  [frame(3, numbers(3, 0)), { kind: 'exit', code: 3, signal: 0 }],
  [frame(3, numbers(0, 9)), { kind: 'exit', code: 0, signal: 9 }],
  [
    frame(4, hit(0, 0, '/w/.git')),
    { kind: 'protected', identity: '5:7', born: '9', effect: 'pinned', symlink: 'none', path: Buffer.from('/w/.git') },
  ],
  [
    frame(4, hit(1, 1, '/w/.git/hooks')),
    {
      kind: 'protected',
      identity: '5:7',
      born: '9',
      effect: 'read-only',
      symlink: 'symlink',
      path: Buffer.from('/w/.git/hooks'),
    },
  ],
  [
    frame(4, hit(2, 0, '/w/.env')),
    { kind: 'protected', identity: '5:7', born: '9', effect: 'hidden', symlink: 'none', path: Buffer.from('/w/.env') },
  ],
  [frame(5, Buffer.from([0x2f, 0xff])), { kind: 'appeared', path: Buffer.from([0x2f, 0xff]) }],
  [frame(6, 'tail'), { kind: 'tail', bytes: Buffer.from('tail') }],
  [frame(7), { kind: 'timeout' }],
  [frame(9, numbers(17)), { kind: 'listener', descriptor: 17 }],
  [frame(10, Buffer.from([0x2f, 0xfe])), { kind: 'refused', path: Buffer.from([0x2f, 0xfe]) }],
  [frame(11), { kind: 'found' }],
  [
    frame(12, Buffer.concat([numbers(7), Buffer.from('{"listener":"dns"}')])),
    { kind: 'handle', descriptor: 7, text: '{"listener":"dns"}' },
  ],
  [
    frame(12, Buffer.concat([numbers(0xffffffff), Buffer.from('{"forward":1}')])),
    { kind: 'handle', text: '{"forward":1}' },
  ],
  [
    frame(13, Buffer.from([2, 1, 0x2f, 0xff])),
    { kind: 'covered', effect: 'hidden', change: 'appeared', path: Buffer.from([0x2f, 0xff]) },
  ],
  [
    frame(13, Buffer.from([1, 0, 0x2f])),
    { kind: 'covered', effect: 'read-only', change: 'replaced', path: Buffer.from('/') },
  ],
];
const stream = Buffer.concat(everyReport.map(([bytes]) => bytes));
const reports = everyReport.map(([, report]) => report);

/** Cuts bytes at arbitrary places; neighbouring cuts give empty chunks. */
const chunks = fc.array(fc.nat(stream.length), { maxLength: 40 }).map((cuts) => {
  const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
  return places.slice(1).map((end, index) => stream.subarray(places[index], end));
});

describe('ReportReader', () => {
  test.each(everyReport)('reads %o as %o', (bytes, report) => {
    expect(new ReportReader().push(bytes)).toEqual([report]);
  });

  test('reads the same however the stream is cut', () => {
    fc.assert(
      fc.property(chunks, (parts) => {
        const reader = new ReportReader();
        expect(parts.flatMap((part) => reader.push(part))).toEqual(reports);
      }),
    );
  });

  test('keeps a frame until it is whole', () => {
    const reader = new ReportReader();
    for (const byte of frame(6, 'tail').subarray(0, -1)) expect(reader.push(Buffer.from([byte]))).toEqual([]);
    expect(reader.push(Buffer.from('l'))).toEqual([{ kind: 'tail', bytes: Buffer.from('tail') }]);
  });

  test.each([
    ['an empty frame', Buffer.alloc(5)],
    ['a giant frame', Buffer.from('ffffffff06', 'hex')],
    ['a frame of a megabyte and one', Buffer.from('0100100006', 'hex')],
    ['an unknown kind', frame(0)],
    ['the report that init sends to the launcher only', frame(8)],
    ['a listener without its number', frame(9, Buffer.from([1]))],
    ['what init lends the launcher only', frame(14)],
    ['a kind that is too new', frame(15)],
    ['a handle without its number', frame(12, 'x')],
    ['an exit without its signal', frame(3, numbers(1))],
    ['a start without its ABI', frame(1, 'x')],
    ['an empty failure', frame(2)],
    ['a failure without a stage', frame(2, numbers(1))],
    ['a failure without a path', frame(2, Buffer.concat([numbers(1), Buffer.from('stage\0path')]))],
  ])('throws on %s', (_name, bytes) => {
    expect(() => new ReportReader().push(bytes)).toThrow(RangeError);
  });

  test('gives reports or a RangeError for any bytes, and nothing else', () => {
    const kinds = new Set(reports.map(({ kind }) => kind));
    const almost = fc
      .tuple(fc.nat(40), fc.nat(13), fc.uint8Array({ maxLength: 40 }))
      .map(([size, kind, payload]) => Buffer.concat([numbers(size), Buffer.from([kind]), payload]));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), almost), { maxLength: 8 }), (parts) => {
        const reader = new ReportReader();
        for (const part of parts) {
          try {
            for (const report of reader.push(Buffer.from(part))) expect(kinds).toContain(report.kind);
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
            return;
          }
        }
      }),
      { numRuns: rounds(2000) },
    );
  });
});
