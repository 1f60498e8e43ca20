import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAuthorityForm } from './authority-form.ts';

test.each([
  ['example.com:443', 'example.com', 443],
  ['EXAMPLE.com.:443', 'example.com', 443],
  ['a_b.example.com:1', 'a_b.example.com', 1],
  ['192.0.2.1:65535', '192.0.2.1', 65_535],
  ['0x7f.1:80', '127.0.0.1', 80],
  ['2130706433:80', '127.0.0.1', 80],
  ['[2001:db8::1]:443', '2001:db8::1', 443],
  ['[::ffff:127.0.0.1]:443', '127.0.0.1', 443],
  ['xn--bcher-kva.de:443', 'xn--bcher-kva.de', 443],
])('%s', (text, host, port) => {
  expect(parseAuthorityForm(text)).toEqual({ host, port });
});

test.each([
  '', 'example.com', ':443', 'example.com:', 'example.com:0', 'example.com:65536', 'example.com:443x', 'example.com:0443', 'example.com:+443', 'example.com:-1', 'example.com: 443', 'example.com:443:443',
  'user@example.com:443', 'user:pass@example.com:443', 'example.com/:443', 'example.com:443/', 'http://example.com:443', 'https://example.com', '//example.com:443', 'exa mple.com:443', 'example.com\0:443',
  'example.com%00:443', 'ex%61mple.com:443', 'b\u00fccher.de:443', '::1:443', '[::1]', '[::1]:', '[::1:443', '::1]:443', '[127.0.0.1]:443', '[fe80::1%25eth0]:443', '[fe80::1%eth0]:443', '[]:443', '[v1.x]:443', '*:443', '*.example.com:443',
  '256.0.0.1:443', '1.2.3.4.5:443', '..:443', '.:443', 'a..b:443', `${'a'.repeat(64)}.com:443`, `${'a.'.repeat(130)}:443`, '\uff11\uff12\uff17.0.0.1:80',
])('%j is refused', (text) => {
  expect(parseAuthorityForm(text)).toBeUndefined();
});

test('a port may be left out only where there is another', () => {
  expect(parseAuthorityForm('example.com', 80)).toEqual({ host: 'example.com', port: 80 });
  expect(parseAuthorityForm('example.com:8080', 80)).toEqual({ host: 'example.com', port: 8080 });
  expect(parseAuthorityForm('[::1]', 80)).toEqual({ host: '::1', port: 80 });
  expect(parseAuthorityForm('example.com:', 80)).toBeUndefined();
});

test('any text is a destination or nothing', () => {
  const unit = fc.constantFrom('a', '1', '.', ':', '[', ']', '@', '%', '/', '-', ' ', '\0', '\r', '\u00fc', 'f');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      const destination = parseAuthorityForm(text, 80);
      if (destination === undefined) return;
      expect(destination.host).toMatch(/^[a-z0-9_.:-]+$/);
      expect(destination.port >= 1 && destination.port <= 65_535).toBe(true);
      expect(text).not.toMatch(/[@%/ \0\r]/);
    }),
    { numRuns: 3000 },
  );
});
