import { describe, expect, test } from 'vitest';
import { watchFor } from '../testing/watches.ts';
import { gateOf } from './gate.ts';
import type { Inspection } from './splice.ts';

const word = 'phantom_EXAMPLE';
const nothing = Buffer.alloc(0);

/** Wants to see a line; `NO` is refused. */
function inspect(bytes: Buffer): Inspection {
  if (!bytes.includes('\n')) return { kind: 'more' };
  return bytes.includes('NO') ? { kind: 'refuse', lastWords: nothing } : { kind: 'pass' };
}

describe('with an inspection', () => {
  const made = () => gateOf(watchFor(word), inspect);

  test('nothing passes before it, and then all of it', () => {
    const gate = made();
    expect(gate.push(Buffer.from('hal'))).toEqual(nothing);
    expect(gate.push(Buffer.from('f\nand more'))).toEqual(Buffer.from('half\nand more'));
    expect(gate.push(Buffer.from('more'))).toEqual(Buffer.from('more'));
  });

  test('what it refuses stops', () => {
    expect(made().push(Buffer.from('NO\n'))).toBe('stop');
  });

  test('what was held back is watched as well', () => {
    const gate = made();
    expect(gate.push(Buffer.from(word.slice(0, 6)))).toEqual(nothing);
    expect(gate.push(Buffer.from(`${word.slice(6)}\n`))).toBe('stop');
  });

  // Attack: half a hello, a pause, and the other half with another name in it.
  test('a pause releases nothing of what has not been inspected', () => {
    const gate = made();
    gate.push(Buffer.from('half'));
    expect(gate.pause()).toEqual(nothing);
    expect(gate.push(Buffer.from(' NO\n'))).toBe('stop');
  });

  test('the end gives what was held back on either account', () => {
    const half = made();
    half.push(Buffer.from(`half ${word.slice(0, 5)}`));
    expect(half.end()).toEqual(Buffer.from(`half ${word.slice(0, 5)}`));
    expect(made().end()).toEqual(nothing);
  });
});

describe('without one', () => {
  test('a pause releases what the watch holds back, which it still knows of', () => {
    const gate = gateOf(watchFor(word));
    expect(gate.push(Buffer.from('a phan'))).toEqual(Buffer.from('a '));
    expect(gate.pause()).toEqual(Buffer.from('phan'));
    expect(gate.push(Buffer.from('tom_'))).toEqual(nothing);
    expect(gate.push(Buffer.from('EXAMPLE'))).toBe('stop');
  });

  test.each([
    ['what was held back', { push: (): 'stop' => 'stop', end: () => nothing }],
    ['the end', { push: (bytes: Buffer) => bytes, end: (): 'stop' => 'stop' }],
  ])('the end may stop, for %s', (_, watch) => {
    const gate = gateOf(watch, inspect);
    gate.push(Buffer.from('held'));
    expect(gate.end()).toBe('stop');
  });
});
