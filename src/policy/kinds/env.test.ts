import { expect, test } from 'vitest';
import { textIndex } from './env.ts';

const entry = (pattern: string, order: number, wildcards: 'cover-all' | 'spare-guarded' = 'cover-all') => ({
  pattern,
  order,
  value: pattern,
  wildcards,
});

test('finds exact names and wildcards', () => {
  const index = textIndex([entry('PATH', 0), entry('LC_*', 1), entry('A?', 2)]);
  expect(index.first('PATH', 'plain')?.value).toBe('PATH');
  expect(index.first('LC_ALL', 'plain')?.value).toBe('LC_*');
  expect(index.first('AB', 'plain')?.value).toBe('A?');
  expect(index.first('path', 'plain')).toBeUndefined();
  expect(index.first('LC', 'plain')).toBeUndefined();
});

test('the lowest order wins, in whatever order they are given', () => {
  const entries = [entry('A*', 2), entry('AB', 1), entry('*B', 0), entry('AB', 3)];
  for (const list of [entries, entries.toReversed()]) {
    expect(textIndex(list).first('AB', 'plain')?.value).toBe('*B');
    expect(textIndex(list.filter(({ order }) => order > 0)).first('AB', 'plain')?.order).toBe(1);
    expect(textIndex(list.filter(({ order }) => order > 1)).first('AB', 'plain')?.order).toBe(2);
  }
});

test('only an exact name passes a guarded variable', () => {
  const index = textIndex([entry('*', 0, 'spare-guarded'), entry('TOKEN', 1, 'spare-guarded')]);
  expect(index.first('TOKEN', 'plain')?.order).toBe(0);
  expect(index.first('TOKEN', 'guarded')?.order).toBe(1);
  expect(index.first('OTHER', 'guarded')).toBeUndefined();
});

test('denials cover guarded variables by wildcards too', () => {
  expect(textIndex([entry('*', 0, 'cover-all')]).first('TOKEN', 'guarded')?.order).toBe(0);
});
