import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { defuseOutbound } from './defuse.ts';
import { OutboundStream } from './stream.ts';
import { piece } from './testing/pieces.ts';
import { reachedBy, renderers } from './testing/reached.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const friend = 'ok.example.com';
const allows = (url: string): boolean => new URL(url).hostname === friend;

function streamed(
  chunks: readonly string[],
  longestHeld?: number,
): { readonly text: string; readonly parts: readonly string[]; readonly stream: OutboundStream } {
  const stream = new OutboundStream(longestHeld === undefined ? { allows } : { allows, longestHeld });
  const parts = [...chunks.map((chunk) => stream.push(chunk)), stream.end()];
  return { text: parts.join(''), parts, stream };
}

function cut(text: string, sizes: readonly number[]): readonly string[] {
  const chunks: string[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return [...chunks, text.slice(at)];
}

function reachedIn(text: string): readonly string[] {
  return [...new Set(Object.values(renderers).flatMap((render) => reachedBy(render(text))))].filter(
    (host) => host !== friend,
  );
}

describe('waiting texts, and the end of their wait', () => {
  test.each([
    [
      'words pass at once',
      ['An answer ', 'of words', ', with more', ' of them.'],
      ['An answer ', 'of ', 'words, with ', 'more of ', 'them.'],
    ],
    ['so do lines of words', ['one\n', 'two\nthree ', 'four'], ['', 'one\ntwo\nthree ', '', 'four']],
    [
      'an image waits for the end of its paragraph',
      ['see ![a](https://evil', '.test/x) now', '\n\nnext '],
      ['see ', '', '(image removed: a, https[:]//evil[.]test/x) now\n\nnext ', ''],
    ],
    [
      'so does a reference',
      ['![a][r]\n\n', '[r]: https://evil.test', '/x\n\n'],
      ['![a][r]\n\n', '', '[r]\\: https[:]//evil[.]test/x\n\n', ''],
    ],
    [
      'and a tag',
      ['a <img src="https://evil', '.test/x"> b\n\n'],
      ['a ', '(image removed: https[:]//evil[.]test/x) b\n\n', ''],
    ],
    [
      'a fenced block waits for its end',
      ['```js\nfetch(\n\n', '"https://evil.test/x");\n', '```\n', 'done '],
      ['', '', '```js\nfetch(\n\n"https://evil.test/x");\n```\n', 'done ', ''],
    ],
    [
      'so does a drawing',
      ['```mermaid\n', 'click A href "//evil.test"\n', '```\n'],
      ['', '', '```text\nclick A href "//evil.test"\n```\n', ''],
    ],
    ['a word may become a link', ['www', '.evil.test/x', ' a'], ['', '', '', 'www[.]evil[.]test/x a']],
    ['a word before one does not wait', ['go to www.', 'evil.test'], ['go to ', '', 'www[.]evil[.]test']],
    ['a mailto waits', ['a mailto:', 'x@y.example'], ['a ', '', 'mailto:x@y.example']],
    ['an xmpp waits', ['a xmpp:', 'x@y.example'], ['a ', '', 'xmpp%3Ax@y.example']],
    ['a line break in two', ['a\r', '\n\r', '\nb '], ['', '', 'a\r\n\r\nb ', '']],
    ['a list may hold a fence', ['- a ', 'b\n\n', 'c '], ['', '- a b\n\n', 'c ', '']],
    ['a line in a paragraph may begin a fence', ['a\n', '```\nb'], ['', '', 'a\n```\nb']],
    [
      'an unclear place: from then on nothing is code',
      ['$$\nx\n\n', '```\n//evil.test\n```\n', '\n'],
      ['$$\nx\n\n', '', '```\n/ /evil.test\n```\n\n', ''],
    ],
    ['an unclear place in a paragraph', ['a\n\n$$\n', 'b\n\n'], ['a\n\n', '$$\nb\n\n', '']],
    [
      'a block that turns out to be unclear',
      ['```\n//evil.test\n\nb\n', '`````\n', '```\n//evil.test\n```\n\nc '],
      ['', '```\n/ /evil.test\n\n', 'b\n`````\n```\n/ /evil.test\n```\n\nc ', ''],
    ],
    [
      'front matter: nothing is code',
      ['---\na: b\n---\n\n', '```\n//evil.test\n```\n\n'],
      ['---\na: b\n---\n\n', '```\n/ /evil.test\n```\n\n', ''],
    ],
    [
      'a line that looks like a rule',
      ['a\n\n', '---\n\n', '```\n//evil.test\n```\n'],
      ['a\n\n', '---\n\n', '```\n//evil.test\n```\n', ''],
    ],
  ])('%s', (_, chunks, expected) => {
    const { text, parts } = streamed(chunks);
    expect(text).toBe(defuseOutbound(chunks.join(''), { allows, media: 'markdown' }).text);
    expect(parts.slice(0, expected.length)).toEqual(expected);
  });
});

describe('more text than may wait', () => {
  test('a destination is split, and reaches nothing', () => {
    const { text } = streamed(['![a](https://evil.test/', 'x'.repeat(40), ')'], 30);
    expect(text).toContain('\n\n');
    expect(reachedIn(text)).toEqual([]);
  });

  test('a label and its destination in two parts are not a link', () => {
    expect(streamed(['[01234567890123456]', '(javascript:alert)'], 19).text).toBe(
      '[01234567890123456]\n\n(javascript:alert)',
    );
  });

  test('is split at a blank, if there is one in the second half', () => {
    expect(streamed(['`345678 0123'], 10).text).toBe('`345678 \n\n0123');
    expect(streamed(['`3 5678901234'], 10).text).toBe('`3 5678901\n\n234');
  });

  test('is never split inside a character', () => {
    expect(streamed(['`23😀5'], 4).text).toBe('`23\n\n😀5');
    expect(streamed(['`😀'], 1).text).toBe('`\n\n\ud83d\n\n\ude00');
  });

  test('a split block is not code, and nothing after it is', () => {
    const { text } = streamed(['```\n//evil.test/0123456789\n//evil', '.test\n```\n\n', '```\n//evil.test\n```\n'], 30);
    expect(text).toBe('```\n/ /evil.test/0123456789\n\n\n/ /evil.test\n```\n\n```\n/ /evil.test\n```\n');
  });

  test('a part with a complete block leaves the next block code', () => {
    const block = '```\n//evil.test\n```\n';
    expect(streamed([`[${'a '.repeat(20)}\n\n${block}`], 30).text).toContain(block);
  });

  test('means 64 Ki by default', () => {
    const stream = new OutboundStream({ allows });
    expect(stream.push(`[${'a'.repeat(65_535)}`)).toBe('');
    expect(stream.push('a')).toBe(`[${'a'.repeat(65_535)}\n\n`);
    expect(stream.end()).toBe('a');
  });
});

test('is as new after its end', () => {
  const { stream } = streamed(['---\na\n\n']);
  const block = '```\n//evil.test\n```\n';
  expect(stream.push(block)).toBe(block);
});

test('findings equal those of the whole text, bounded', () => {
  const chunks = ['ab ![c](https://evil.test/x)\n\n', 'word <x> ', 'https://evil.test\n\n'];
  expect(streamed(chunks).stream.findings).toEqual(
    defuseOutbound(chunks.join(''), { allows, media: 'markdown' }).findings,
  );
  const { stream } = streamed(Array.from({ length: 1500 }, () => '<x>\n\n'));
  expect([stream.findings.length, stream.omitted]).toEqual([1000, 500]);
});

describe('laws', () => {
  const message = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
  const sizes = fc.array(fc.nat({ max: 12 }), { maxLength: 16 });

  test('any cuts of an answer give the text of the whole answer', () => {
    fc.assert(
      fc.property(message, sizes, (text, cuts) => {
        const { text: shown, stream } = streamed(cut(text, cuts));
        const whole = defuseOutbound(text, { allows, media: 'markdown' });
        expect(shown).toBe(whole.text);
        expect(stream.findings).toEqual(whole.findings);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('nothing is reached, with any limit on waiting text', () => {
    fc.assert(
      fc.property(message, sizes, fc.integer({ min: 1, max: 40 }), (text, cuts, longestHeld) => {
        expect(reachedIn(streamed(cut(text, cuts), longestHeld).text)).toEqual([]);
      }),
      { numRuns: rounds(1500) },
    );
  });

  test.each(['[', '```\n', 'a ', '`a\n', '\n', '\r', 'www.', '> ', '- ```\n', 'a', '](', '[a\n\n'])(
    'a hundred thousand characters of %j, some at a time, take linear time',
    async (unit) => {
      expect(
        await growth(
          (size) => streamed(Array.from({ length: size / 20 }, () => unit.repeat(Math.ceil(20 / unit.length)))),
          100_000,
        ),
      ).toBeLessThan(linear);
    },
  );
});
