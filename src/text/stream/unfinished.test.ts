import { describe, expect, test } from 'vitest';
import { unfinishedBytes } from './unfinished.ts';

describe('a character that is not all there', () => {
  test.each([
    ['', 0],
    ['61', 0],
    ['c3', 1],
    ['61c3', 1],
    ['c3a9', 0],
    ['e2', 1],
    ['e282', 2],
    ['e282ac', 0],
    ['f0', 1],
    ['f09f', 2],
    ['f09f98', 3],
    ['f09f9880', 0],
    ['80', 0],
    ['808080', 0],
    ['e28261', 0],
    ['f5', 0],
    ['ff', 0],
    ['f59f', 0],
  ])('%s: %d bytes', (hex, expected) => {
    expect(unfinishedBytes(Uint8Array.from(Buffer.from(hex, 'hex')))).toBe(expected);
  });

  test('the two parts decode as the whole does, for every text and every cut', () => {
    const bytes = Buffer.concat([Buffer.from('aé€😀'), Buffer.from([0xe2, 0x28, 0xf4, 0x90, 0x80, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf0, 0x9f]), Buffer.from('z')]);
    const decode = (part: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const end = cut - unfinishedBytes(bytes.subarray(0, cut));
      expect(decode(bytes.subarray(0, end)) + decode(bytes.subarray(end))).toBe(decode(bytes));
    }
  });
});
