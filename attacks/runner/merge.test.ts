import { expect, test } from 'vitest';
import { mergeResults } from './merge.ts';
import type { Result } from './perform.ts';

const one: Result = {
  name: 'fs-a',
  family: 'fs',
  title: '',
  source: '',
  user: 'root',
  backend: 'native',
  control: 'worked',
  outcome: { kind: 'failed', reasons: [] },
};

test('the later result of a trial counts; another user or backend is another trial', () => {
  const again: Result = { ...one, outcome: { kind: 'passed' } };
  const others: readonly Result[] = [
    { ...one, backend: 'gvisor' },
    { ...one, user: 'user' },
  ];
  expect(mergeResults([[one], others, [again]])).toEqual([again, ...others]);
  expect(mergeResults([[again], [one]])).toEqual([one]);
});

test('names are in order, for any order of the runs', () => {
  const names = ['fs-b', 'git-a', 'fs-a[x]'].map((name): Result => ({ ...one, name }));
  expect(mergeResults(names.map((result) => [result])).map(({ name }) => name)).toEqual(['fs-a[x]', 'fs-b', 'git-a']);
});
