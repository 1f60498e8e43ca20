import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha } from '../testing/values.ts';
import type { ExecutableField } from '../types.ts';
import { fieldDiff, scriptDiff } from './field-diff.ts';

const field = (path: string, value: string, effect: ExecutableField['effect'] = 'runs'): ExecutableField => ({
  path,
  effect,
  value,
});
type Fields = Readonly<{ fields: readonly ExecutableField[] }>;
const fields = (...all: readonly ExecutableField[]): Fields => ({ fields: all });

describe('changes between fields', () => {
  test.each<readonly [string, readonly [Fields, Fields], readonly unknown[]]>([
    ['nothing', [fields(field('a', '1')), fields(field('a', '1'))], []],
    [
      'a value',
      [fields(field('a', '1')), fields(field('a', '2'))],
      [{ path: 'a', effect: 'runs', before: '1', after: '2' }],
    ],
    ['one more', [fields(), fields(field('a', '1'))], [{ path: 'a', effect: 'runs', after: '1' }]],
    ['one less', [fields(field('a', '1')), fields()], [{ path: 'a', effect: 'runs', before: '1' }]],
    [
      'the effect',
      [fields(field('a', '1')), fields(field('a', '1', 'connects'))],
      [
        { path: 'a', effect: 'runs', before: '1' },
        { path: 'a', effect: 'connects', after: '1' },
      ],
    ],
    [
      'a key that now occurs twice',
      [fields(field('a', '1')), fields(field('a', '1'), field('a', '2'))],
      [{ path: 'a', effect: 'runs', after: '2' }],
    ],
    [
      'a key that now occurs twice with the same value',
      [fields(field('a', '1')), fields(field('a', '1'), field('a', '1'))],
      [{ path: 'a', effect: 'runs', after: '1' }],
    ],
    [
      'both values of a duplicate key',
      [fields(field('a', '1'), field('a', '2')), fields(field('a', '3'), field('a', '4'))],
      [
        { path: 'a', effect: 'runs', before: '1' },
        { path: 'a', effect: 'runs', before: '2' },
        { path: 'a', effect: 'runs', after: '3' },
        { path: 'a', effect: 'runs', after: '4' },
      ],
    ],
  ])('%s', (_name, [before, after], changes) => {
    expect(fieldDiff(before, after)).toEqual(changes);
  });

  test('everything is new without an approval', () => {
    expect(fieldDiff(undefined, fields(field('__proto__', '1')))).toEqual([
      { path: '__proto__', effect: 'runs', after: '1' },
    ]);
  });

  const some = fc.array(
    fc.record({
      path: fc.constantFrom('a', 'b', ''),
      effect: fc.constantFrom('runs' as const, 'permits' as const),
      value: fc.constantFrom('1', '2', '3'),
    }),
    { maxLength: 6 },
  );

  test('law: old fields, minus removed, plus added, equal the new ones', () => {
    const text = (all: readonly ExecutableField[]): readonly string[] =>
      all.map((each) => JSON.stringify([each.path, each.effect, each.value])).toSorted();
    fc.assert(
      fc.property(some, some, (before, after) => {
        const rest: ExecutableField[] = [...before];
        for (const { path, effect, before: gone, after: come } of fieldDiff({ fields: before }, { fields: after })) {
          if (gone !== undefined)
            rest.splice(
              rest.findIndex((each) => each.path === path && each.effect === effect && each.value === gone),
              1,
            );
          if (come !== undefined) rest.push({ path, effect, value: come });
        }
        expect(text(rest)).toEqual(text(after));
      }),
    );
  });

  test('law: a change is reported exactly where there is one', () => {
    fc.assert(
      fc.property(some, (before) => {
        expect(fieldDiff({ fields: before }, { fields: before.toReversed() })).toEqual([]);
      }),
    );
  });
});

test('scripts change by their hashes, appear and disappear', () => {
  const before = {
    scripts: [
      { path: 'same', sha256: sha('1') },
      { path: 'other', sha256: sha('1') },
      { path: 'gone', sha256: sha('1') },
      { path: 'out', sha256: sha('1') },
    ],
  };
  const after = {
    scripts: [
      { path: 'same', sha256: sha('1') },
      { path: 'other', sha256: sha('2') },
      { path: 'gone' },
      { path: 'in', sha256: sha('1') },
    ],
  };
  expect(scriptDiff(before, after)).toEqual([
    { path: 'other', before: sha('1'), after: sha('2') },
    { path: 'gone', before: sha('1'), after: 'not there' },
    { path: 'out', before: sha('1') },
    { path: 'in', after: sha('1') },
  ]);
  expect(scriptDiff(undefined, after)).toHaveLength(4);
});
