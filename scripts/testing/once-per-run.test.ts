import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { oncePerRun } from './once-per-run.ts';

const name = `once-per-run-${process.pid}`;

test('a thing that two tests request is made once', () => {
  const made: string[] = [];
  const make = (directory: string): void => {
    made.push(directory);
    writeFileSync(join(directory, 'a'), 'made');
  };
  const place = oncePerRun(name, make);
  expect(oncePerRun(name, make)).toBe(place);
  expect([made.length, readFileSync(join(place, 'a'), 'utf8')]).toEqual([1, 'made']);
});

test('of two made in parallel, the first stays', () => {
  const place = oncePerRun(`${name}-race`, (directory) => {
    writeFileSync(join(directory, 'a'), 'second');
    oncePerRun(`${name}-race`, (other) => writeFileSync(join(other, 'a'), 'first'));
  });
  expect(readFileSync(join(place, 'a'), 'utf8')).toBe('first');
});

test('a failed attempt is repeated next time', () => {
  expect(() =>
    oncePerRun(`${name}-late`, () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(
    readFileSync(
      join(
        oncePerRun(`${name}-late`, (directory) => writeFileSync(join(directory, 'a'), 'made')),
        'a',
      ),
      'utf8',
    ),
  ).toBe('made');
});
