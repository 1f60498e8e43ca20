import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestPayload, type FileOperation } from '../types.ts';
import { encodeCancel, encodeFileRequest } from './encode-request.ts';
import { operationCode } from './reply.ts';

const header = 14;

function fieldsOf(operation: FileOperation): string {
  const frame = encodeFileRequest({ id: 7, operations: [operation], stop: 'at-failure' });
  expect(frame.readUInt32LE(0)).toBe(frame.length - 4);
  expect(frame[header]).toBe(operationCode[operation.kind]);
  return frame.subarray(header + 1).toString('hex');
}

function hex(...parts: readonly string[]): string {
  return parts.join('');
}

/** A path on the wire: its length, its bytes, a NUL. */
function wire(path: string): string {
  const bytes = Buffer.from(path);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes, Buffer.alloc(1)]).toString('hex');
}

describe('one request', () => {
  test('is length, id, kind, what to do after a failure, count, operations', () => {
    const frame = encodeFileRequest({
      id: 0x01020304,
      operations: [
        { kind: 'unwatch', handle: 5 },
        { kind: 'readlink', path: 'ab' },
      ],
      stop: 'never',
    });
    expect(frame.toString('hex')).toBe(
      hex('17000000', '04030201', '01', '01', '02000000', '18', '05000000', '0e', wire('ab')),
    );
  });

  test('a cancel is a frame without payload', () => {
    expect(encodeCancel(9).toString('hex')).toBe(hex('05000000', '09000000', '02'));
  });
});

test.each<[FileOperation, string]>([
  [{ kind: 'read', path: 'a', offset: 0x1_0000_0002, length: 3 }, hex(wire('a'), '0200000001000000', '03000000')],
  [
    {
      kind: 'write',
      path: 'a',
      data: Buffer.from('xy'),
      flags: 0o1101,
      mode: 0o644,
      parents: 'make',
      replace: 'atomic',
    },
    hex(wire('a'), '41020000', 'a4010000', '01', '01', '02000000', '7879'),
  ],
  [
    { kind: 'open', path: 'a', flags: 2, mode: 0, parents: 'require', replace: 'in-place' },
    hex(wire('a'), '02000000', '00000000', '00', '00'),
  ],
  [
    { kind: 'writeAt', handle: 1, offset: -1, data: Buffer.from('z') },
    hex('01000000', 'ffffffffffffffff', '01000000', '7a'),
  ],
  [{ kind: 'close', handle: 1, how: 'sync' }, hex('01000000', '02')],
  [
    { kind: 'copy', from: 'a', to: 'b', tree: 'whole', existing: 'refuse', preserve: 'all', symlink: 'itself' },
    hex(wire('a'), wire('b'), '01', '02', '01', '01'),
  ],
  [{ kind: 'rename', from: 'a', to: 'b', existing: 'exchange' }, hex(wire('a'), wire('b'), '02')],
  [{ kind: 'symlink', text: '../x', path: 'b' }, hex(wire('../x'), wire('b'))],
  [
    { kind: 'times', path: 'a', accessed: -1n, modified: 'now', symlink: 'follow' },
    hex(wire('a'), 'ffffffffffffffff', 'ffc99a3b', '0000000000000000', 'ffffff3f', '00'),
  ],
  [
    { kind: 'times', path: 'a', accessed: 'leave', modified: 1_000_000_001n, symlink: 'itself' },
    hex(wire('a'), '0000000000000000', 'feffff3f', '0100000000000000', '01000000', '01'),
  ],
  [{ kind: 'owner', path: 'a', uid: -1, gid: 5, symlink: 'itself' }, hex(wire('a'), 'ffffffff', '05000000', '01')],
  [
    { kind: 'temporary', type: 'directory', directory: 'd', prefix: 'p', suffix: '' },
    hex(wire('d'), wire('p'), wire(''), '01'),
  ],
  [{ kind: 'remove', path: 'ä', tree: 'single', missing: 'ignore' }, hex('02000000c3a400', '00', '01')],
])('%o', (operation, fields) => {
  expect(fieldsOf(operation)).toBe(fields);
});

describe('bytes of names', () => {
  test('that are no UTF-8 stay as they are', () => {
    expect(fieldsOf({ kind: 'readlink', path: Buffer.from('ff00fe', 'hex') })).toBe(hex('03000000', 'ff00fe', '00'));
  });

  test('any text arrives as its UTF-8', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 3000 }), (path) => {
        expect(fieldsOf({ kind: 'readlink', path })).toBe(wire(path));
      }),
    );
  });
});

test.each<[string, FileOperation]>([
  ['a negative offset', { kind: 'read', path: 'a', offset: -1, length: 1 }],
  ['a fraction', { kind: 'truncate', path: 'a', length: 1.5 }],
  ['a size beyond 2⁵³', { kind: 'truncate', path: 'a', length: 2 ** 60 }],
  ['NaN as a mode', { kind: 'mode', path: 'a', mode: Number.NaN }],
  ['a negative handle', { kind: 'unwatch', handle: -1 }],
  ['too much to read', { kind: 'read', path: 'a', offset: 0, length: largestPayload + 1 }],
  ['too much to write', { kind: 'writeAt', handle: 0, offset: 0, data: Buffer.alloc(largestPayload + 1) }],
  ['a word that is none', { kind: 'stat', path: 'a', symlink: 'folow' as 'follow' }],
  ['a time beyond 64 bits', { kind: 'times', path: 'a', accessed: 2n ** 100n, modified: 'now', symlink: 'follow' }],
])('%s is refused before it is sent', (_, operation) => {
  expect(() => encodeFileRequest({ id: 1, operations: [operation], stop: 'never' })).toThrow(
    expect.objectContaining({ code: 'HF_USAGE' }),
  );
});

test('a request larger than a frame is refused before it is sent', () => {
  const write: FileOperation = { kind: 'writeAt', handle: 0, offset: 0, data: Buffer.alloc(largestPayload) };
  expect(encodeFileRequest({ id: 1, operations: [write, write, write], stop: 'never' }).length).toBeGreaterThan(
    3 * largestPayload,
  );
  expect(() => encodeFileRequest({ id: 1, operations: [write, write, write, write], stop: 'never' })).toThrow(
    expect.objectContaining({ code: 'HF_USAGE' }),
  );
});
