import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { createAuthority } from './authority.ts';
import { toPem } from './host-trust.ts';
import { boundedCache, leafContexts, leafMint } from './leaf.ts';
import { scratchFile } from './testing/loopback.ts';
import { programPath, reason, run } from './testing/programs.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const authority = createAuthority();
const issuer = new X509Certificate(authority.certificatePem);
const mint = leafMint(authority);
const day = 86_400_000;

const leafFor = (host: string): X509Certificate => new X509Certificate(Buffer.from(mint.certificateFor(host)));

describe('a leaf', () => {
  test.each([
    ['api.example.com', 'DNS:api.example.com'],
    ['localhost', 'DNS:localhost'],
    ['a_b.example.com', 'DNS:a_b.example.com'],
    ['xn--bcher-kva.de', 'DNS:xn--bcher-kva.de'],
    ['192.0.2.1', 'IP Address:192.0.2.1'],
    ['255.255.255.255', 'IP Address:255.255.255.255'],
    ['2001:db8::1', 'IP Address:2001:DB8:0:0:0:0:0:1'],
    ['::1', 'IP Address:0:0:0:0:0:0:0:1'],
  ])('for %s has the name %s and no other', (host, name) => {
    expect(leafFor(host).subjectAltName).toBe(name);
  });

  test('is signed by the authority, and is not one itself', () => {
    const leaf = leafFor('api.example.com');
    expect(leaf.checkIssued(issuer)).toBe(true);
    expect(leaf.verify(issuer.publicKey)).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  test('holds for its host and for no other', () => {
    const leaf = leafFor('api.example.com');
    expect(leaf.checkHost('api.example.com')).toBe('api.example.com');
    expect(leaf.checkHost('example.com')).toBeUndefined();
    expect(leaf.checkHost('a.api.example.com')).toBeUndefined();
    expect(leafFor('192.0.2.1').checkIP('192.0.2.1')).toBe('192.0.2.1');
    expect(leafFor('192.0.2.1').checkIP('192.0.2.2')).toBeUndefined();
    expect(leafFor('a.test').checkIP('192.0.2.1')).toBeUndefined();
  });

  test('is valid from yesterday, for 30 days', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    const leaf = new X509Certificate(Buffer.from(leafMint(authority, () => now).certificateFor('a.test')));
    expect(new Date(leaf.validFrom).getTime()).toBe(now - day);
    expect(new Date(leaf.validTo).getTime() - new Date(leaf.validFrom).getTime()).toBe(30 * day);
  });

  test('has a positive, short and unique serial', () => {
    const serials = Array.from({ length: 200 }, (_, index) => leafFor(`h${index}.test`).serialNumber);
    expect(new Set(serials).size).toBe(200);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/u);
  });

  test('for a name of more than 64 characters has no common name, and a critical alternative name', async () => {
    const host = `${'a'.repeat(63)}.example.com`;
    expect(leafFor(host).subject ?? '').toBe('');
    expect(leafFor(host).checkHost(host, { subject: 'never' })).toBe(host);
  });

  test.each([
    ['*.example.com'],
    ['EXAMPLE.com'],
    ['example.com.'],
    ['127.1'],
    ['[::1]'],
    [''],
    ['a b'],
    ['a\0.test'],
    ['b\u00fccher.de'],
    ['::ffff:127.0.0.1'],
  ])('is not made for %j', (host) => {
    expect(() => mint.certificateFor(host)).toThrow(expect.objectContaining({ code: 'HF_INTERNAL' }));
  });

  const hosts = ['api.example.com', `${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`, '192.0.2.1', '2001:db8::1'];
  test.skipIf(programPath('openssl') === undefined).each(hosts)(
    `for %s passes openssl verify -x509_strict${reason('openssl')}`,
    async (host) => {
      const file = scratchFile('leaf.pem', toPem(mint.certificateFor(host)));
      const ca = scratchFile('ca.pem', authority.certificatePem);
      const named = normaliseHost(host)?.address === undefined ? ['-verify_hostname', host] : ['-verify_ip', host];
      expect(
        await run([
          'openssl',
          'verify',
          '-x509_strict',
          '-check_ss_sig',
          '-purpose',
          'sslserver',
          ...named,
          '-no-CApath',
          '-no-CAstore',
          '-CAfile',
          ca,
          file,
        ]),
      ).toMatchObject({ status: 0 });
      expect(
        (
          await run([
            'openssl',
            'verify',
            '-x509_strict',
            '-verify_hostname',
            'other.example',
            '-no-CApath',
            '-no-CAstore',
            '-CAfile',
            ca,
            file,
          ])
        ).status,
      ).not.toBe(0);
      const { stdout } = await run(['openssl', 'x509', '-noout', '-text', '-in', file]);
      expect(stdout).toMatch(/Key Usage: critical\s+Digital Signature\n/u);
      expect(stdout).toMatch(/Extended Key Usage: *\n\s+TLS Web Server Authentication\n/u);
      expect(stdout).toMatch(
        host.length > 64 ? /Subject Alternative Name: critical/u : /Subject Alternative Name: *\n/u,
      );
    },
  );

  test('can be made for any host', () => {
    const anyHost = fc
      .oneof(fc.domain(), fc.ipV4(), fc.ipV6())
      .map((text) => normaliseHost(text)?.text)
      .filter((text) => text !== undefined);
    fc.assert(
      fc.property(anyHost, (host) => {
        const leaf = leafFor(host);
        expect(leaf.verify(issuer.publicKey)).toBe(true);
        expect(normaliseHost(host)?.address === undefined ? leaf.checkHost(host) : leaf.checkIP(host)).toBe(host);
      }),
      { numRuns: rounds(200) },
    );
  });

  // A key of its own would be a third of what a leaf costs, which no measurement tells from a busy machine.
  test('shares its key with all the others', () => {
    for (const host of hosts) expect(leafFor(host).checkPrivateKey(createPrivateKey(mint.privateKeyPem))).toBe(true);
  });

  test('is cheap: 200 of them take 500 units of work', () => {
    atMost(500, () => {
      for (let index = 0; index < 200; index += 1) mint.certificateFor(`h${index}.example.com`);
    });
  });
});

describe('contexts', () => {
  test('are made once for each host', () => {
    const contextFor = leafContexts(authority);
    expect(contextFor('a.test')).toBe(contextFor('a.test'));
    expect(contextFor('a.test')).not.toBe(contextFor('b.test'));
  });

  test('are made again after they were dropped', () => {
    const contextFor = leafContexts(authority, { most: 2 });
    const first = contextFor('a.test');
    contextFor('b.test');
    expect(contextFor('a.test')).toBe(first);
    contextFor('c.test');
    expect(contextFor('a.test')).toBe(first);
    contextFor('d.test');
    contextFor('e.test');
    expect(contextFor('a.test')).not.toBe(first);
  });

  test('are made again before their certificate expires', () => {
    let now = Date.now();
    const contextFor = leafContexts(authority, { now: () => now });
    const first = contextFor('a.test');
    now += 13 * day;
    expect(contextFor('a.test')).toBe(first);
    now += 2 * day;
    expect(contextFor('a.test')).not.toBe(first);
  });
});

describe('a bounded cache', () => {
  const forever = { lifetime: Number.POSITIVE_INFINITY, now: () => 0 };

  test('drops the least recently used entry', () => {
    const cache = boundedCache<number>({ most: 2, ...forever });
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  test('keeps the later of two values', () => {
    const cache = boundedCache<number>({ most: 2, ...forever });
    cache.set('a', 1);
    cache.set('a', 2);
    expect([cache.get('a'), cache.size]).toEqual([2, 1]);
  });

  test('drops expired entries, however often they were used', () => {
    let now = 0;
    const cache = boundedCache<number>({ most: 2, lifetime: 10, now: () => now });
    cache.set('a', 1);
    now = 9;
    expect(cache.get('a')).toBe(1);
    now = 10;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test('never exceeds its limit', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (most, taken) => {
        const cache = boundedCache<string>({ most, ...forever });
        for (const [isSet, key] of taken) {
          if (isSet) cache.set(key, key);
          else expect([key, undefined]).toContain(cache.get(key));
          expect(cache.size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
