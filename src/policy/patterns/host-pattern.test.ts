import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownHost } from '../kinds/known-pattern.ts';
import { normaliseHost } from '../normalise/host.ts';
import { hostIndex } from './host-index.ts';
import { isLoopbackPattern, namesAddresses, parseHostPattern, parsePorts } from './host-pattern.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('parseHostPattern', () => {
  test.each([
    ['example.com', { kind: 'exact', text: 'example.com' }, undefined],
    ['EXAMPLE.com.', { kind: 'exact', text: 'example.com' }, undefined],
    ['example.com:443', { kind: 'exact', text: 'example.com' }, { from: 443, to: 443 }],
    ['example.com:8000-8100', { kind: 'exact', text: 'example.com' }, { from: 8000, to: 8100 }],
    ['b\u00fccher.de', { kind: 'exact', text: 'xn--bcher-kva.de' }, undefined],
    ['*.example.com', { kind: 'subdomains', suffix: 'example.com' }, undefined],
    ['*.Example.com:443', { kind: 'subdomains', suffix: 'example.com' }, { from: 443, to: 443 }],
    ['localhost', { kind: 'localhost' }, undefined],
    ['localhost:3000', { kind: 'localhost' }, { from: 3000, to: 3000 }],
    ['any', { kind: 'any' }, undefined],
    ['any:443', { kind: 'any' }, { from: 443, to: 443 }],
    ['192.0.2.1', { kind: 'exact', text: '192.0.2.1' }, undefined],
    ['0xc0000201', { kind: 'exact', text: '192.0.2.1' }, undefined],
    ['192.0.2.1:22', { kind: 'exact', text: '192.0.2.1' }, { from: 22, to: 22 }],
    ['2001:db8::1', { kind: 'exact', text: '2001:db8::1' }, undefined],
    ['[2001:db8::1]', { kind: 'exact', text: '2001:db8::1' }, undefined],
    ['[2001:db8::1]:443', { kind: 'exact', text: '2001:db8::1' }, { from: 443, to: 443 }],
    ['10.0.0.0/8', { kind: 'network', address: { kind: 'v4', bits: 0x0a000000 }, prefix: 8 }, undefined],
    [
      '10.0.0.0/8:5432',
      { kind: 'network', address: { kind: 'v4', bits: 0x0a000000 }, prefix: 8 },
      { from: 5432, to: 5432 },
    ],
    ['0.0.0.0/0', { kind: 'network', address: { kind: 'v4', bits: 0 }, prefix: 0 }, undefined],
    [
      '2001:db8::/32',
      { kind: 'network', address: { kind: 'v6', groups: [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0] }, prefix: 32 },
      undefined,
    ],
    [
      '[2001:db8::/32]:443',
      { kind: 'network', address: { kind: 'v6', groups: [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0] }, prefix: 32 },
      { from: 443, to: 443 },
    ],
  ])('%j', (source, host, ports) => {
    const expected = ports === undefined ? { kind: 'host', source, host } : { kind: 'host', source, host, ports };
    expect(parseHostPattern(source)).toEqual(expected);
  });

  test.each([
    ['*', 'open the whole network'],
    ['*:443', 'open the whole network'],
    ['', 'not a host name'],
    ['https://example.com', 'is a URL'],
    ['https://example.com/path', 'is a URL'],
    ['example.com/path', 'not a network'],
    ['exa*mple.com', 'wildcard inside'],
    ['a.*.com', 'wildcard inside'],
    ['*example.com', 'wildcard inside'],
    ['*.*.com', 'wildcard inside'],
    ['*.1.2.3.4', 'wildcard inside'],
    ['*.', 'wildcard inside'],
    ['example.com:0', 'no usable port'],
    ['example.com:65536', 'no usable port'],
    ['example.com:', 'no usable port'],
    ['example.com:http', 'no usable port'],
    ['example.com:9-8', 'no usable port'],
    ['example.com:1-2-3', 'no usable port'],
    ['example .com', 'not a host name'],
    ['example.com\n', 'not a host name'],
    ['exam\0ple.com', 'not a host name'],
    ['user@example.com', 'not a host name'],
    ['10.0.0.0/33', 'not a network'],
    ['10.0.0.0/', 'not a network'],
    ['10.0.0.0/8/8', 'not a network'],
    ['10.0.0.0/-1', 'not a network'],
    ['2001:db8::/129', 'not a network'],
    ['example.com/8', 'not a network'],
    ['::ffff:10.0.0.0/104', 'mapped addresses'],
    ['256.0.0.1', 'not a host name'],
    ['[::1', 'not a host name'],
  ])('%j is refused: %s', (source, part) => {
    expect(parseHostPattern(source)).toMatchObject({
      kind: 'problem',
      message: expect.stringContaining(part),
      remedy: expect.stringMatching(/\w/),
    });
  });

  test('any text is a pattern or a problem', () => {
    const unit = fc.constantFrom('a', '1', '.', ':', '*', '/', '[', ']', '-', ' ', '\u00e9');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (source) => {
        expect(['host', 'problem']).toContain(parseHostPattern(source).kind);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

test.each([
  ['1', { from: 1, to: 1 }],
  ['65535', { from: 65_535, to: 65_535 }],
  ['1-65535', { from: 1, to: 65_535 }],
])('port %j', (text, ports) => {
  expect(parsePorts(text)).toEqual(ports);
});

describe('hostIndex', () => {
  const matches = (source: string, host: string, port = 443): boolean => {
    const pattern = parseHostPattern(source);
    const wanted = normaliseHost(host);
    if (pattern.kind === 'problem' || wanted === undefined) throw new Error(`${source} or ${host} is wrong`);
    return (
      hostIndex<boolean, undefined>([{ pattern, order: 0, value: true }]).first(wanted, port, undefined)?.value ?? false
    );
  };

  test.each([
    ['example.com', 'example.com', 443],
    ['example.com', 'EXAMPLE.COM.', 22],
    ['example.com:443', 'example.com', 443],
    ['example.com:80-90', 'example.com', 80],
    ['example.com:80-90', 'example.com', 90],
    ['*.example.com', 'a.example.com', 443],
    ['*.example.com', 'a.b.c.example.com', 443],
    ['any', 'whatever.test', 1],
    ['any', '1.2.3.4', 1],
    ['any:443', 'whatever.test', 443],
    ['localhost', 'localhost', 80],
    ['localhost', '127.0.0.1', 80],
    ['localhost', '127.9.9.9', 80],
    ['localhost', '::1', 80],
    ['localhost', '0x7f.1', 80],
    ['localhost', '::ffff:127.0.0.1', 80],
    ['localhost:3000', '[::1]', 3000],
    ['10.0.0.0/8', '10.255.255.255', 80],
    ['10.0.0.0/8', '10.0.0.0', 80],
    ['10.9.9.9/8', '10.1.1.1', 80],
    ['0.0.0.0/0', '255.255.255.255', 80],
    ['192.0.2.1/32', '192.0.2.1', 80],
    ['192.0.2.0/31', '192.0.2.1', 80],
    ['192.0.2.1', '3221225985', 80],
    ['192.0.2.1', '::ffff:c000:201', 80],
    ['2001:db8::/32', '2001:db8:ffff::1', 80],
    ['2001:db8::/33', '2001:db8:7fff::1', 80],
    ['2001:db8::1', '2001:0db8:0:0::1', 80],
    ['::/0', '2001:db8::1', 80],
  ])('%s matches %s port %i', (source, host, port) => {
    expect(matches(source, host, port)).toBe(true);
  });

  test.each([
    ['example.com', 'a.example.com', 443],
    ['example.com', 'example.com.evil.test', 443],
    ['example.com', 'notexample.com', 443],
    ['example.com:443', 'example.com', 80],
    ['example.com:80-90', 'example.com', 91],
    ['*.example.com', 'example.com', 443],
    ['*.example.com', 'badexample.com', 443],
    ['any:443', 'whatever.test', 80],
    ['localhost', '128.0.0.1', 80],
    ['localhost', 'localhost.evil.test', 80],
    ['localhost', '::2', 80],
    ['localhost:3000', '127.0.0.1', 3001],
    ['10.0.0.0/8', '11.0.0.0', 80],
    ['10.0.0.0/8', '::a00:1', 80],
    ['0.0.0.0/0', '::1', 80],
    ['0.0.0.0/0', 'example.com', 80],
    ['192.0.2.1/32', '192.0.2.2', 80],
    ['192.0.2.0/31', '192.0.2.2', 80],
    ['2001:db8::/32', '2001:db9::1', 80],
    ['2001:db8::/33', '2001:db8:8000::1', 80],
    ['::/0', '10.0.0.1', 80],
  ])('%s does not match %s port %i', (source, host, port) => {
    expect(matches(source, host, port)).toBe(false);
  });

  test('the lowest order wins over all kinds of patterns', () => {
    const entries = ['any', 'a.example.com', '*.example.com', '*.com', '10.0.0.0/8', '10.1.0.0/16', 'localhost'].map(
      (source, order) => {
        const pattern = parseHostPattern(source);
        if (pattern.kind === 'problem') throw new Error(source);
        return { pattern, order, value: source };
      },
    );
    const firstOf = (list: typeof entries, host: string): string | undefined =>
      hostIndex<string, undefined>(list).first(normaliseHost(host) ?? { text: '' }, 1, undefined)?.value;
    expect(firstOf(entries, 'a.example.com')).toBe('any');
    expect(firstOf(entries.slice(1), 'a.example.com')).toBe('a.example.com');
    expect(firstOf(entries.slice(2), 'a.example.com')).toBe('*.example.com');
    expect(firstOf(entries.slice(3), 'a.example.com')).toBe('*.com');
    expect(firstOf(entries.slice(4), 'a.example.com')).toBeUndefined();
    expect(firstOf(entries.slice(1), '10.1.2.3')).toBe('10.0.0.0/8');
    expect(firstOf(entries.slice(5), '10.1.2.3')).toBe('10.1.0.0/16');
    expect(firstOf(entries.toReversed(), 'b.example.com')).toBe('any');
  });

  test('a condition is asked for each entry', () => {
    const pattern = parseHostPattern('any');
    if (pattern.kind === 'problem') throw new Error();
    const index = hostIndex<string, { readonly n: number }>([
      { pattern, order: 0, value: 'even', accepts: ({ n }) => n % 2 === 0 },
      { pattern, order: 1, value: 'all' },
    ]);
    expect(index.first({ text: 'x' }, 1, { n: 2 })?.value).toBe('even');
    expect(index.first({ text: 'x' }, 1, { n: 3 })?.value).toBe('all');
  });

  test('agrees with comparing bit by bit', () => {
    const address = fc.array(fc.constantFrom(0, 1, 0x8000, 0xffff), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(address, address, fc.nat({ max: 128 }), (base, other, prefix) => {
        const text = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':');
        const bits = (groups: readonly number[]): string =>
          groups.map((group) => group.toString(2).padStart(16, '0')).join('');
        fc.pre(
          [base, other].every((groups) => !(groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)),
        );
        expect(matches(`[${text(base)}/${prefix}]`, text(other))).toBe(
          bits(base).slice(0, prefix) === bits(other).slice(0, prefix),
        );
      }),
      { numRuns: rounds(500) },
    );
  });
});

test.each([
  ['10.0.0.1', 'spells out', 'elsewhere'],
  ['0x0a000001', 'spells out', 'elsewhere'],
  ['10.0.0.0/8:5432', 'spells out', 'elsewhere'],
  ['0.0.0.0/1', 'spells out', 'elsewhere'],
  ['[fd00::1]:443', 'spells out', 'elsewhere'],
  ['fd00::/8', 'spells out', 'elsewhere'],
  ['localhost', 'spells out', 'loopback'],
  ['localhost:3000', 'spells out', 'loopback'],
  ['127.0.0.1', 'spells out', 'loopback'],
  ['127.9.9.9:80', 'spells out', 'loopback'],
  ['127.0.0.0/8', 'spells out', 'loopback'],
  ['127.0.0.0/30:80', 'spells out', 'loopback'],
  ['[::1]:80', 'spells out', 'loopback'],
  ['::1/128', 'spells out', 'loopback'],
  ['::ffff:127.0.0.1', 'spells out', 'loopback'],
  ['126.0.0.0/7', 'spells out', 'elsewhere'],
  ['::/127', 'spells out', 'elsewhere'],
  ['128.0.0.1', 'spells out', 'elsewhere'],
  ['any', 'does not', 'elsewhere'],
  ['any:443', 'does not', 'elsewhere'],
  ['0.0.0.0/0', 'does not', 'elsewhere'],
  ['::/0', 'does not', 'elsewhere'],
  ['example.com', 'does not', 'elsewhere'],
  ['*.example.com', 'does not', 'elsewhere'],
  ['*.localhost', 'does not', 'elsewhere'],
  ['localhost.example', 'does not', 'elsewhere'],
])('%s %s its addresses and lies %s', (source, spelled, place) => {
  const pattern = knownHost(source);
  expect(namesAddresses(pattern)).toBe(spelled === 'spells out');
  expect(isLoopbackPattern(pattern)).toBe(place === 'loopback');
});
