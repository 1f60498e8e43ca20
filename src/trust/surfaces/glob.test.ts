import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { globMatcher } from './glob.ts';

test.each([
  ['*.json', ['a.json', '.json'], ['a.jsonc', 'json', '']],
  ['lefthook*.y*ml', ['lefthook.yml', 'lefthook-local.yaml'], ['lefthook.toml', 'lefthook.y', 'xlefthook.yml']],
  ['a*a', ['aa', 'aba'], ['a']],
  ['PS?', ['PS1'], ['PS', 'PS12']],
  ['*', ['', 'x'], []],
  ['x', ['x'], ['', 'xx']],
])('%s', (pattern, those, others) => {
  const matches = globMatcher(pattern);
  for (const name of those) expect(matches(name), name).toBe(true);
  for (const name of others) expect(matches(name), name).toBe(false);
});

test('is what a regular expression says, for any pattern', () => {
  const source = (pattern: string): string => pattern.replaceAll('*', '[^]*').replaceAll('?', '[^]');
  const short = fc.array(fc.constantFrom('a', 'b', '*', '*', '?'), { maxLength: 7 }).map((parts) => parts.join(''));
  const name = fc.array(fc.constantFrom('a', 'b'), { maxLength: 9 }).map((parts) => parts.join(''));
  fc.assert(fc.property(short, name, (pattern, text) => void expect(globMatcher(pattern)(text), `${pattern} ${text}`).toBe(new RegExp(`^(?:${source(pattern)})$`).test(text))), { numRuns: 5000 });
});

test('long names take linear time', async () => {
  expect(await growth((length) => globMatcher('*a*a*a*a*a*b')('a'.repeat(length)), 1_000_000)).toBeLessThan(linear);
});
