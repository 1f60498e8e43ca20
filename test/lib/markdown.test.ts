import { describe, expect, test } from 'vitest';
import { anchors, fences, links } from './markdown.ts';

const page = [
  '# A *title*: two',
  '',
  '```sh exits=3',
  'exit 3',
  '[no](link)',
  '```',
  'see [there](b.md#c "title") and `[not](this)`',
  '<img alt="x" src="p.svg">',
  '```',
  'x',
  '```',
].join('\n');

describe('markdown', () => {
  test('finds fences with their words and lines', () => {
    expect(fences(page)).toEqual([
      { language: 'sh', words: ['exits=3'], code: 'exit 3\n[no](link)\n', line: 3 },
      { language: '', words: [], code: 'x\n', line: 9 },
    ]);
  });

  test('refuses an unclosed fence', () => {
    expect(() => fences('a\n```sh\nx')).toThrow('line 2 is never closed');
  });

  test('finds links and pictures outside of code', () => {
    expect(links(page)).toEqual(['b.md#c', 'p.svg']);
  });

  test('knows the anchors of headings', () => {
    expect(anchors(page)).toEqual(['a-title-two']);
  });
});
