import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameFilter, shapeOf } from './name-filter.ts';
import { compileWildcard, foldName, matchesWildcard } from './wildcard.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test('skips most names, and never a match', () => {
  const filter = nameFilter(['.git', '.env.*', '*.pem', 'id_rsa'].map(compileWildcard));
  for (const name of ['.git', '.GIT', '.env.local', '.ENV.x', 'a.pem', 'A.PEM', 'id_rsa', '\u0130d_rsa'])
    expect(filter(shapeOf(name))).toBe(true);
  for (const name of ['src', 'index.ts', 'a', '', 'id', '.gi', 'node_modules'])
    expect(filter(shapeOf(name))).toBe(false);
});

test('a pattern that can start with anything lets every name through', () => {
  for (const open of ['*', '?x', '*x', '\u00e9*'])
    expect(nameFilter([compileWildcard(open)])(shapeOf('anything'))).toBe(true);
});

test('any patterns: no match is lost', () => {
  const unit = fc.constantFrom('a', 'B', '.', '*', '?', '\u017f', '\u212a', '\u0130', 's', 'k');
  const pattern = fc.string({ unit, minLength: 1, maxLength: 6 });
  const name = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', '.', '\u017f', 's', 'S', 'K', '\u212a', 'i', '\u0130'),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 5 }), name, (patterns, text) => {
      const folded = patterns.map((source) => compileWildcard(foldName(source)));
      const isMatch = folded.some((wildcard) => matchesWildcard(wildcard, foldName(text)));
      if (isMatch) expect(nameFilter(folded)(shapeOf(text))).toBe(true);
    }),
    { numRuns: rounds(5000) },
  );
});
