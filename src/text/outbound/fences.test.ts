import { describe, expect, test } from 'vitest';
import { type Before, readFences } from './fences.ts';

function blocksOf(text: string, before: Before = 'start'): readonly string[] {
  return readFences(text, before).fences.map(({ start, end }) => text.slice(start, end));
}

const block = '```js\ncode\n```';

describe('fenced blocks', () => {
  test.each([
    [block, [block]],
    ['~~~\ncode\n~~~', ['~~~\ncode\n~~~']],
    ['````\n```\n````', ['````\n```\n````']],
    ['```\n````x\n```', ['```\n````x\n```']],
    ['~~~ a`b\ncode\n~~~', ['~~~ a`b\ncode\n~~~']],
    ['   ```\n   code\n   ```', ['   ```\n   code\n   ```']],
    ['```\ncode\n ``` \t', ['```\ncode\n ``` \t']],
    ['```\r\ncode\r\n```\r\n', ['```\r\ncode\r\n```']],
    ['```\rcode\r```\r', ['```\rcode\r```']],
    ['```\n```', ['```\n```']],
    ['```\n~~~\n```', ['```\n~~~\n```']],
    [`${block}\n${block}`, [block, block]],
    [`words\n${block}\nwords`, [block]],
    ['\n    ```\n    code\n    ```', ['    ```\n    code\n    ```']],
    ['    ```\n    code\n    ```', ['    ```\n    code\n    ```']],
    ['  ```\n\n  code\n  ```', ['  ```\n\n  code\n  ```']],
    ['<div>\n\n```\n```', ['```\n```']],
    ['a < b\n```\n```', ['```\n```']],
    ['``\ncode\n``', []],
    ['```\ncode', []],
    ['``` a`b\n```\nx\n```', ['```\nx\n```']],
    ['words ```\nx\n```', []],
    ['', []],
  ])('of %j are %j', (text, blocks) => {
    expect(blocksOf(text)).toEqual(blocks);
    expect(readFences(text, 'start').unclear).toBeUndefined();
  });

  test('the info follows the opening marks', () => {
    const text = 'x\n  ```` js title\n  code\n  ````';
    const [fence] = readFences(text, 'start').fences;
    expect(fence).toEqual({ start: 2, end: text.length, info: { start: 8, end: 17 } });
  });
});

describe('the place from which nothing is clear', () => {
  test.each([
    ['- ```\nx\n```', 0],
    ['* ~~~\nx', 0],
    ['+ ```', 0],
    ['1. ```', 0],
    ['12) ```', 0],
    [': ```', 0],
    ['- - ```', 0],
    ['- > ```', 0],
    ['- : ```', 0],
    ['- 1) ```', 0],
    ['- 1. + * ```', 0],
    ['  -\t```', 0],
    ['\t```', 0],
    [' \t ~~~', 0],
    ['$$', 0],
    ['  \\[', 0],
    ['%%', 0],
    ['\t:::', 0],
    ['x\n$$', 2],
    ['<div>\n```\n```', 6],
    ['> <b\n```', 5],
    ['- <b>\nx\n```', 8],
    ['* <b\n```', 5],
    ['+ <b\n```', 5],
    ['1) <b\n```', 6],
    ['1. <b\n```', 6],
    ['x\n    ```', 2],
    ['<b>\n\nx\n    ```', 7],
    ['```\n````', 4],
    ['```\ncode\n~~~\n```\n```\n`````', 21],
    ['  ```\nout', 6],
    ['   ```\n  ```', 7],
  ])('in %j from %i', (text, unclear) => {
    expect(readFences(text, 'start').unclear).toBe(unclear);
  });

  test.each([
    '-```',
    '1.```',
    '- x ```',
    '1234567890. ```',
    '$ $',
    '$x$$',
    ': :',
    '%',
    '::',
    '> ```',
    'a - ```',
    '\\ [',
    '- ``',
  ])('not in %j', (text) => {
    expect(readFences(text, 'start').unclear).toBeUndefined();
  });

  test.each(['---\na: b\n---\n', '+++\na\n', '--- \t\r\na\n'])('front matter: %j is unclear as a whole', (text) => {
    expect(readFences(text + block, 'start')).toEqual({
      fences: [],
      unclear: 0,
      cut: { at: 0, before: 'start' },
      isOpen: false,
    });
    expect(blocksOf(text + block, 'blank')).toEqual([block]);
  });

  test.each(['----\n', '---x\n', ' ---\n', '---', '\n---\n', '++\n'])('but not %j', (text) => {
    expect(readFences(text, 'start').unclear).toBeUndefined();
  });

  test('a block before an unclear place stays clear', () => {
    expect(blocksOf(`${block}\n$$\n${block}`)).toEqual([block]);
  });
});

describe('the text before', () => {
  test.each([
    ['blank', '    ```\n    ```', 1],
    ['start', '    ```\n    ```', 1],
    ['text', '    ```\n    ```', 0],
    ['html', '```\n```', 0],
    ['text', '```\n```', 1],
    ['inside-line', '```\n```\n```', 1],
    ['inside-line', '$$\n```\n```', 1],
    ['inside-line', '\n    ```\n    ```', 0],
  ] as const)('after %s: %j', (before, text, count) => {
    expect(blocksOf(text, before)).toHaveLength(count);
  });
});

describe('the place from which text can be read on its own', () => {
  test.each([
    ['a\n\nb', 3, 'blank'],
    ['a\n\n\nb', 4, 'blank'],
    ['a\n \t\nb', 5, 'blank'],
    ['a\r\n\r\nb', 5, 'blank'],
    ['a\n\r\nb', 4, 'blank'],
    ['\na', 1, 'blank'],
    [`${block}\nb`, 15, 'text'],
    [`${block}\n\nb`, 16, 'blank'],
    [`a\n\n${block}`, 17, 'text'],
    ['a\n\n```\n\nb', 3, 'blank'],
    ['a\n\n$$\n\nb', 3, 'blank'],
    ['a\n', 0, 'start'],
    ['a\n ', 0, 'start'],
    ['a\r\rb', 0, 'start'],
    ['a\r\n\rb', 0, 'start'],
    ['a\n\u00a0\nb', 0, 'start'],
    ['a\n>\nb', 0, 'start'],
    ['a', 0, 'start'],
  ])('in %j it is %i', (text, at, before) => {
    expect(readFences(text, 'start').cut).toEqual({ at, before });
  });

  test.each([
    ['```\na', true],
    ['```\n````', true],
    [block, false],
    ['$$', false],
    ['a', false],
  ])('%j has an open block: %s', (text, isOpen) => {
    expect(readFences(text, 'start').isOpen).toBe(isOpen);
  });
});
