import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainBytes } from './plain.ts';

/** What is said in words, one byte after the other. */
function slowly(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 9 || byte === 10 || (byte >= 0x20 && byte <= 0x7e));
}

describe('plain bytes', () => {
  test('every byte, at every place in a word and beside every edge', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      for (let at = 0; at < 40; at += 1) {
        const bytes = new Uint8Array(40).fill(0x61);
        bytes[at] = byte;
        expect(isPlainBytes(bytes), `${byte} at ${at}`).toBe(slowly(bytes));
      }
    }
  });

  test('every pair of bytes beside each other: no carry from one changes the answer for the other', () => {
    const bytes = new Uint8Array(16).fill(0x0a);
    for (let first = 0; first < 256; first += 1) {
      for (let second = 0; second < 256; second += 1) {
        bytes[5] = first;
        bytes[6] = second;
        if (isPlainBytes(bytes) !== slowly(bytes)) throw new Error(`${first} ${second}`);
      }
    }
  });

  test('a chunk at any offset in its memory, of any length', () => {
    const memory = new Uint8Array(64).fill(0x7e);
    memory[50] = 0x80;
    for (let from = 0; from < 20; from += 1)
      for (let to = from; to <= 64; to += 1) expect(isPlainBytes(memory.subarray(from, to))).toBe(to <= 50);
  });

  test('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.nat({ max: 3 }), (bytes, from) => {
        expect(isPlainBytes(bytes.subarray(from))).toBe(slowly(bytes.subarray(from)));
      }),
    );
  });
});
