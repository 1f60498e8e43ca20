import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillableTemplate } from './fillable-template.ts';

const marks = ['@one@', '@two@'] as const;
const texts = { '@one@': 'a-1.b', '@two@': '$&$1"\\' };

test('a filled template is what replacing in its text gives, each time', () => {
  const text = fc.array(fc.constantFrom('x', '"', '\\', '@one', ...marks)).map((parts) => parts.join(''));
  const { tree } = fc.letrec((tie) => ({ tree: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.constant(null), fc.array(tie('tree')), fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree'))) }));
  fc.assert(
    fc.property(tree, (value) => {
      const json = JSON.stringify(value);
      const fill = fillableTemplate(json, marks);
      const expected = JSON.parse(json.replaceAll(marks[0], () => texts[marks[0]]).replaceAll(marks[1], () => JSON.stringify(texts[marks[1]]).slice(1, -1))) as unknown;
      expect(fill(texts)).toEqual(expected);
      expect(fill({ '@one@': '1', '@two@': '2' })).toEqual(JSON.parse(json.replaceAll(marks[0], '1').replaceAll(marks[1], '2')));
      expect(fill(texts)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('what one filling gives reaches no other, and what they share cannot be changed', () => {
  const fill = fillableTemplate<{ mounts: { path: string }[]; limits: { kept: number[] } }>('{"mounts":[{"path":"/@one@"}],"limits":{"kept":[1]}}', marks);
  const first = fill(texts);
  first.limits.kept.push(2);
  (first.mounts[0] as { path: string }).path = '/';
  const filled = fill(texts);
  expect(filled).toEqual({ mounts: [{ path: '/a-1.b' }], limits: { kept: [1] } });
  expect(() => filled.limits.kept.push(2)).toThrow(TypeError);
  expect(() => ((filled.mounts[0] as { path: string }).path = '/')).toThrow(TypeError);
  expect(() => filled.mounts.pop()).toThrow(TypeError);
  expect(fill({ '@one@': 'other', '@two@': '' })).toEqual({ mounts: [{ path: '/other' }], limits: { kept: [1] } });
});
