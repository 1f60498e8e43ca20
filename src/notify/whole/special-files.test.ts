import { closeSync, openSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { kernelCall, oPath } from '../../kernel/index.ts';
import { openTerminals } from './special-files.ts';

const numberOf = (master: number): string => {
  const number = Buffer.alloc(4);
  kernelCall('ioctl', master, 0x8004_5430, number);
  return String(number.readUInt32LE(0));
};
const open = (): number => openSync('/dev/ptmx', 'r+');

function opened(): ReturnType<typeof openTerminals> {
  const root = openSync('/', oPath);
  onTestFinished(() => closeSync(root));
  return openTerminals(root, onTestFinished);
}

test('a terminal belongs to the box while it exists, even if its number is reused', () => {
  const terminals = opened();
  const numbers = Array.from({ length: 20 }, () => {
    const master = open();
    terminals.note(master);
    return { master, number: numberOf(master) };
  });
  for (const { number } of numbers) expect(terminals.at(number), number).toBeDefined();
  for (const { master } of numbers) closeSync(master);
  const others = numbers.map(open);
  onTestFinished(() => others.forEach((other) => closeSync(other)));
  const again = others.map(numberOf).filter((number) => numbers.some((before) => before.number === number));
  expect(again.length).toBeGreaterThan(0);
  for (const number of again) expect(terminals.at(number), number).toBeUndefined();
});

test('terminals beyond the limit are refused until some are closed', () => {
  const terminals = opened();
  const masters: number[] = [];
  onTestFinished(() => masters.forEach((master) => closeSync(master)));
  const make = (): void => {
    masters.push(open());
    terminals.note(masters.at(-1) ?? -1);
  };
  expect(() => {
    for (let count = 0; count < 300; count += 1) make();
  }).toThrow(expect.objectContaining({ errno: 28 }));
  expect(masters.length).toBe(257);
  for (const master of masters.splice(0, 2)) closeSync(master);
  expect(make).not.toThrow();
});
