import { describe, expect, test } from 'vitest';
import { quoted, tagAt } from './html-tag.ts';

function read(text: string, limit = text.length): readonly [tag: string, attributes: Readonly<Record<string, string>>, end: number] | undefined {
  const tag = tagAt(text, 0, limit);
  return tag === undefined ? undefined : [`${tag.kind} ${tag.name}`, Object.fromEntries(tag.attributes), tag.end];
}

describe('a tag that all read alike', () => {
  test.each([
    ['<b>', 'open b', {}, 3],
    ['</b>', 'close b', {}, 4],
    ['<B>', 'open b', {}, 3],
    ['<h1>', 'open h1', {}, 4],
    ['<x-y:z>', 'open x-y:z', {}, 7],
    ['<b/>', 'open b', {}, 4],
    ['<b / / >', 'open b', {}, 8],
    ['<b a>', 'open b', { a: '' }, 5],
    ['<b a=>', undefined, {}, 0],
    ['<b a=1 b=2>', 'open b', { a: '1', b: '2' }, 11],
    ['<b a="1"b=\'2\'>', 'open b', { a: '1', b: '2' }, 14],
    ['<b a="" b=\'\'>', 'open b', { a: '', b: '' }, 13],
    ['<b a = "1">', 'open b', { a: '1' }, 11],
    ['<b\na\n=\n1\n>', 'open b', { a: '1' }, 10],
    ['<b/a/b>', 'open b', { a: '', b: '' }, 7],
    ['<b a=x/y>', 'open b', { a: 'x/y' }, 9],
    ['<b A=1 a=2>', 'open b', { a: '1' }, 11],
    ['<b a="x>y">', 'open b', { a: 'x>y' }, 11],
    ['<b a="x\'y`z">', 'open b', { a: 'x\'y`z' }, 13],
    ["<b a='x\"y'>", 'open b', { a: 'x"y' }, 11],
    ['<b a="&#58;&amp">', 'open b', { a: ':&' }, 17],
    ['<b a=&#58;>', 'open b', { a: ':' }, 11],
    ['<b @click.x=1>', 'open b', { '@click.x': '1' }, 14],
    ['<b a="x\ny">', 'open b', { a: 'x\ny' }, 11],
  ] as const)('%j', (text, tag, ...[attributes, end]) => {
    expect(read(`${text}rest`)).toEqual(tag === undefined ? undefined : [tag, attributes, end]);
  });

  test.each(['', 'b', '<', '<>', '< b>', '<1>', '<!b>', '<b', '<b ', '<b a', '<b a="', '<b a="x', "<b a='x>", '<b"x">', '<b a"x">', '<b a=x"y>', "<b a=x'y>", '<b a=x`y>', '<b a=x=y>', '<b a=x<y>', '<b a<c>', '<b a`c>', '<b ="x">', '<b <i>', '<b,c>', '<b.c>', '<b_c>', '<b\u00e9>', '<b\n\n>', '<b\n \t\r\n>', '<b a="\n\n">', '<b a="\n > \n">'])('%j is none', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('nothing is read behind the limit', () => {
    expect(read('<b a=1>', 7)).toBeDefined();
    expect(read('<b a=1>', 6)).toBeUndefined();
    expect(read('<b a=1 >', 7)).toBeUndefined();
    expect(read('<b a=1>', 5)).toBeUndefined();
    expect(read('<b>', 2)).toBeUndefined();
  });
});

describe('a value in quotes', () => {
  test.each([
    ['abc XYZ 019_-', '"abc XYZ 019_-"'],
    ['.,;/?=%+#', '".,;/?=%+#"'],
    ['é 漢 😀', '"é 漢 😀"'],
    ['\u00a0\u00a1', '"&#160;\u00a1"'],
    ['"\'`<>&', '"&#34;&#39;&#96;&#60;&#62;&#38;"'],
    ['[]()!:@*~|\\^{}$', '"&#91;&#93;&#40;&#41;&#33;&#58;&#64;&#42;&#126;&#124;&#92;&#94;&#123;&#125;&#36;"'],
    ['\n\t\x7f\x85', '"&#10;&#9;&#127;&#133;"'],
    ['\0', '"\ufffd"'],
    ['\ud800', '"\ufffd"'],
    ['', '""'],
  ])('%j is %s', (value, written) => {
    expect(quoted(value)).toBe(written);
  });
});
