import { describe, expect, test } from 'vitest';
import { defuseOutbound } from './defuse.ts';
import {
  idleAttributes,
  inlineTags,
  opaqueTags,
  pageTags,
  plainAttributes,
  quotedAttribute,
  tagAt,
  urlAttributes,
} from './safe-tag.ts';

const allows = (url: string): boolean => new URL(url).hostname === 'ok.example.com';
const defuse = (text: string, media: 'markdown' | 'html'): ReturnType<typeof defuseOutbound> =>
  defuseOutbound(text, { allows, media });
const words = (written: string): readonly string[] => written.split(' ');

const inline = words(
  'a abbr audio b blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p q rp rt ruby s samp small source span strong sub summary sup table tbody td tfoot th thead tr u ul var video wbr',
);
const inPages = words('address article aside body footer header html main nav pre section');
const opaque = words(
  'applet canvas frameset head iframe math noembed noframes noscript object portal script select style svg template textarea title xmp',
);
const neverShown = words(
  'base button embed form frame input link meta param track plaintext image isindex keygen marquee bgsound x-y x:y',
);

test('the lists are complete', () => {
  expect(inlineTags.toSorted()).toEqual(inline);
  expect(pageTags.toSorted()).toEqual([...inline, ...inPages].toSorted());
  expect(opaqueTags.toSorted()).toEqual(opaque);
});

describe.each(inline)('<%s>', (name) => {
  test('stays in both media, with its end tag', () => {
    for (const media of ['markdown', 'html'] as const)
      expect(defuse(`<${name}>x</${name}>`, media)).toEqual({ text: `<${name}>x</${name}>`, findings: [] });
  });

  test('keeps its layout and description attributes', () => {
    for (const attribute of plainAttributes)
      expect(defuse(`<${name} ${attribute}="1">`, 'html').text).toBe(`<${name} ${attribute}="1">`);
  });

  test('loses attributes that could run, load or lead elsewhere, and reports them', () => {
    for (const attribute of [
      'onclick',
      'onload',
      'style',
      'background',
      'ping',
      'srcset',
      'action',
      'formaction',
      'xlink:href',
      'srcdoc',
      'data',
      'cite',
      'longdesc',
      'manifest',
      'usemap',
      'attributionsrc',
    ]) {
      const { text, findings } = defuse(`<${name} ${attribute}="1">`, 'html');
      expect(text).toBe(`<${name}>`);
      expect(findings.map(({ what }) => what)).toEqual([`${name} ${attribute}`]);
    }
  });

  test.each(['href', 'src', 'poster'])('%s names a URL only where HTML says so', (attribute) => {
    const isUrl = urlAttributes[name]?.includes(attribute) === true;
    expect(defuse(`<${name} ${attribute}="https://ok.example.com/">`, 'html').text).toBe(
      isUrl ? `<${name} ${attribute}="https://ok.example.com/">` : `<${name}>`,
    );
    expect(defuse(`<${name} ${attribute}="//evil.test/">`, 'html').text).not.toContain('="');
  });
});

test('elements and their URLs', () => {
  expect(urlAttributes).toEqual({
    a: ['href'],
    img: ['src'],
    video: ['src', 'poster'],
    audio: ['src'],
    source: ['src'],
  });
});

describe.each(inPages)('<%s>', (name) => {
  test('stays in a page, and becomes text in markdown', () => {
    expect(defuse(`<${name}>x</${name}>`, 'html')).toEqual({ text: `<${name}>x</${name}>`, findings: [] });
    expect(defuse(`<${name}>x</${name}>`, 'markdown').text).toBe(`&lt;${name}>x&lt;/${name}>`);
  });
});

describe.each(opaque)('<%s>', (name) => {
  test.each([
    [`<${name}>x</${name}>y`, `(${name} removed)y`],
    [`<${name.toUpperCase()} a="b">x</${name}\n>y`, `(${name} removed)y`],
    [`<${name}/>x</${name} z>y`, `(${name} removed)y`],
    [`<${name}>x</${name}z>y`, `(${name} removed)`],
    [`<${name} a="never ends>x</${name}>y`, `(${name} removed)y`],
    [`x</${name}>y`, 'xy'],
  ])('%j is %j in a page', (text, expected) => {
    const { text: shown, findings } = defuse(text, 'html');
    expect(shown).toBe(expected);
    expect(findings[0]?.what).toBe(`html ${name}`);
  });

  test('becomes text in markdown', () => {
    expect(defuse(`<${name}>`, 'markdown').text).toBe(`&lt;${name}>`);
  });
});

describe.each(neverShown)('<%s>', (name) => {
  test('is removed from a page, and becomes text in markdown', () => {
    expect(defuse(`a<${name} src="//evil.test/">b</${name}>`, 'html').text).toBe('ab');
    expect(defuse(`a <${name}>`, 'markdown').text).toBe(`a &lt;${name}>`);
  });
});

describe('attributes', () => {
  test('the list is complete', () => {
    expect(plainAttributes.toSorted()).toEqual(
      words('align alt colspan controls dir height lang open reversed rowspan start title type valign width'),
    );
    expect(idleAttributes.toSorted()).toEqual(words('class decoding id loading name rel role target'));
  });

  test.each([...words('class decoding id loading name rel role target'), 'data-x', 'aria-label'])(
    '%s is removed without a finding',
    (attribute) => {
      expect(defuse(`<b ${attribute}="x">a</b>`, 'html')).toEqual({ text: '<b>a</b>', findings: [] });
    },
  );

  test.each([
    ['<b TITLE=x title=y>', '<b title="x">'],
    ["<b title='a\"b'>", '<b title="a&#34;b">'],
    ['<b title="a&quot;b">', '<b title="a&#34;b">'],
    ['<b title="<img src=x>">', '<b title="&#60;img src=x&#62;">'],
    ['<b title="`x`">', '<b title="&#96;x&#96;">'],
    ['<b title="](//evil.test)">', '<b title="&#93;&#40;//evil.test&#41;">'],
    ['<b title="a:b">', '<b title="a&#58;b">'],
    ['<b title="a\0b\ud800">', '<b title="a\ufffdb\ufffd">'],
    ['<b title>', '<b title="">'],
    ['<b title = x >', '<b title="x">'],
    ['<b/title=x/>', '<b title="x/">'],
    ['<b\ntitle=x>', '<b title="x">'],
    ['</b title=x>', '</b>'],
    ['<B>', '<b>'],
    ['<b xdata-y=1>', '<b>'],
    ['<a href="x y">', '<a href="x y">'],
    ['<a href="mailto:a@b.example">', '<a href="mailto:a&#64;b.example">'],
    ['<a href="&#106;avascript:x">', '(javascript[:]x) <a>'],
    ['<video src="//evil.test/v">', '(video removed: https[:]//evil[.]test/v)'],
    ['<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">'],
    ['<img src="data:image/svg+xml;base64,AA==">', '(image removed: data[:]image/svg+xml;base64,AA==)'],
  ])('%j is %j', (text, expected) => {
    expect(defuse(text, 'html').text).toBe(expected);
  });
});

describe('unreadable parts of a page', () => {
  test.each([
    ['<', '&lt;'],
    ['a<', 'a&lt;'],
    ['</', '&lt;/'],
    ['<1', '&lt;1'],
    ['</ b>', '&lt;/ b>'],
    ['<b', '&lt;b'],
    ['<b title="', '&lt;b title="'],
    ['<SCRIPT "x</script>a', '(script removed)a'],
    ['<noframes "x</noframes>a', '(noframes removed)a'],
    ['<blink>a<!DOCTYPE x>b', 'ab'],
    ['<b title=a"b>', '&lt;b title=a"b>'],
    ['<b"x>', '&lt;b"x>'],
    ['<b\n\n>', '&lt;b\n\n>'],
    ['<b\n \n>', '&lt;b\n \n>'],
    ['<!doctype html>a', 'a'],
    ['<!a', ''],
    ['<?php x ?>a', 'a'],
    ['<!---->a', 'a'],
    ['<!-->a', 'a'],
    ['<!--->a', 'a'],
    ['<!-- x --!>a', 'a'],
    ['<!-- x -- > y -->a', 'a'],
    ['<!-- x', ''],
    ['<![CDATA[x]]>a', 'a'],
    ['<script>1</script><script>2</script>a', '(script removed)(script removed)a'],
    ['<script>1<style>2', '(script removed)'],
    ['<b>1</b><script>2<b>3</b>', '<b>1</b>(script removed)'],
  ])('%j is %j', (text, expected) => {
    expect(defuse(text, 'html').text).toBe(expected);
  });
});

function read(
  text: string,
  limit = text.length,
): readonly [tag: string, attributes: Readonly<Record<string, string>>, end: number] | undefined {
  const tag = tagAt(text, 0, limit);
  return tag === undefined ? undefined : [`${tag.kind} ${tag.name}`, Object.fromEntries(tag.attributes), tag.end];
}

describe('a tag that all readers read alike', () => {
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
    ['<b a="x\'y`z">', 'open b', { a: "x'y`z" }, 13],
    ["<b a='x\"y'>", 'open b', { a: 'x"y' }, 11],
    ['<b a="&#58;&amp">', 'open b', { a: ':&' }, 17],
    ['<b a=&#58;>', 'open b', { a: ':' }, 11],
    ['<b @click.x=1>', 'open b', { '@click.x': '1' }, 14],
    ['<b a="x\ny">', 'open b', { a: 'x\ny' }, 11],
  ] as const)('%j', (text, tag, ...[attributes, end]) => {
    expect(read(`${text}rest`)).toEqual(tag === undefined ? undefined : [tag, attributes, end]);
  });

  test.each([
    '',
    'b',
    '<',
    '<>',
    '< b>',
    '<1>',
    '<!b>',
    '<b',
    '<b ',
    '<b a',
    '<b a="',
    '<b a="x',
    "<b a='x>",
    '<b"x">',
    '<b a"x">',
    '<b a=x"y>',
    "<b a=x'y>",
    '<b a=x`y>',
    '<b a=x=y>',
    '<b a=x<y>',
    '<b a<c>',
    '<b a`c>',
    '<b ="x">',
    '<b <i>',
    '<b,c>',
    '<b.c>',
    '<b_c>',
    '<b\u00e9>',
    '<b\n\n>',
    '<b\n \t\r\n>',
    '<b a="\n\n">',
    '<b a="\n > \n">',
  ])('%j is not a tag', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('reads nothing after the limit', () => {
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
    expect(quotedAttribute(value)).toBe(written);
  });
});
