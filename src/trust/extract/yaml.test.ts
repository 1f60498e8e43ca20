import { expect, test } from 'vitest';
import { deepest } from './value.ts';
import { parseYaml } from './yaml.ts';

// Attack: the library composes each level within the one above, until its stack or a minute is used up.
test.each([
  ['brackets', '['.repeat(20 * deepest)],
  ['braces', '{a: '.repeat(20 * deepest)],
  ['openings of a line', '- '.repeat(400_000)],
  ['openings of other kinds', '? - : -\t'.repeat(200)],
  ['blanks', `a:\n${' '.repeat(2000)}b: 1`],
])('nesting is refused before the library reads it: %s', (_, text) => {
  expect(parseYaml(text).problem).toBe(`it is nested more than ${deepest} deep`);
});
