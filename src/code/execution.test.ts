import { describe, expect, test } from 'vitest';
import type { CodeReply, ReplyFormat } from './protocol/reply-reader.ts';
import { shapedResults } from './execution.ts';

const value = (...formats: readonly ReplyFormat[]): CodeReply => ({ kind: 'value', formats: [...formats] });
const bytes = (type: string, text: string): ReplyFormat => ({
  type,
  base64: Buffer.from(text, 'latin1').toString('base64'),
});
const json = (text: string): CodeReply =>
  value({ type: 'text/plain', text: 'shown' }, { type: 'application/json', text });

describe('the type of a form', () => {
  test.each([
    ['a text that is called a picture', { type: 'image/png', text: 'GIF?' }, 'text/plain'],
    ['the same in capitals', { type: 'Image/PNG', text: 'words' }, 'text/plain'],
    ['a film', { type: 'video/mp4', text: '<b>' }, 'text/plain'],
    ['a drawing', { type: 'image/svg+xml', text: '<svg/>' }, 'image/svg+xml'],
    ['a page', { type: 'text/html', text: '<b>' }, 'text/html'],
    ['another picture', bytes('image/png', 'GIF89a'), 'image/gif'],
    ['a page that comes as bytes', bytes('text/html', '<b>'), 'text/plain'],
    ['a program', bytes('image/png', '\x7fELF'), 'application/x-executable'],
  ] as const)('of %s', (_, format, type) => {
    expect(shapedResults([value(format)], undefined).results[0]?.formats[0]?.mimeType).toBe(type);
  });
});

describe('the output', () => {
  const hidden = ['\u001B', '\u202E', '\u{E0041}', '\u0008'] as const;

  test.each(['model', 'person'] as const)('to a %s hides nothing, also where it comes as bytes', (show) => {
    for (const character of hidden) {
      const base64 = Buffer.from(`a${character}b`).toString('base64');
      const { results, findings } = shapedResults(
        [value({ type: 'text/plain', base64 }), value({ type: 'image/png', base64 })],
        show,
      );
      expect([
        results.map(({ text }) => text?.includes(character)),
        results.flatMap(({ formats }) => formats.map(({ data }) => data.includes(character))),
      ]).toEqual([
        [false, false],
        [false, false],
      ]);
      expect(findings.length).toBeGreaterThan(0);
    }
    expect(shapedResults([value({ type: 'text/plain', base64: 'YQhi' })], undefined).results[0]?.text).toBe('a\bb');
  });

  test('names at most a thousand findings', () => {
    const { findings } = shapedResults(
      [1, 2].map(() => value({ type: 'text/plain', text: 'a\u200B'.repeat(1000) })),
      'model',
    );
    expect(findings.length).toBe(1000);
  });

  test('has no JSON whose strings hide something, as characters or as escapes', () => {
    const texts = hidden
      .flatMap((character) => [
        character,
        `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
      ])
      .filter((text) => !/[\ud800-\udfff]|\\ud/iu.test(text));
    for (const text of [...texts, '\\b', 'over\\rwritten']) {
      const replies = [json(`{"key":["${text}"]}`), json(`{"${text}":1}`), json(`["\\\\${text}"]`)];
      expect(
        shapedResults(replies, 'model')
          .results.slice(0, 2)
          .map((result) => 'json' in result),
        text,
      ).toEqual([false, false]);
      expect('json' in (shapedResults(replies.slice(0, 1), undefined).results[0] ?? {}), text).toBe(
        !['\b', '\u001B'].includes(text),
      );
    }
    expect(
      shapedResults([json('["\\\\b \\\\u001b \\n\\t\\r\\n é 漢 👩‍💻", {"__proto__": 1}]')], 'model').results[0]?.json,
    ).toEqual(['\\b \\u001b \n\t\r\n é 漢 👩‍💻', JSON.parse('{"__proto__":1}')]);
  });
});

test('JSON of endless depth, or invalid JSON, is plain text', () => {
  const deep = (levels: number): string => `${'['.repeat(levels)}"]["${']'.repeat(levels)}`;
  for (const text of [deep(1001), deep(20_000), '{', `"${'\\'.repeat(1 << 16)}`, `${'"'.repeat(1 << 16)}`])
    expect(shapedResults([json(text)], 'model').results).toEqual([
      {
        kind: 'value',
        text: 'shown',
        formats: [expect.anything(), { mimeType: 'application/json', data: Buffer.from(text) }],
      },
    ]);
  expect(JSON.stringify(shapedResults([json(deep(1000))], undefined).results[0]?.json)).toBe(deep(1000));
  expect(shapedResults([value(bytes('application/json', '[1]'))], undefined).results[0]).not.toHaveProperty('json');
});
