import { describe, expect, test } from 'vitest';
import { codeSpans } from './markdown.ts';

function spansOf(text: string, start = 0, end = text.length): readonly string[] {
  return codeSpans(text, { start, end }).map((span) => text.slice(span.start, span.end));
}

describe('code spans', () => {
  test.each([
    ['a `b` c', ['`b`']],
    ['`b`', ['`b`']],
    ['``b``', ['``b``']],
    ['`a` `b`', ['`a`', '`b`']],
    ['`a` ``b``', ['`a`', '``b``']],
    ['`<img src=//x>`', ['`<img src=//x>`']],
    ['`a`\n`b`', ['`a`', '`b`']],
    ['`a`\r\n`b`\r`c`', ['`a`', '`b`', '`c`']],
    ['`a`\n\n`b`', ['`a`', '`b`']],
    ['`a`\n\n\n\n`b`', ['`a`', '`b`']],
    ['x\n\n`a`', ['`a`']],
    ['`\\`', []],
    ['a < b `c`', ['`c`']],
    ['`a` <', ['`a`']],
    ['a](b `c`', ['`c`']],
    ['# `a`', ['`a`']],
    ['a `b', []],
    ['a', []],
    ['', []],
    ['`a``', []],
    ['``a`', []],
    ['`a ``b` c``', []],
    ['`a\nb`', []],
    ['`a` `b\n`', []],
    ['\\`a`', []],
    ['\\``a`', []],
    ['\\`a\\`', []],
    ['x | `a`', ['`a`']],
    ['| `a | b` |', []],
    ['[a]: x\n`b`', []],
    ['`[a]: x`', []],
  ])('of %j are %j', (text, spans) => {
    expect(spansOf(text)).toEqual(spans);
  });

  test('an unclear paragraph leaves the others unchanged', () => {
    for (const gap of ['\n\n', '\r\n\r\n', '\r\r', '\n\r', '\n \n', '\n\t\n', '\n>\n', '\n> >\n', '\n\n\n'])
      expect(spansOf(`\`a${gap}\`b\`${gap}c\``)).toEqual(['`b`']);
  });
});

describe('rivals that may bind tighter than a span', () => {
  test.each(['<a', '<Z', '</', '<!', '<?', 'https://x', '//x', 'www.x', 'WWW.x', 'mailto:x', 'MAILTO:x', 'xmpp:x'])(
    '%s, if it touches one',
    (rival) => {
      expect(spansOf(`${rival}\`b\``)).toEqual([]);
      expect(spansOf(`\`b\` ${rival}\``)).toEqual([]);
    },
  );

  test.each(['https://x', '//x', 'www.x', 'mailto:x', 'xmpp:x', '//x<'])('not %s at a distance', (rival) => {
    expect(spansOf(`${rival} \`b\``)).toEqual(['`b`']);
  });

  test.each(['<a', '</', '<!', '<?', '$', '\\(', '\\[', '[[', '%%', '{{'])('%s, anywhere in the paragraph', (rival) => {
    expect(spansOf(`${rival} \`b\``)).toEqual([]);
    expect(spansOf(`\`b\`\n${rival}`)).toEqual([]);
    expect(spansOf(`\`b\` ${rival} \`c\``)).toEqual([]);
    expect(spansOf(`\`${rival}\``)).toEqual([`\`${rival}\``]);
    expect(spansOf(`${rival}\n\n\`b\``)).toEqual(['`b`']);
  });

  test('a bracket before an escaped parenthesis starts a destination', () => {
    expect(spansOf('[a]\\(b) `c`')).toEqual(['`c`']);
  });
});

describe('between two offsets', () => {
  test.each([
    [0, 4, ['`a`']],
    [4, 11, ['`b`']],
    [4, 9, []],
    [4, 10, ['`b`']],
    [5, 17, ['`b`', '`c`']],
    [12, 17, ['`c`']],
    [0, 17, ['`a`', '`b`', '`c`']],
  ])('from %i to %i', (start, end, spans) => {
    expect(spansOf('`a` \n  `b` \n\n `c`', start, end)).toEqual(spans);
  });

  test('spans have offsets in the whole text', () => {
    expect(codeSpans('xx\n\n`a` `b`', { start: 2, end: 11 })).toEqual([
      { start: 4, end: 7 },
      { start: 8, end: 11 },
    ]);
  });
});
