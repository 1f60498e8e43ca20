import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseHost } from './host.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const textOf = (host: string): string | undefined => normaliseHost(host)?.text;

describe('names', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['localhost', 'localhost'],
    ['LOCALHOST.', 'localhost'],
    ['a-b.c_d.e', 'a-b.c_d.e'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['b\u00fccher.de', 'xn--bcher-kva.de'],
    ['B\u00dcCHER.DE', 'xn--bcher-kva.de'],
    ['\u2603.net', 'xn--n3h.net'],
    ['fa\u00df.de', 'xn--fa-hia.de'],
    ['example\u3002com', 'example.com'],
    ['\uff45xample.com', 'example.com'],
    ['\u2460.com', '1.com'],
    ['7.example', '7.example'],
    ['a.b7', 'a.b7'],
    ['a.7b', 'a.7b'],
    ['db', 'db'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%j is %j', (host, expected) => {
    expect(textOf(host)).toBe(expected);
    expect(normaliseHost(host)?.address).toBeUndefined();
  });

  test.each([
    ['empty', ''],
    ['only a dot', '.'],
    ['two dots', 'a..b'],
    ['two trailing dots', 'example.com..'],
    ['a leading dot', '.example.com'],
    ['a blank', 'exa mple.com'],
    ['a blank at the end', 'example.com '],
    ['a tab', 'example.com\t'],
    ['a line break', 'example.com\nevil.com'],
    ['a NUL', 'example.com\0.evil.com'],
    ['a DEL', 'example\u007f.com'],
    ['a C1 control', 'example\u0085.com'],
    ['a no-break space', 'example\u00a0.com'],
    ['a slash', 'example.com/evil'],
    ['a backslash', 'example.com\\evil'],
    ['a port', 'example.com:443'],
    ['credentials', 'user@example.com'],
    ['a query', 'example.com?x'],
    ['a fragment', 'example.com#x'],
    ['a percent escape', '%65xample.com'],
    ['a wildcard', '*.example.com'],
    ['a question mark', 'ex?mple.com'],
    ['brackets around a name', '[example.com]'],
    ['an open bracket', '[::1'],
    ['a closing bracket', '::1]'],
    ['a quote', "exa'mple.com"],
    ['a dollar', 'example.com$x'],
    ['a lone surrogate', 'example\ud800.com'],
    ['a label of 64', `${'a'.repeat(64)}.com`],
    ['a plain label of 64 at the end', `com.${'a'.repeat(64)}`],
    ['254 characters', `${'a.'.repeat(127)}`.slice(0, 252) + 'abcd'],
    ['megabytes', 'a.'.repeat(1_000_000)],
  ])('refuses %s', (_, host) => {
    expect(normaliseHost(host)).toBeUndefined();
  });
});

describe('addresses', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['\uff11\uff12\uff17.0.0.1', '127.0.0.1'],
    ['127\u30020\u30020\u30021', '127.0.0.1'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[0000::0001]', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['[::FFFF:7F00:1]', '127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:DB8::A', '2001:db8::a'],
  ])('%j is %j', (host, expected) => {
    expect(textOf(host)).toBe(expected);
    expect(normaliseHost(host)?.address).toBeDefined();
  });

  test.each([
    '256.1.1.1',
    '1.2.3.4.5',
    '0x1ffffffff',
    '1.2.3.08',
    'a.1',
    'example.0x1',
    '[1.2.3.4]',
    '[]',
    '[:::1]',
    '12345::',
    '1::2::3',
  ])('refuses %j', (host) => {
    expect(normaliseHost(host)).toBeUndefined();
  });

  test('a number that looks like a name is never a name', () => {
    expect(normaliseHost('0xab')?.address).toBeDefined();
    expect(normaliseHost('1.0xff')?.text).toBe('1.0.0.255');
  });
});

describe('any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '.', '-', 'x', ':', '[', ']', '\u3002', '%', '\u00df', '1'),
      maxLength: 24,
    }),
  );

  test('comes out in one spelling, which stays as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normaliseHost(text);
        if (once === undefined) return;
        expect(normaliseHost(once.text)).toEqual(once);
        expect(once.text).toMatch(/^[a-z0-9._:-]+$/);
        expect(once.text.length).toBeLessThanOrEqual(253);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('case and one trailing dot make no difference', () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        const plain = normaliseHost(name);
        if (plain === undefined) return;
        expect(normaliseHost(name.toUpperCase())).toEqual(plain);
        expect(normaliseHost(`${name}.`)).toEqual(plain);
      }),
    );
  });

  test('an address of the URL parser is the same address here', () => {
    const numeric = fc.array(
      fc.oneof(
        fc.nat({ max: 300 }).map(String),
        fc.nat({ max: 255 }).map((n) => `0x${n.toString(16)}`),
        fc.nat({ max: 255 }).map((n) => `0${n.toString(8)}`),
      ),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(numeric, (parts) => {
        const text = parts.join('.');
        const theirs = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`).hostname : undefined;
        expect(textOf(text)).toBe(theirs);
      }),
      { numRuns: rounds(1000) },
    );
  });
});
