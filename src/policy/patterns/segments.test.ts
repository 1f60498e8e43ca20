import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import type { PatternSegment } from './resolve-path.ts';
import { matchesSegments } from './path-index.ts';
import { compileWildcard, matchesWildcard } from './wildcard.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const segmentsOf = (text: string): readonly PatternSegment[] =>
  text.split('/').map((part) => (part === '**' ? 'any-depth' : compileWildcard(part)));

/** Tries every possible match of `**`. */
function slowly(segments: readonly PatternSegment[], components: readonly string[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined) return true;
  if (segment === 'any-depth') {
    if (rest.length === 0) return components.length > 0;
    return components.some((_, start) => slowly(rest, components.slice(start)));
  }
  const [component, ...others] = components;
  return component !== undefined && matchesWildcard(segment, component) && slowly(rest, others);
}

test('agrees with trying every way', () => {
  const part = fc.constantFrom('a', 'b', '*', '**', 'a*');
  const name = fc.constantFrom('a', 'b', 'ab');
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.array(name, { maxLength: 7 }),
      (parts, components) => {
        const segments = segmentsOf(parts.join('/'));
        expect(matchesSegments(segments, components, 0)).toBe(slowly(segments, components));
      },
    ),
    { numRuns: rounds(5000) },
  );
});

test('starts at the given place', () => {
  expect(matchesSegments(segmentsOf('b'), ['a', 'b'], 1)).toBe(true);
  expect(matchesSegments(segmentsOf('b'), ['a', 'b'], 0)).toBe(false);
});

test('many ** and a long path take linear time', async () => {
  const pattern = segmentsOf(`${'**/a/'.repeat(100)}b`);
  expect(
    await growth((length) => expect(matchesSegments(pattern, Array<string>(length).fill('a'), 0)).toBe(false), 3200),
  ).toBeLessThan(linear);
});
