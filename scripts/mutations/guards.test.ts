import { expect, test } from 'vitest';
import { guardsOf, spread, withoutGuard } from './guards.ts';

const source = `function f(a) {
  if (a.has('(') && !g(a)) return undefined;
  if (a) {
    b();
  }
  else if (a === ")") throw new Error('x');
  return a;
}
`;

test('guards are lines that return or throw at once', () => {
  expect(guardsOf('a.ts', source).map(({ line }) => line)).toEqual([2, 6]);
});

test('without a guard its condition is never true, and the rest is as it was', () => {
  const [first, second] = guardsOf('a.ts', source);
  if (first === undefined || second === undefined) throw new Error('two guards expected');
  expect(withoutGuard(source, first).split('\n')[1]).toBe("  if (false && (a.has('(') && !g(a))) return undefined;");
  expect(withoutGuard(source, second).split('\n')[5]).toBe(`  else if (false && (a === ")")) throw new Error('x');`);
});

test('a sample is spread over all of them', () => {
  const guards = Array.from({ length: 10 }, (_, line) => ({ file: 'a.ts', line, text: '' }));
  expect(spread(guards, 5).map(({ line }) => line)).toEqual([0, 2, 4, 6, 8]);
  expect(spread(guards, 20)).toHaveLength(10);
});
