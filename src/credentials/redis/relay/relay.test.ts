import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLateWriter } from './relay.ts';
import { createTurnEnd } from '../../wire/turn-end.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const turnOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function scene(options: { readonly highWaterMark?: number } = {}) {
  const target = new PassThrough(options);
  const turn = createTurnEnd();
  const told: string[] = [];
  const writer = createLateWriter(target, { turn, full: () => void told.push('full') });
  return { target, turn, told, writer };
}

describe('a late write', () => {
  test('is written at the end of the turn, whole and in its order', async () => {
    const { target, writer, told } = scene();
    writer.write([bytes('a'), bytes('')]);
    writer.write([]);
    writer.write([bytes('b'), bytes('c')]);
    expect(target.readableLength).toBe(0);
    await turnOver();
    expect([String(target.read()), told]).toEqual(['abc', []]);
  });

  test('is written at once where the side is about to end, and not again', async () => {
    const { target, writer } = scene();
    writer.write([bytes('a')]);
    writer.flush();
    target.end();
    await turnOver();
    expect(String(target.read())).toBe('a');
  });

  test('waits for the next turn where it comes while others are written', async () => {
    const { target, turn, writer } = scene();
    turn.add(() => writer.write([bytes('late')]));
    await turnOver();
    await turnOver();
    expect(String(target.read())).toBe('late');
  });

  test('tells who reads that the side is full', async () => {
    const { writer, told } = scene({ highWaterMark: 4 });
    writer.write([bytes('1234567890')]);
    await turnOver();
    expect(told).toEqual(['full']);
  });

  test('goes nowhere where the side is gone', async () => {
    const { target, writer, told } = scene();
    writer.write([bytes('a')]);
    target.destroy();
    await turnOver();
    expect(told).toEqual([]);
  });

  test('of several connections happens after all of them were heard', async () => {
    const turn = createTurnEnd();
    const order: string[] = [];
    for (const name of ['a', 'b', 'c']) turn.add(() => void order.push(`write ${name}`));
    order.push('all heard');
    await turnOver();
    expect(order).toEqual(['all heard', 'write a', 'write b', 'write c']);
  });
});
