import { describe, expect, test } from 'vitest';
import { unescapePath } from './paths/unescape-path.ts';
import { boundaries, type BoundaryName, present } from './present.ts';

const names = Object.keys(boundaries) as BoundaryName[];
const refusing: readonly BoundaryName[] = ['approval-prompt', 'command', 'policy-file', 'memory'];
const paths: readonly BoundaryName[] = ['file-name', 'branch-name'];

/** What no boundary may let through as it is. */
const hostile: readonly (readonly [string, string])[] = [
  ['a zero-width space', 'pay\u200bload'],
  ['a text of tag characters', 'hi\u{e0049}\u{e0067}\u{e006e}'],
  ['a direction override (CVE-2021-42574)', 'a\u202eb'],
  ['a Hangul filler', 'a\u3164b'],
  ['bytes in variation selectors', 'a\u{e0100}\u{e0121}b'],
  ['a sequence that clears the screen', 'a\u001b[2Jb'],
  ['an 8-bit OSC', 'a\u009d0;title\u009cb'],
  ['a sequence that writes the clipboard', 'a\u001b]52;c;cm0gLXJm\u0007b'],
  ['a backspace', 'rm\b\bls'],
  ['a lone surrogate', 'a\ud800b'],
];
const clean = ['plain words', 'naïve café', 'می‌خواهم', '👩‍👩‍👧 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '漢字'];
const unseen =
  // oxlint-disable-next-line no-control-regex -- what must not be there
  /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u;

describe.each(names)('at the boundary "%s"', (name) => {
  test.each(hostile)('%s does not pass', (_, text) => {
    if (refusing.includes(name))
      return expect(() => present(name, text)).toThrow(expect.objectContaining({ code: 'HF_TEXT_REJECTED' }));
    const shown = present(name, text);
    expect(shown.text).not.toMatch(unseen);
    expect(shown.text).not.toBe(text);
    expect(shown.findings).not.toHaveLength(0);
  });

  test.each(clean.slice(0, 2))('"%s" passes unchanged', (text) => {
    expect(present(name, text)).toEqual({ text, findings: [] });
  });
});

test.each(names.filter((name) => !refusing.includes(name) && !paths.includes(name)))(
  'human languages are readable at "%s"',
  (name) => {
    for (const text of clean) expect(present(name, text).text).toBe(text);
  },
);

test.each(paths)('text shown at "%s" can be given back', (name) => {
  for (const [, text] of hostile) expect(unescapePath(present(name, text).text)).toBe(text);
});

test('a person gets colours, and a model does not', () => {
  const text = '\u001b[31mred\u200b\u001b[0m';
  expect(present('terminal-output', text).text).toBe('\u001b[31mred⟦U+200B⟧\u001b[0m');
  expect(present('command-output', text).text).toBe('red⟦U+200B⟧');
});

test('look-alike names are reported and left unchanged', () => {
  const { text, findings } = present('branch-name', 'mаin');
  expect(text).toBe('mаin');
  expect(findings.map(({ kind, what }) => [kind, what])).toEqual([
    ['mixed-script', 'Latin+Cyrillic'],
    ['confusable', 'main'],
  ]);
});
