import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reversedAddress } from './find.ts';
import { labels, wireName, words } from './testing/packets.ts';
import { hostNameOf, readName, writeName } from './wire-name.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** The bytes of a message after twelve bytes of header. */
const after = (...parts: readonly Buffer[]): Buffer => Buffer.concat([Buffer.alloc(12), ...parts]);
const read = (packet: Buffer, start = 12): string | undefined => readName(packet, start, 'compressed')?.text;

describe('reading a name', () => {
  test.each([
    ['a name', labels('www', 'example', 'com'), 'www.example.com'],
    ['the root', labels(), ''],
    ['capitals', labels('WWW', 'eXample'), 'www.example'],
    ['hyphens, underscores and digits', labels('_dns-sd', '0x20'), '_dns-sd.0x20'],
    ['a label of 63 bytes', labels('a'.repeat(63)), 'a'.repeat(63)],
    [
      '255 bytes in all',
      labels('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61)),
      `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
    ],
    ['a dot in a label', labels('example.com', 'evil', 'test'), 'example\\046com.evil.test'],
    ['a backslash', labels('a\\046b'), 'a\\092046b'],
    ['a NUL', labels('example\0', 'com'), 'example\\000.com'],
    ['a line break and an escape', labels('a\n\x1b[2J'), 'a\\010\\027\\0912j'],
    ['bytes beyond ASCII', labels(Buffer.from([0xc3, 0xa9, 0xff])), '\\195\\169\\255'],
    ['the Kelvin sign as Latin-1', labels(Buffer.from([0x4b, 0xe2, 0x84, 0xaa])), 'k\\226\\132\\170'],
    ['a blank and a wildcard', labels('* '), '\\042\\032'],
  ])('%s', (_, wire, text) => {
    expect(readName(after(wire), 12, 'plain')).toEqual({ text, next: 12 + wire.length });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no end', Buffer.from([3, 97, 98, 99])],
    ['a label that goes beyond the packet', Buffer.from([63, 97])],
    ['a label that ends with the packet', Buffer.from([1, 97])],
    ['256 bytes in all', labels('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(62))],
    ['200 labels', labels(...Array<string>(200).fill('a'))],
    ['a label type that was never used (0x80)', Buffer.from([0x80, 0, 0])],
    ['an extended label (0x40)', Buffer.from([0x41, 0, 0])],
    ['half a pointer', Buffer.from([0xc0])],
  ])('%s is invalid', (_, wire) => {
    expect(read(after(wire))).toBeUndefined();
  });
});

describe('pointers', () => {
  test('continue at their target, and the message continues after them', () => {
    const packet = after(labels('example', 'com'), Buffer.from([3, 119, 119, 119]), words(0xc00c), Buffer.of(7));
    expect(readName(packet, 25, 'compressed')).toEqual({ text: 'www.example.com', next: 31 });
  });

  test('may point to names that end in pointers', () => {
    const packet = after(labels('com'), Buffer.from([1, 97]), words(0xc00c), Buffer.from([1, 98]), words(0xc011));
    expect(read(packet, 21)).toBe('b.a.com');
  });

  test.each([
    ['to themselves', after(words(0xc00c)), 12],
    ['forward', after(words(0xc00e), labels('a')), 12],
    ['into their own name', after(Buffer.from([1, 97]), words(0xc00c)), 12],
    ['to each other', after(words(0xc00e), words(0xc00c)), 14],
    ['in a circle of names', after(Buffer.from([1, 97]), words(0xc010), Buffer.from([1, 98]), words(0xc00c)), 16],
    ['into the header', after(words(0xc000)), 12],
    ['to the last byte of the header', after(words(0xc00b)), 12],
    ['beyond the packet', after(words(0xffff)), 12],
    ['to themselves after a label', after(labels('com'), Buffer.from([1, 97]), words(0xc013)), 17],
  ])('%s are refused', (_, packet, start) => {
    expect(read(packet, start)).toBeUndefined();
  });

  test('are refused in a chain longer than any name', () => {
    const ladder = (rungs: number): Buffer =>
      after(
        labels('x'),
        ...Array.from({ length: rungs }, (_, rung) => words(0xc000 | (rung === 0 ? 12 : 13 + rung * 2))),
      );
    expect(read(ladder(127), 15 + 126 * 2)).toBe('x');
    expect(read(ladder(128), 15 + 127 * 2)).toBeUndefined();
  });

  test('do not make a name longer than 255 bytes', () => {
    const long = labels('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(59));
    const fits = after(long, Buffer.from([1, 97]), words(0xc00c));
    expect(read(fits, 12 + long.length)).toHaveLength(2 + long.length - 2);
    expect(read(after(long, Buffer.from([4, 97, 97, 97, 97]), words(0xc00c)), 12 + long.length)).toBeUndefined();
  });

  test('are not allowed in a plain name', () => {
    const packet = after(labels('com'), words(0xc00c));
    expect(readName(packet, 17, 'compressed')?.text).toBe('com');
    expect(readName(packet, 17, 'plain')).toBeUndefined();
  });
});

describe('writing a name', () => {
  test.each([
    'example.com',
    'a',
    '',
    'xn--bcher-kva.de',
    'a'.repeat(63),
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
  ])('%j', (name) => {
    expect(Buffer.from(writeName(name) ?? [])).toEqual(wireName(name));
  });

  test.each([
    'a..b',
    '.a',
    'a.',
    'a'.repeat(64),
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`,
  ])('%j cannot be written', (name) => {
    expect(writeName(name)).toBeUndefined();
  });

  test('keeps the case of letters', () => {
    expect(Buffer.from(writeName('ExAmple.COM') ?? []).toString('latin1')).toBe('\x07ExAmple\x03COM\0');
  });
});

test('writing and reading are inverse', () => {
  const label = fc.stringMatching(/^[a-z0-9_-]{1,63}$/);
  fc.assert(
    fc.property(fc.array(label, { maxLength: 6 }), (parts) => {
      const wire = writeName(parts.join('.'));
      fc.pre(wire !== undefined);
      expect(readName(after(Buffer.from(wire)), 12, 'plain')).toEqual({
        text: parts.join('.'),
        next: 12 + wire.length,
      });
    }),
    { numRuns: rounds(300) },
  );
});

test('for any bytes, a name is bounded, printable, and ends inside the packet', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(650), (bytes, start) => {
      const name = readName(bytes, start, 'compressed');
      if (name === undefined) return;
      expect(name.text).toMatch(/^(?:(?:[a-z0-9_-]|\\\d{3}){1,63}(?:\.(?:[a-z0-9_-]|\\\d{3}){1,63})*)?$/);
      expect(name.next).toBeGreaterThan(start);
      expect(name.next).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: rounds(2000) },
  );
});

describe('a host name', () => {
  test.each([
    'example.com',
    'a',
    '_acme-challenge.example.com',
    'xn--bcher-kva.de',
    '7.example',
    'a-.b',
    '1.2.3.example',
  ])('%s', (name) => {
    expect(hostNameOf(name)).toBe(name);
  });

  test.each([
    ['the root', ''],
    ['a dot in a label', 'example\\046com.evil.test'],
    ['a NUL', 'example\\000.com'],
    ['bytes beyond ASCII', 'b\\195\\188cher.de'],
    ['an address', '127.0.0.1'],
    ['a short address', '127.1'],
    ['an address as one number', '2130706433'],
    ['an address in hexadecimal', '0x7f000001'],
    ['an octal address', '0177.0.0.1'],
    ['a name that ends in a number', 'example.1'],
    ['a number too large for an address', '256.1.1.1'],
  ])('is not %s', (_, name) => {
    expect(hostNameOf(name)).toBeUndefined();
  });
});

describe('a reverse name', () => {
  test.each([
    ['2.0.18.198.in-addr.arpa', '198.18.0.2'],
    ['1.0.0.127.in-addr.arpa', '127.0.0.1'],
    [`${'1.0.0.0.'.repeat(1)}${'0.0.0.0.'.repeat(5)}8.b.d.0.1.0.0.2.ip6.arpa`, '2001:db8::1'],
    [`1.${'0.'.repeat(31)}ip6.arpa`, '::1'],
    [`1.0.0.0.0.0.a.0.f.f.f.f.${'0.'.repeat(20)}ip6.arpa`, '10.0.0.1'],
  ])('%s asks about %s', (name, address) => {
    expect(reversedAddress(name)).toBe(address);
  });

  test.each([
    'example.com',
    'in-addr.arpa',
    'ip6.arpa',
    '0.18.198.in-addr.arpa',
    '1.2.0.18.198.in-addr.arpa',
    '256.0.18.198.in-addr.arpa',
    '02.0.18.198.in-addr.arpa',
    'x.0.18.198.in-addr.arpa',
    '2.0.18.198.ip6.arpa',
    `g.${'0.'.repeat(31)}ip6.arpa`,
    `${'0.'.repeat(31)}ip6.arpa`,
    `10.${'0.'.repeat(31)}ip6.arpa`,
  ])('%s asks about no address', (name) => {
    expect(reversedAddress(name)).toBeUndefined();
  });
});
