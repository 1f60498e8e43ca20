import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { pointer } from '../../kernel/index.ts';
import { callerWords, mostWords } from './caller-words.ts';

interface Laid {
  readonly address: bigint;
  /** Keeps the buffers alive while the test reads them. */
  readonly memory: readonly Buffer[];
}

/** Lays out an argument vector in this process's memory. The test reads it like a caller's. */
function laid(words: readonly string[], end: 'null' | 'none' = 'null'): Laid {
  const texts = words.map((word) => Buffer.from(`${word}\0`, 'latin1'));
  const vector = Buffer.alloc(8 * (words.length + (end === 'null' ? 1 : 0)));
  for (const [index, text] of texts.entries()) vector.writeBigUInt64LE(pointer(text), index * 8);
  return { address: pointer(vector), memory: [vector, ...texts] };
}

const reader = callerWords();
const read = ({ address, memory }: Laid, most?: number) => {
  const found = reader.words(process.pid, address, most);
  expect(memory.length).toBeGreaterThan(0);
  return found;
};

describe('the words of a caller', () => {
  test.each([
    [[]],
    [['git']],
    [['git', 'push', '', '--force']],
    [['caf\xe9', '\xff\xfe', 'tab\tand\nline']],
    [['x'.repeat(255), 'y'.repeat(256), 'z'.repeat(257), 'w'.repeat(5000)]],
    [Array.from({ length: 33 }, (_, index) => `word ${index}`)],
    [Array.from({ length: 1000 }, (_, index) => 'long '.repeat(index % 60))],
  ])('are read as they are: %#', (words) => {
    expect(read(laid(words))).toEqual({ kind: 'words', words });
  });

  test('are empty without a vector', () => {
    expect(reader.words(process.pid, 0n)).toEqual({ kind: 'words', words: [] });
  });

  test('are cut to the requested number', () => {
    expect(read(laid(['git', 'push', 'origin']), 1)).toEqual({ kind: 'words', words: ['git'] });
    expect(read(laid([]), 1)).toEqual({ kind: 'words', words: [] });
  });

  test('are too long beyond the largest number of words', () => {
    const many = read(laid(Array.from({ length: mostWords + 1 }, () => 'x')));
    expect(many).toMatchObject({ kind: 'too-long' });
    expect(read(laid(Array.from({ length: mostWords - 1 }, () => 'x')))).toMatchObject({ kind: 'words' });
  });

  test('are too long beyond the largest number of bytes', () => {
    expect(read(laid(['git', 'x'.repeat(256 * 1024)]))).toEqual({ kind: 'too-long', words: ['git'] });
    expect(read(laid(Array.from({ length: 100 }, () => 'x'.repeat(4000))))).toMatchObject({ kind: 'too-long' });
    expect(read(laid(['git', 'x'.repeat(200 * 1024)]))).toMatchObject({ kind: 'words' });
  });

  test('are unreadable at an unmapped address', () => {
    expect(reader.words(process.pid, 16n)).toEqual({ kind: 'unreadable' });
    const vector = Buffer.alloc(24);
    const text = Buffer.from('git\0');
    vector.writeBigUInt64LE(pointer(text), 0);
    vector.writeBigUInt64LE(16n, 8);
    expect(reader.words(process.pid, pointer(vector))).toEqual({ kind: 'unreadable' });
    expect(text.length).toBe(4);
  });

  test('of an ended process are unreadable', () => {
    const { address, memory } = laid(['git']);
    expect(reader.words(0x3f_ffff, address)).toEqual({ kind: 'unreadable' });
    expect(memory.length).toBe(2);
  });
});
