import { describe, expect, test } from 'vitest';
import { createCoverage, painted, uncovered } from './coverage.ts';

/**
 * Paints each character by a mask: `w`ord, `q`uoted, `t`ext. Anything else is a gap. `openings` are where visited
 * substitutions begin and end.
 */
function lost(text: string, mask: string, openings: readonly number[] = []): number | undefined {
  const coverage = createCoverage(text);
  const kinds: Readonly<Record<string, number>> = { w: painted.word, q: painted.quoted, t: painted.text };
  coverage.kinds.set(Array.from(mask, (letter) => kinds[letter] ?? painted.gap));
  for (const at of openings) coverage.openings.add(at);
  return uncovered(text, coverage);
}

describe('text that no node accounts for', () => {
  test.each([
    ['rm x', '', 0],
    ['a; rm', 'w', 3],
    ['ifx a', '', 0],
    ['a #b', 'w', undefined],
    ['a#b', 'w', 1],
    ['if a; then b; fi', '   w       w', undefined],
    ['{ a; } && (b)', '  w        w', undefined],
    ['a \\\n b', 'w    w', undefined],
    ['# $(a)', '', undefined],
    ['a\n# `\nb', 'w     w', undefined],
  ])('%j painted %j', (text, mask, at) => {
    expect(lost(text, mask)).toBe(at);
  });
});

describe('substitutions that were not visited', () => {
  test.each([
    ['$(a)', 'wwww', [], 0],
    ['$(a)', 'wwww', [0], undefined],
    ['`a`', 'www', [0], 2],
    ['`a`', 'www', [0, 2], undefined],
    ['${a}', 'wwww', [], 0],
    ['$[a]', 'wwww', [], 0],
    ['<(a)', 'wwww', [], 0],
    ['"<(a"', 'ttttt', [], undefined],
    ['"$(a)"', 'tttttt', [], 1],
    ["'$(a)'", 'qqqqqq', [], undefined],
    ['\\$(a)', 'wwwww', [], undefined],
    ['\\\\$(a)', 'wwwwww', [], 2],
    ['\\`', 'ww', [], undefined],
    ['"$\\\n1"', 'tttttt', [], 1],
    ['$\\\n(a)', 'wwwwww', [0], 0],
  ] as const)('%j painted %j, visited at %j', (...[text, mask, openings, at]) => {
    expect(lost(text, mask, openings)).toBe(at);
  });
});
