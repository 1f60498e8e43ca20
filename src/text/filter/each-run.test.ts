import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import type { TextForm } from '../types.ts';
import { eachRun, type HiddenRun, plainPrefix, escapeRuns } from './each-run.ts';
import { filterText } from './filter-text.ts';

function runsOf(text: string, form: TextForm = 'prose'): readonly HiddenRun[] {
  const runs: HiddenRun[] = [];
  eachRun(text, form, (run) => {
    runs.push(run);
    return 'on';
  });
  return runs;
}

describe('runs', () => {
  test.each([
    ['', []],
    ['plain', []],
    ['a\u200b\u200cb', [{ kind: 'invisible', start: 1, end: 3 }]],
    [
      '\u200b\u202e',
      [
        { kind: 'invisible', start: 0, end: 1 },
        { kind: 'bidi', start: 1, end: 2 },
      ],
    ],
    ['\u{e0041}\u{e0042}', [{ kind: 'tag', start: 0, end: 4 }]],
    ['a\u200b', [{ kind: 'invisible', start: 1, end: 2 }]],
    ['é\u200b', [{ kind: 'invisible', start: 1, end: 2 }]],
    ['😀\u200b😀', [{ kind: 'invisible', start: 2, end: 3 }]],
    ['\ud83d\ud83d\ude00', [{ kind: 'surrogate', start: 0, end: 1 }]],
    ['\ude00\ud83d', [{ kind: 'surrogate', start: 0, end: 2 }]],
    ['\0\u0001\u0002', [{ kind: 'control', start: 0, end: 3 }]],
    ['\r\r\n', [{ kind: 'control', start: 0, end: 1 }]],
    ['\r', [{ kind: 'control', start: 0, end: 1 }]],
    ['⟦U+x', [{ kind: 'bracket', start: 0, end: 1 }]],
    ['⟦⟦U+', [{ kind: 'bracket', start: 1, end: 2 }]],
    ['⟦u+', []],
    // A run ends where something that is meant begins.
    ['\u200cब्\u200cक', [{ kind: 'invisible', start: 0, end: 1 }]],
    ['\u{1fffe}\u{1ffff}', [{ kind: 'noncharacter', start: 0, end: 4 }]],
  ])('%j', (text, runs) => {
    expect(runsOf(text)).toEqual(runs);
  });

  test.each([
    ['name', 'a\tb\n', 2],
    ['command', 'a\tb\n', 0],
    ['command', 'a\r\n', 1],
    ['name', 'a\u00a0b\u3000', 2],
    ['prose', 'a\u00a0b\u3000', 0],
  ] as const)('as %s, %j has %i runs', (form, text, count) => {
    expect(runsOf(text, form)).toHaveLength(count);
  });

  test('stops when its caller has enough', () => {
    let count = 0;
    eachRun('a\u200b'.repeat(100), 'prose', () => (++count === 3 ? 'stop' : 'on'));
    expect(count).toBe(3);
  });
});

const piece = 32_768;
const line = 'const a = 1;\tif (a) {}\n';
const plain = line.repeat(Math.ceil((4 * piece) / line.length)).slice(0, 4 * piece);

describe('a long text', () => {
  test('is passed as plain in whole pieces', () => {
    expect(plainPrefix(plain)).toBe(4 * piece);
    expect(plainPrefix(`${plain}a`)).toBe(4 * piece);
    expect(plainPrefix(plain.slice(1))).toBe(3 * piece);
    expect(plainPrefix('a')).toBe(0);
    expect(plainPrefix('')).toBe(0);
  });

  test.each(['\u001b', '\u007f', '\r', '\0', '\u200b', '\u{e0041}', '\ud800', 'é', '⟦', '\u2028'])(
    'is not passed beyond %j, at any place',
    (character) => {
      for (const at of [0, 1, piece - 1, piece, 2 * piece - 1, 3 * piece + 5]) {
        const text = plain.slice(0, at) + character + plain.slice(at + character.length);
        expect(plainPrefix(text)).toBe(Math.floor(at / piece) * piece);
      }
    },
  );

  test.each([0, piece - 1, piece, piece + 1, 3 * piece + 7])('reveals a hidden character at %d', (at) => {
    const text = `${plain.slice(0, at)}\u200b${plain.slice(at)}`;
    const shown = filterText(text);
    expect(shown.findings).toEqual([{ kind: 'invisible', start: at, end: at + 1, what: 'U+200B' }]);
    expect(shown.text).toBe(`${plain.slice(0, at)}⟦U+200B⟧${plain.slice(at)}`);
  });

  test('a name of many pieces may not contain a line feed', () => {
    expect(filterText(`${'a'.repeat(piece)}\n${'a'.repeat(piece)}`, { form: 'name' }).findings).toHaveLength(1);
  });
});

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

test('leaves no control character, in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => !/(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(escapeRuns(line))),
    { numRuns: rounds(2000) },
  );
});
