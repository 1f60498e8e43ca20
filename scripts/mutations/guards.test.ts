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

test('a removed guard has a condition that is never true, and the rest is unchanged', () => {
  const [first, second] = guardsOf('a.ts', source);
  if (first === undefined || second === undefined) throw new Error('two guards expected');
  expect(withoutGuard(source, first).split('\n')[1]).toBe("  if (0 && (a.has('(') && !g(a))) return undefined;");
  expect(withoutGuard(source, second).split('\n')[5]).toBe(`  else if (0 && (a === ")")) throw new Error('x');`);
});

test('a sample is spread over all of them', () => {
  const guards = Array.from({ length: 10 }, (_, line) => ({ kind: 'if' as const, file: 'a.ts', line, text: '' }));
  expect(spread(guards, 5).map(({ line }) => line)).toEqual([0, 2, 4, 6, 8]);
  expect(spread(guards, 20)).toHaveLength(10);
});

test('rows are elements on their own lines', () => {
  const table = "const t = [\n  'a',\n  { name: 'b' },\n  ...others,\n  call('c'),\n];\n";
  const rows = guardsOf('t.ts', table, 'row');
  expect(rows.map(({ line }) => line)).toEqual([2, 3, 5]);
  expect(rows.map((row) => withoutGuard(table, row).split('\n').length)).toEqual([6, 6, 6]);
});
