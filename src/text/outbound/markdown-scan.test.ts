import { describe, expect, test } from 'vitest';
import { defuseOutbound } from './defuse.ts';

const allows = (url: string): boolean => new URL(url).hostname === 'ok.example.com';

/** What is written in the place of it, and what is told: `start-end what`. */
type Row = readonly [text: string, written: string, told: string];

const rows: Readonly<Record<string, readonly Row[]>> = {
  references: [
    ['a &#58; b', 'a &amp;#58; b', '2-7 reference'],
    ['a &colon;b', 'a &amp;colon;b', '2-9 reference'],
    ['a &Aacute; b', 'a &Aacute; b', ''],
    ['a &amp; b', 'a &amp; b', ''],
    ['a &#x3a b', 'a &amp;#x3a b', '2-7 reference'],
    ['a &#9; b', 'a &amp;#9; b', '2-6 reference'],
    ['a &NewLine; b', 'a &amp;NewLine; b', '2-11 reference'],
    ['a &bsol; b', 'a &amp;bsol; b', '2-8 reference'],
    ['a &period; b', 'a &amp;period; b', '2-10 reference'],
    ['a &commat; b', 'a &amp;commat; b', '2-10 reference'],
    ['a &percnt; b', 'a &amp;percnt; b', '2-10 reference'],
    ['a &#65; b', 'a &amp;#65; b', '2-7 reference'],
    ['a &#122; b', 'a &amp;#122; b', '2-8 reference'],
    ['a &#48; b', 'a &amp;#48; b', '2-7 reference'],
    ['a &sol; b', 'a &amp;sol; b', '2-7 reference'],
    ['a &#45; b', 'a &amp;#45; b', '2-7 reference'],
    ['a &lt; b', 'a &lt; b', ''],
    ['a &CR;b', 'a &CR;b', ''],
    ['a &#13; b', 'a &amp;#13; b', '2-7 reference'],
  ],
  formulas: [
    ['$\\href{x}$', '$\\ href{x}$', '1-6 tex'],
    ['$\\url{x}$', '$\\ url{x}$', '1-5 tex'],
    ['$\\includegraphics{x}$', '$\\ includegraphics{x}$', '1-17 tex'],
    ['$\\htmlClass{x}{y}$', '$\\ htmlClass{x}{y}$', '1-11 tex'],
    ['$\\htmlId{x}{y}$', '$\\ htmlId{x}{y}$', '1-8 tex'],
    ['$\\htmlData{x}{y}$', '$\\ htmlData{x}{y}$', '1-10 tex'],
    ['$\\htmlStyle{x}{y}$', '$\\ htmlStyle{x}{y}$', '1-11 tex'],
    ['$\\require{x}$', '$\\ require{x}$', '1-9 tex'],
    ['$\\csname x$', '$\\ csname x$', '1-8 tex'],
    ['$\\unicode{x}$', '$\\ unicode{x}$', '1-9 tex'],
    ['$\\hrefs{x}$', '$\\hrefs{x}$', ''],
    ['$\\HREF{x}$', '$\\ HREF{x}$', '1-6 tex'],
    ['$\\urlZ{x}$', '$\\urlZ{x}$', ''],
  ],
  'two slashes': [
    ['a //b', 'a / /b', '2-4 link'],
    ['a/ //b', 'a/ / /b', '3-5 link'],
    ['x//b', 'x//b', ''],
    ['a [:]//b', 'a [:]//b', ''],
    ['a //', 'a //', ''],
    ['a /// b', 'a /// b', ''],
    ['a //( b', 'a //( b', ''],
    ['a //\\b', 'a //\\b', ''],
    ['\\//b', '/ /b', '0-3 link'],
    ['/\\/b', '/ /b', '0-3 link'],
    ['\\/\\/b', '/ /b', '0-4 link'],
    ['a //b//c', 'a / /b//c', '2-4 link'],
    ['1//b', '1//b', ''],
    ['_//b', '_//b', ''],
  ],
  'URLs in running text': [
    ['x://b', 'x[:]//b', '0-5 link x'],
    [':://b', ':://b', ''],
    ['HTTP://ok.example.com/x', 'HTTP://ok.example.com/x', ''],
    ['HTTPS://ok.example.com', 'HTTPS://ok.example.com', ''],
    ['http://ok.example.com]x', 'http://ok.example.com]x', ''],
    ['https://evil.test"x', 'https[:]//evil[.]test/"x', '0-17 link evil[.]test'],
    ['https://evil.test>x', 'https[:]//evil[.]test/>x', '0-17 link evil[.]test'],
    ["https://evil.test'x", "https[:]//evil[.]test/'x", '0-17 link evil[.]test'],
    ['https://evil.test`x', 'https[:]//evil[.]test/`x', '0-17 link evil[.]test'],
    ['https://evil.test)x', 'https[:]//evil[.]test/)x', '0-17 link evil[.]test'],
    ['https://evil.test]x', 'https[:]//evil[.]test/]x', '0-17 link evil[.]test'],
    ['https://evil.test~x', 'https[:]//evil[.]test%7Ex/', '0-19 link evil[.]test%7Ex'],
    ['https://evil.test?!.,:;*_~|', 'https[:]//evil[.]test/?!.,:;*_~|', '0-17 link evil[.]test'],
    ['https://évil.test/x', 'https[:]//xn--vil-9la[.]test/x', '0-19 link xn--vil-9la[.]test'],
    ['https://ok.example.com/é', 'https://ok.example.com/é', ''],
    ['ftp://ok.example.com/', 'ftp[:]//ok[.]example[.]com/', '0-21 link ftp'],
    ['x://ok.example.com', 'x[:]//ok[.]example[.]com', '0-18 link x'],
    ['https:\\/\\/ok.example.com', 'https[:]//ok[.]example[.]com', '0-24 link url'],
    ['https://ok.example.com?x', 'https://ok.example.com?x', ''],
    ['https\\://ok.example.com/', 'https[:]//ok[.]example[.]com/', '0-24 link url'],
    ['+://x', '+%3A/%2Fx', '0-5 link url'],
    ['.://x', '.%3A/%2Fx', '0-5 link url'],
    [' ://x', ' ://x', ''],
    ['é://x', 'é://x', ''],
  ],
  'links and images': [
    ['[a](//evil.test "t")', 'a (https[:]//evil[.]test/)', '0-20 link evil[.]test'],
    ["[a](//evil.test 't')", 'a (https[:]//evil[.]test/)', '0-20 link evil[.]test'],
    ['[a](//evil.test (t))', 'a (https[:]//evil[.]test/)', '0-20 link evil[.]test'],
    ['[a](//evil.test\n"t")', 'a (https[:]//evil[.]test/)', '0-20 link evil[.]test'],
    ['[a](//evil.test\r\n"t")', 'a (https[:]//evil[.]test/)', '0-21 link evil[.]test'],
    ['[a](//evil.test\r"t")', 'a (https[:]//evil[.]test/)', '0-20 link evil[.]test'],
    ['[a](//evil.test \n "t" )', 'a (https[:]//evil[.]test/)', '0-23 link evil[.]test'],
    ['[a](//evil.test "t\nu")', '[a]\\(/ /evil.test "t\nu")', '2-4 link evil[.]test, 4-6 link'],
    ["[a](//evil.test 't`u')", "[a]\\(/ /evil.test 't`u')", '2-4 link evil[.]test, 4-6 link'],
    ['[a](//evil.test (t(u)))', '[a]\\(/ /evil.test (t(u)))', '2-4 link evil[.]test, 4-6 link'],
    ['[a](//evil.test "t)', '[a]\\(/ /evil.test "t)', '2-4 link evil[.]test, 4-6 link'],
    ['[a](//evil.test )', 'a (https[:]//evil[.]test/)', '0-17 link evil[.]test'],
    ['[a](//evil.test\t)', 'a (https[:]//evil[.]test/)', '0-17 link evil[.]test'],
    ['[a](//evil.test\n)', 'a (https[:]//evil[.]test/)', '0-17 link evil[.]test'],
    ['[a](//evil.test\n\n"t")', '[a]\\(/ /evil.test\n\n"t")', '2-4 link evil[.]test, 4-6 link'],
    ['[a]( x)', '[a]( x)', ''],
    ['[a](x "t")', '[a](x "t")', ''],
    ['[a](<x y>)', '[a](x%20y)', ''],
    ['[a](<x>)', '[a](x)', ''],
    ['[a](x y)', '[a](x y)', ''],
    ['[a](x\\)y)', 'a (x%5C%29y)', '0-9 link destination'],
    ['[a](&#120;)', 'a (%26#120;)', '0-11 link destination'],
    ['[a](x)y', '[a](x)y', ''],
    ['[a](x', '[a]\\(x', '2-4 link destination'],
    ['[a](', '[a]\\(', '2-4 link destination'],
    ['[a]()', '[a]()', ''],
    ['[a](<>)', '[a](<>)', ''],
    ['[a](https://ok.example.com', '[a]\\(https://ok.example.com', '2-4 link destination'],
    ['[a](https://ok.example.com)x', '[a](https://ok.example.com/)x', ''],
    ['[a](HTTPS://ok.example.com/a"b)', '[a](https://ok.example.com/a%22b)', ''],
    ['[a](https://ok.example.com/é)', '[a](https://ok.example.com/%C3%A9)', ''],
    ['[a](mailto:a@b.example)', '[a](mailto:a@b.example)', ''],
    ['[a](mailto:a@b.example?x)', 'a (mailto[:]a%40b[.]example?x)', '0-25 link mailto'],
    ['[a](data:image/png;base64,AA==)', '[a](data:image/png;base64,AA==)', ''],
    ['![](https://evil.test)', '(image removed: https[:]//evil[.]test/)', '0-22 image evil[.]test'],
    ['![a\nb](https://evil.test)', '(image removed: a\nb, https[:]//evil[.]test/)', '0-25 image evil[.]test'],
    [
      '![a\n\nb](https://evil.test)',
      '![a\n\nb]\\(https[:]//evil[.]test/)',
      '6-8 link evil[.]test, 8-25 link evil[.]test',
    ],
    ['[a]b](https://evil.test)', '[a]b]\\(https[:]//evil[.]test/)', '4-6 link evil[.]test, 6-23 link evil[.]test'],
    [
      '[a<b](https://evil.test)',
      '[a&lt;b]\\(https[:]//evil[.]test/)',
      '2-3 html, 4-6 link evil[.]test, 6-23 link evil[.]test',
    ],
    ['[a`b](https://evil.test)', '[a`b]\\(https[:]//evil[.]test/)', '4-6 link evil[.]test, 6-23 link evil[.]test'],
    ['[a\\b](https://evil.test)', '[a\\b]\\(https[:]//evil[.]test/)', '4-6 link evil[.]test, 6-23 link evil[.]test'],
    ['x[a](https://evil.test)', 'x[a]\\(https[:]//evil[.]test/)', '3-5 link evil[.]test, 5-22 link evil[.]test'],
    ['x ![a](https://evil.test)', 'x (image removed: a, https[:]//evil[.]test/)', '2-25 image evil[.]test'],
    ['x![a](https://evil.test)', 'x![a]\\(https[:]//evil[.]test/)', '4-6 link evil[.]test, 6-23 link evil[.]test'],
    ['!x[a](https://evil.test)', '!x[a]\\(https[:]//evil[.]test/)', '4-6 link evil[.]test, 6-23 link evil[.]test'],
    [' [a](https://evil.test)', ' a (https[:]//evil[.]test/)', '1-23 link evil[.]test'],
    ['](https://evil.test)', ']\\(https[:]//evil[.]test/)', '0-2 link evil[.]test, 2-19 link evil[.]test'],
    [
      '[a](//evil.test)[b](//evil.test)',
      'a (https[:]//evil[.]test/)[b]\\(/ /evil.test)',
      '0-16 link evil[.]test, 18-20 link evil[.]test, 20-22 link',
    ],
    [
      '[a](//evil.test) [b](//evil.test)',
      'a (https[:]//evil[.]test/) b (https[:]//evil[.]test/)',
      '0-16 link evil[.]test, 17-33 link evil[.]test',
    ],
  ],
  'tags and autolinks': [
    ['<A+b.c-1:x>', 'a+b[.]c-1[:]x', '0-11 link a+b[.]c-1'],
    ['<http://evil.test>', 'http[:]//evil[.]test/', '0-18 link evil[.]test'],
    ['<Z1:x>', 'z1[:]x', '0-6 link z1'],
    ['<a:>', '&lt;a:>', '0-1 html'],
    ['<https://ok.example.com/x> y', '<https://ok.example.com/x> y', ''],
    ['<https://ok.example.com/x>', '<https://ok.example.com/x>', ''],
    ['x<https://ok.example.com/?a=b>', 'xhttps://ok.example.com/?a=b ', ''],
    ['<a.b+c-d_e@f-g.example>', '<a.b+c-d_e@f-g.example>', ''],
    ['<a b@c>', '<a>', '0-7 a b@c'],
    ['<a@b c>', '&lt;a@b c>', '0-1 html'],
    ['a<https://evil.test>b', 'ahttps[:]//evil[.]test/ b', '1-20 link evil[.]test'],
    ['a <https://evil.test> b', 'a https[:]//evil[.]test/ b', '2-21 link evil[.]test'],
    ['<b onclick=x>', '<b>', '0-13 b onclick'],
    ['x<b onclick=x>', 'x<b>', '1-14 b onclick'],
    ['//x<b>', '/ /x<b>', '0-2 link'],
    ['//x<b onclick=x>', '/ /x<b>', '0-2 link, 3-16 b onclick'],
    ['//x<q/>y', '/ /x<q>y', '0-2 link'],
    ['www.x<p>', 'www[.]x<p>', '0-5 link www[.]x'],
    ['<b', '&lt;b', '0-1 html'],
    ['<b>x', '<b>x', ''],
    ['<B CLASS=x>', '<b>', ''],
    ['<x>', '&lt;x>', '0-1 html'],
    ['</x>', '&lt;/x>', '0-1 html'],
    ['<1', '<1', ''],
    ['< b', '< b', ''],
    ['<!--x', '&lt;!--x', '0-1 html'],
    ['<?x', '&lt;?x', '0-1 html'],
    ['a<b', 'a&lt;b', '1-2 html'],
    ['//a<x', '/ /a &lt;x', '0-2 link, 3-4 html'],
    ['https://ok.example.com<x>', 'https://ok.example.com &lt;x>', '22-23 html'],
    ['<img src=x>', '<img src="x">', ''],
    ['<img src=//evil.test> x', '(image removed: https[:]//evil[.]test/) x', '0-21 img evil[.]test'],
    ['<a href=//evil.test>x</a>', '(https[:]//evil[.]test/) <a>x</a>', '0-20 a evil[.]test'],
  ],
  'names without a scheme': [
    ['www.ok.example.com', 'www[.]ok[.]example[.]com', '0-18 link www[.]ok[.]example[.]com'],
    ['http://www.ok.example.com', 'http[:]//www%2Eok[.]example[.]com/', '0-25 link www%2Eok[.]example[.]com'],
    ['www.', 'www .', '0-4 link www'],
    ['www.x.', 'www[.]x.', '0-5 link www[.]x'],
    ['www.x-', 'www[.]x-', '0-5 link www[.]x'],
    ['www.x:y', 'www[.]x:y', '0-4 link www'],
    ['www.x\\y', 'www[.]x\\y', '0-4 link www'],
    ['www.x+y', 'www[.]x+y', '0-4 link www'],
    ['www\\.x', 'www[.]x', '0-5 link www'],
    ['wwwx', 'wwwx', ''],
    ['xwww.y', 'xwww[.]y', '1-6 link www[.]y'],
    ['www.[x', 'www .[x', '0-4 link www'],
    ['www..x', 'www[.][.]x', '0-6 link www[.][.]x'],
    ['WWW.x', 'WWW[.]x', '0-5 link WWW[.]x'],
    ['www.évil', 'www .évil', '0-4 link www'],
    ['xmpp:a@b', 'xmpp%3Aa@b', '0-5 xmpp'],
    ['XMPP:x', 'XMPP%3Ax', '0-5 xmpp'],
    ['xmpp :x', 'xmpp :x', ''],
  ],
  definitions: [
    ['[r]: x', '[r]: x', ''],
    ['[r]:x', '[r]:x', ''],
    ['[r]:<x y>', '[r]: x%20y', ''],
    ['[r]: <x>', '[r]: x', ''],
    ['[r]: x"t"', '[r]\\: x"t"', '2-4 link definition'],
    ['[r]: x "t"', '[r]: x "t"', ''],
    ['[r]: https://ok.example.com/(x)', '[r]: https://ok.example.com/%28x%29', ''],
    ['[r]:https://ok.example.com/(x)', '[r]: https://ok.example.com/%28x%29', ''],
    ['[r]: //evil.test', '[r]\\: / /evil.test', '2-4 link definition, 5-7 link'],
    ['[r]:', '[r]:', ''],
    ['[r]: ', '[r]: ', ''],
    ['[r]:\nx', '[r]:\nx', ''],
    ['[r]: x)y', '[r]\\: x)y', '2-4 link definition'],
    ['[r]: a&#58;b', '[r]\\: a&amp;#58;b', '2-4 link definition, 6-11 reference'],
    ['[r]: https://ok.example.com`', '[r]\\: https[:]//ok[.]example[.]com`', '2-4 link definition, 5-27 link url'],
  ],
};

describe.each(Object.entries(rows))('%s', (_name, cases) => {
  test.each(cases)('%j', (text, written, told) => {
    const { text: shown, findings } = defuseOutbound(text, { allows, media: 'markdown' });
    expect(shown).toBe(written);
    expect(findings.map(({ start, end, what }) => `${start}-${end} ${what}`).join(', ')).toBe(told);
  });
});

describe('the rewritten text', () => {
  test.each([
    ['[r]: https://ok.example.com/\r\nx', '[r]: https://ok.example.com/\r\nx'],
    ['[r]: x\ty', '[r]: x\ty'],
    ['[a](//evil.test "t" \t)', 'a (https[:]//evil[.]test/)'],
    ['[a](//evil.test "t"x)', '[a]\\(/ /evil.test "t"x)'],
    ['<//evil.test', '&lt; / /evil.test'],
    ['a<//evil.test', 'a&lt; / /evil.test'],
  ])('%j becomes %j', (text, written) => {
    expect(defuseOutbound(text, { allows, media: 'markdown' }).text).toBe(written);
  });
});

describe('limits of length', () => {
  const markdown = (text: string): string => defuseOutbound(text, { allows, media: 'markdown' }).text;

  test('a label is repeated up to 500 characters', () => {
    expect(markdown(`[${'a'.repeat(500)}](//evil.test)`)).toBe(`${'a'.repeat(500)} (https[:]//evil[.]test/)`);
    expect(markdown(`[${'a'.repeat(501)}](//evil.test)`)).toBe(`[${'a'.repeat(501)}]\\(/ /evil.test)`);
  });

  test.each([
    ['"', '"'],
    ["'", "'"],
    ['(', ')'],
  ])('a title in %s%s is read up to 300', (open, close) => {
    expect(markdown(`[a](//evil.test ${open}${'t'.repeat(300)}${close})`)).toBe('a (https[:]//evil[.]test/)');
    expect(markdown(`[a](//evil.test ${open}${'t'.repeat(301)}${close})`)).toContain(']\\(/ /evil.test');
  });

  test('an autolink up to 4096', () => {
    expect(markdown(`<https://ok.example.com/${'x'.repeat(4096 - 17)}>`)).toBe(
      `<https://ok.example.com/${'x'.repeat(4096 - 17)}>`,
    );
    expect(markdown(`<https://ok.example.com/${'x'.repeat(4096 - 16)}>`)).toContain('&lt;https');
  });

  test.each([
    ['a `//evil.test` b', 'a `//evil.test` b'],
    ['[a](`//evil.test`)', '[a]\\(`//evil.test`)'],
    ['[a]: `//evil.test`', '[a]\\: `/ /evil.test`'],
    ['[`a`](//evil.test)', '[`a`]\\(/ /evil.test)'],
    ['https:`//evil.test`', 'https:`//evil.test`'],
    ['[a](x `b`)', '[a](x `b`)'],
    ['`a` https://evil.test `b` //evil.test', '`a` https[:]//evil[.]test/ `b` / /evil.test'],
  ])('code is a boundary: %j', (text, written) => {
    expect(markdown(text)).toBe(written);
  });
});
