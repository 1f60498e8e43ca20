import { describe, expect, test } from 'vitest';
import { hookResult } from './filter-result.ts';
import type { HookAnswer } from './types.ts';

const hidden = 'a\u200bb';
const ofResult = (result: unknown): HookAnswer =>
  hookResult({ moment: 'after', event: 'PostToolUse', tool: 'x', input: {}, cwd: '/w', result });

/** A text nested in this many lists or objects. */
function nested(levels: number, text: string, form: 'lists' | 'objects'): unknown {
  let value: unknown = text;
  for (let level = 0; level < levels; level += 1) value = form === 'lists' ? [value] : { in: value };
  return value;
}

test.each([
  ['a text', 'plain'],
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['lists and objects', [{ a: ['b', 1, false, null] }]],
])('%s with only visible characters gets no notice', (_, result) => {
  expect(ofResult(result)).toEqual({ kind: 'pass' });
});

test('texts and keys are written out at every place, and the form stays', () => {
  expect(ofResult({ [hidden]: [hidden, 1, { deep: hidden }], plain: 'x' })).toMatchObject({
    kind: 'replace',
    result: { 'a⟦U+200B⟧b': ['a⟦U+200B⟧b', 1, { deep: 'a⟦U+200B⟧b' }], plain: 'x' },
  });
});

describe.each(['lists', 'objects'] as const)('in %s', (form) => {
  test('nested values are written out', () => {
    const answer = ofResult(nested(499, hidden, form));
    expect(JSON.stringify(answer)).toContain('a⟦U+200B⟧b');
    expect(JSON.stringify(answer)).not.toContain('left out');
  });

  test.each([501, 10_000, 200_000])('values below %i levels are left out, with a notice', (levels) => {
    const answer = ofResult(nested(levels, hidden, form));
    expect(answer).toMatchObject({ kind: 'replace', note: expect.stringContaining('left out') as string });
    expect(JSON.stringify(answer)).not.toMatch(/\u200b|U\+200B/u);
  });
});
