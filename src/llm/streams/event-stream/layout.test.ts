import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { joinMessage, readPrelude, splitMessage } from './layout.ts';

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
  ])('of %d octets with %d of headers is read', (total, headers) => {
    expect(readPrelude(prelude(total, headers))).toEqual({ total, headers });
  });

  test.each([
    [0, 0],
    [15, 0],
    [16, 1],
    [16, 0xffff_ffff],
    [0xffff_ffff, 0xffff_fff0],
  ])('of %d octets with %d of headers is none', (total, headers) => {
    expect(readPrelude(prelude(total, headers))).toBeUndefined();
  });
});

test('a prelude with another checksum is none', () => {
  const wrong = prelude(16, 0);
  wrong.writeUInt32BE(wrong.readUInt32BE(8) ^ 1, 8);
  expect(readPrelude(wrong)).toBeUndefined();
});

describe('a message', () => {
  const message = joinMessage(Buffer.from('head'), Buffer.from('payload'));

  test('comes apart as it was joined', () => {
    expect(splitMessage(message)).toEqual({ headers: Buffer.from('head'), payload: Buffer.from('payload') });
  });

  test('with an octet more or fewer is none, nor is one whose sum is right for another length', () => {
    const longer = Buffer.concat([message.subarray(0, -4), Buffer.alloc(5)]);
    longer.writeUInt32BE(crc32(longer.subarray(0, -4)), longer.length - 4);
    for (const each of [longer, message.subarray(0, -1), Buffer.concat([message, Buffer.alloc(1)]), message.subarray(0, 12), Buffer.alloc(0)]) expect(splitMessage(each)).toBeUndefined();
  });
});
