import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inertUrl, judgeUrl, rasterData } from './destination.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const judge = (raw: string): ReturnType<typeof judgeUrl> =>
  judgeUrl(raw, (url) => new URL(url).hostname === 'ok.example.com');

describe('the target of a URL', () => {
  test.each([
    ['https://ok.example.com', 'https://ok.example.com/'],
    ['http://OK.example.com:8080/x?y#z', 'http://ok.example.com:8080/x?y#z'],
    ['//ok.example.com/x', 'https://ok.example.com/x'],
    ['\\\\ok.example.com\\x', 'https://ok.example.com/x'],
    ['ht\ntps://ok.exa\tmple.com/', 'https://ok.example.com/'],
    ['  https://ok.example.com/  ', 'https://ok.example.com/'],
    ['mailto:a.b+c-d@e.example', 'mailto:a.b+c-d@e.example'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ])('%j is allowed, as %j', (raw, href) => {
    expect(judge(raw)).toEqual({ kind: 'allowed', href });
  });

  test.each(['', 'x', '/x/y', '../x', '#part', '?q=1', 'x:y'.replace(':', '%3A'), './a//b', '\u00e9.md'])(
    '%j stays on the page’s own host',
    (raw) => {
      expect(judge(raw)).toEqual({ kind: 'relative' });
    },
  );

  test.each([
    ['https://evil.test/x', 'evil[.]test', 'https[:]//evil[.]test/x'],
    ['https://evil.test:8080/', 'evil[.]test[:]8080', 'https[:]//evil[.]test[:]8080/'],
    ['https://a@ok.example.com/', 'ok[.]example[.]com', 'https[:]//a%40ok[.]example[.]com/'],
    ['https://:b@ok.example.com/', 'ok[.]example[.]com', 'https[:]/%2F[:]b%40ok[.]example[.]com/'],
    ['https:evil.test', 'evil[.]test', 'https[:]//evil[.]test/'],
    ['http:/evil.test', 'evil[.]test', 'http[:]//evil[.]test/'],
    ['ftp://ok.example.com/', 'ftp', 'ftp[:]//ok[.]example[.]com/'],
    ['javascript:alert(1)', 'javascript', 'javascript[:]alert%281%29'],
    ['JaVa\nScript:x', 'javascript', 'javascript[:]x'],
    ['vbscript:x', 'vbscript', 'vbscript[:]x'],
    ['file:///etc/passwd', 'file', 'file[:]/%2F/etc/passwd'],
    ['data:text/html,x', 'data', 'data[:]text/html,x'],
    ['blob:https://ok.example.com/x', 'blob', 'blob[:]https[:]/%2Fok.example.com/x'],
    ['vscode://x/y', 'vscode', 'vscode[:]//x/y'],
    ['mailto:a@b.example?body=SECRET', 'mailto', 'mailto[:]a%40b[.]example?body=SECRET'],
    ['mailto:a@b.example,c@d.example', 'mailto', 'mailto[:]a%40b[.]example,c%40d[.]example'],
    ['mailto:x', 'mailto', 'mailto[:]x'],
    ['https://relative.invalid/x', 'relative[.]invalid', 'https[:]//relative[.]invalid/x'],
    ['//RELATIVE.invalid/x', 'relative[.]invalid', 'https[:]//relative[.]invalid/x'],
    ['https://[::1]/', '[:][:]1', 'https[:]/%2F[:][:]1/'],
    ['https://exa mple/', 'https', 'https[:]//exa%20mple/'],
    ['http://', 'http', 'http[:]/%2F'],
    [`https://ok.example.com/${'x'.repeat(8192)}`, 'https', `https[:]//ok[.]example[.]com/${'x'.repeat(159)}...`],
  ])('%j is refused: %s', (raw, host, shown) => {
    expect(judge(raw)).toEqual({ kind: 'refused', host, shown });
  });

  test('reads a URL up to 8192 characters', () => {
    expect(judge(`https://ok.example.com/${'x'.repeat(8192 - 23)}`).kind).toBe('allowed');
  });
});

describe('raster images in data URLs', () => {
  test.each(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp'])('%s', (format) => {
    expect(rasterData.test(`data:image/${format};base64,iVBORw0K+/==`)).toBe(true);
  });

  test.each([
    'data:image/svg+xml;base64,AA==',
    'data:image/png,x',
    'data:image/png;base64,A=A',
    'data:image/png;base64,A===',
    'data:image/png;base64,A"',
    'xdata:image/png;base64,AA',
    'data:image/png;base64;AA',
    'data:image/png;base64,AA\n',
    'DATA:image/png;base64,AA',
    'data:text/png;base64,AA',
    'data:image/tiff;base64,AA',
    'data:image/jpeeg;base64,AA',
  ])('not %j', (raw) => {
    expect(rasterData.test(raw)).toBe(false);
  });
});

describe('the inert form of a URL', () => {
  test.each([
    ['https://a.b/www.x', 'https[:]//a[.]b/www%2Ex'],
    ['https://a.b//c', 'https[:]//a[.]b/%2Fc'],
    [
      'https://a.b/!\'()*~@:[]<>"`|{}\\^ \u00e9',
      'https[:]//a[.]b/%21%27%28%29%2A%7E%40%3A%5B%5D%3C%3E%22%60%7C%7B%7D%5C%5E%20%C3%A9',
    ],
    ['https://a.b/\ud800', 'https[:]//a[.]b/%EF%BF%BD'],
    [`https://${'a'.repeat(200)}.b/`, `https[:]//${'a'.repeat(160)}/`],
    [`x:${'y'.repeat(160)}`, `x[:]${'y'.repeat(160)}`],
    [`https://a.b/${'y'.repeat(160)}`, `https[:]//a[.]b/${'y'.repeat(159)}...`],
    ['a.b+c-d:x', 'a[.]b+c-d[:]x'],
    ['no url', 'no%20url'],
    ['1a:b', '1a%3Ab'],
    ['https:///x', 'https[:]/%2F/x'],
    ['https://%2F', 'https[:]/%2F%2F'],
  ])('%j is %j', (href, shown) => {
    expect(inertUrl(href)).toBe(shown);
  });

  test('no URL keeps a part that a linker could find', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string({ unit: 'binary' })),
        (href) => {
          const shown = inertUrl(href);
          expect(shown.replaceAll('[:]', '').replaceAll('[.]', '')).toMatch(/^[A-Za-z0-9\-/._?=;,+#%]*$/u);
          expect(shown).not.toMatch(/\w:\/\/|www\./iu);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });
});
