import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeRuns } from './escape-runs.ts';
import { rounds } from '../../scripts/testing/extent.ts';

test.each([
  ['plain\twith a tab', 'plain\twith a tab'],
  ['naïve 漢字', 'naïve 漢字'],
  ['👩‍👩‍👧 ❤️ 1️⃣', '👩‍👩‍👧 ❤️ 1️⃣'],
  ['می‌خواهم', 'می‌خواهم'],
  ['if (access\u202e // admin', String.raw`if (access\u{202e} // admin`],
  ['a\u3164\u115f\u2800b', String.raw`a\u{3164}\u{115f}\u{2800}b`],
  ['a\u{e0100}\u{e0101}b', String.raw`a\u{e0100}\u{e0101}b`],
  ['a\ufe0fb\u034f', String.raw`a\u{fe0f}b\u{34f}`],
  ['\u{e0041}\u{e0042}', String.raw`\u{e0041}\u{e0042}`],
  ['\ufffc\ufff9\ufdd0', String.raw`\u{fffc}\u{fff9}\u{fdd0}`],
  ['\ud800', String.raw`\u{d800}`],
  ['ends with CR\r', String.raw`ends with CR\u{d}`],
  ['two\r\nlines', String.raw`two\u{d}\u{a}lines`],
  ['⟦U+200B⟧', '⟦U+200B⟧'],
  [String.raw`C:\temp`, String.raw`C:\temp`],
])('%j is shown as %j', (line, shown) => {
  expect(escapeRuns(line)).toBe(shown);
});

test('nothing that a terminal obeys is left, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => !/(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(escapeRuns(line))),
    { numRuns: rounds(2000) },
  );
});
