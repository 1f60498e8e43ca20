import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost, growth, linear } from '../../../scripts/testing/work-time.ts';
import type { SurfaceField } from '../types.ts';
import { parseJson } from './json.ts';
import { matchFields } from './match-fields.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const runs = (path: string): SurfaceField => ({ path, effect: 'runs' });

function found(document: unknown, ...patterns: readonly SurfaceField[]): readonly string[] {
  const fields: string[] = [];
  matchFields(parseJson(JSON.stringify(document)).value, patterns, ({ path, text, pattern }) =>
    fields.push(`${path.join('/')}=${text} ${pattern.effect}`),
  );
  return fields;
}

describe('matchFields', () => {
  test.each([
    ['a.b', { a: { b: 1, c: 2 } }, ['a/b=1 runs']],
    ['a.*.c', { a: { x: { c: 1 }, y: { d: 2 } } }, ['a/x/c=1 runs']],
    ['**.c', { c: 1, a: { c: 2, b: [{ c: 3 }] } }, ['c=1 runs', 'a/c=2 runs', 'a/b/0/c=3 runs']],
    ['a.**', { a: 1, b: 2 }, ['a=1 runs']],
    ['a', { a: { b: [1, { c: 2 }] } }, ['a/b/0=1 runs', 'a/b/1/c=2 runs']],
    ['a\\.b', { 'a.b': 1, a: { b: 2 } }, ['a.b=1 runs']],
    ['php\\.*Path', { 'php.validate.executablePath': 'x', php: 1 }, ['php.validate.executablePath=x runs']],
    ['a.*', { a: 1 }, []],
    ['**.a.**.b', { a: { b: 1, a: { b: 2 } } }, ['a/b=1 runs', 'a/a/b=2 runs']],
    ['__proto__.x', { ['__proto__']: { x: 1 } }, ['__proto__/x=1 runs']],
  ])('%s', (path, document, expected) => {
    expect(found(document, runs(path))).toEqual(expected);
  });

  test('the first matching pattern gives the effect, and each field is listed once', () => {
    expect(
      found({ a: { url: 'u', x: 'y' } }, { path: 'a.url', effect: 'connects' }, runs('a.**'), {
        path: '**',
        effect: 'permits',
      }),
    ).toEqual(['a/url=u connects', 'a/x=y runs']);
  });

  test('`**` finds every scalar of any document, once', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (document) => {
        const scalars = (value: unknown): number =>
          typeof value === 'object' && value !== null
            ? Object.values(value).reduce<number>((sum, inner) => sum + scalars(inner), 0)
            : 1;
        expect(found(document, runs('**'), runs('**.**')).length).toBe(scalars(document));
      }),
      { numRuns: rounds(200) },
    );
  });

  test('patterns and keys made to be slow take linear time', async () => {
    expect(await growth((length) => found({ ['a'.repeat(length)]: 1 }, runs('*a*a*a*a*b')), 100_000)).toBeLessThan(
      linear,
    );
    let deep: unknown = 1;
    for (let depth = 0; depth < 90; depth += 1) deep = { a: deep, b: deep === 1 ? 1 : 2 };
    atMost(2000, () => found(deep, ...Array.from({ length: 20 }, () => runs('**.a.**.a.**.a.**.c'))));
  });
});
