import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAuthority } from './authority.ts';
import { certificatesIn, holdsCertificate, hostRoots, hostTrustFiles, toPem, trustPlaces } from './host-trust.ts';
import { scratch } from './testing/loopback.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const [one, other, third] = [createAuthority(), createAuthority(), createAuthority()];

describe('the trust files of a host', () => {
  test('are the existing ones, each target once', () => {
    const root = scratch();
    writeFileSync(join(root, 'real.pem'), one.certificatePem);
    symlinkSync('real.pem', join(root, 'link.pem'));
    mkdirSync(join(root, 'directory.pem'));
    symlinkSync('nowhere', join(root, 'broken.pem'));
    writeFileSync(join(root, 'cacerts'), 'anything');
    const files = hostTrustFiles([
      { path: join(root, 'missing.pem'), format: 'pem' },
      { path: join(root, 'link.pem'), format: 'pem' },
      { path: join(root, 'real.pem'), format: 'pem' },
      { path: join(root, 'directory.pem'), format: 'pem' },
      { path: join(root, 'broken.pem'), format: 'pem' },
      { path: join(root, 'cacerts'), format: 'java' },
    ]);
    expect(files).toEqual([
      { path: join(root, 'link.pem'), format: 'pem', target: join(root, 'real.pem'), content: one.certificatePem },
      { path: join(root, 'cacerts'), format: 'java', target: join(root, 'cacerts'), content: '' },
    ]);
  });

  test('are not read if they are absurdly large', () => {
    const path = join(scratch(), 'large.pem');
    writeFileSync(path, one.certificatePem);
    truncateSync(path, 9 * 1024 * 1024);
    expect(hostTrustFiles([{ path, format: 'pem' }])).toEqual([]);
  });

  test('are searched at absolute paths, none twice', () => {
    expect(trustPlaces.every(({ path }) => path.startsWith('/'))).toBe(true);
    expect(new Set(trustPlaces.map(({ path }) => path)).size).toBe(trustPlaces.length);
  });
});

describe('the roots that Holdfast trusts', () => {
  const file = (content: string) => ({ path: '/a', target: '/a', format: 'pem', content }) as const;
  const believed = (roots: readonly string[]): readonly string[] =>
    certificatesIn(roots.join('\n')).map((bytes) => Buffer.from(bytes).toString('hex'));
  const hexOf = (authority: typeof one): string => Buffer.from(authority.certificateDer).toString('hex');

  test('are the distribution’s first bundle with a certificate, and Node’s roots', () => {
    const roots = believed(hostRoots({}, [file('# empty\n'), file(one.certificatePem), file(other.certificatePem)]));
    expect(roots).toContain(hexOf(one));
    expect(roots).not.toContain(hexOf(other));
    expect(roots).toHaveLength(rootCertificates.length + 1);
  });

  test('include the files that its environment names', () => {
    const directory = mkdtempSync(join(scratch(), 'x'));
    const extra = join(directory, 'extra.pem');
    const system = join(directory, 'system.pem');
    writeFileSync(extra, other.certificatePem);
    writeFileSync(system, third.certificatePem);
    const roots = believed(
      hostRoots({ NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: system }, [file(one.certificatePem)]),
    );
    for (const authority of [one, other, third]) expect(roots).toContain(hexOf(authority));
  });

  test.each([
    ['missing', '/nowhere/at/all.pem'],
    ['a directory', '/'],
    ['empty', ''],
    ['no path', 'a\0b'],
  ])('ignore a named file silently if it is %s', (_, path) => {
    expect(believed(hostRoots({ NODE_EXTRA_CA_CERTS: path, SSL_CERT_FILE: path }, []))).toHaveLength(
      rootCertificates.length,
    );
  });
});

describe('pem', () => {
  const [one, other] = [createAuthority(), createAuthority()];
  const hex = (pem: string): readonly string[] =>
    certificatesIn(pem).map((bytes) => Buffer.from(bytes).toString('hex'));
  const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

  describe('a bundle', () => {
    test.each<[string, string, readonly string[]]>([
      ['nothing', '', []],
      ['no certificates', 'just text\n', []],
      ['one certificate', one.certificatePem, [hexOf(one.certificateDer)]],
      ['two', one.certificatePem + other.certificatePem, [hexOf(one.certificateDer), hexOf(other.certificateDer)]],
      ['one twice', one.certificatePem + one.certificatePem, [hexOf(one.certificateDer)]],
      ['comments', `# Authority\nIssuer: x\n${one.certificatePem}\n\n# end`, [hexOf(one.certificateDer)]],
      ['Windows line ends', one.certificatePem.replaceAll('\n', '\r\n'), [hexOf(one.certificateDer)]],
      [
        'no line breaks in the body',
        one.certificatePem.replace(/(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])/gu, ''),
        [hexOf(one.certificateDer)],
      ],
      [
        'a key',
        `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n${one.certificatePem}`,
        [hexOf(one.certificateDer)],
      ],
      [
        'a block that is not a certificate',
        `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${one.certificatePem}`,
        [hexOf(one.certificateDer)],
      ],
      [
        'a block that is cut short',
        toPem(one.certificateDer.subarray(0, 200)) + other.certificatePem,
        [hexOf(other.certificateDer)],
      ],
      [
        'a block that never ends',
        `${other.certificatePem}-----BEGIN CERTIFICATE-----\nMIIB`,
        [hexOf(other.certificateDer)],
      ],
      ['the trusted form of OpenSSL', one.certificatePem.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE'), []],
    ])('with %s', (_, pem, expected) => {
      expect(hex(pem)).toEqual(expected);
    });

    test('of Node’s roots has all of them, as Node reads them', () => {
      const certificates = certificatesIn(rootCertificates.join('\n'));
      expect(certificates.length).toBe(rootCertificates.length);
      expect(certificates.map((bytes) => new X509Certificate(Buffer.from(bytes)).fingerprint256)).toEqual(
        rootCertificates.map((pem) => new X509Certificate(pem).fingerprint256),
      );
    });

    test('is known to hold a certificate or not', () => {
      expect(holdsCertificate(one.certificatePem)).toBe(true);
      expect(holdsCertificate('')).toBe(false);
    });

    test('of any text is read without an error', () => {
      const pieces = fc
        .array(
          fc.constantFrom(
            '-----BEGIN CERTIFICATE-----',
            '-----END CERTIFICATE-----',
            '\n',
            'MIIB',
            'AAAA',
            '=',
            '\0',
            one.certificatePem,
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(''));
      fc.assert(
        fc.property(pieces, (text) => {
          for (const bytes of certificatesIn(text)) expect(bytes[0]).toBe(0x30);
        }),
      );
    });
  });

  test('PEM has lines of 64 characters, and survives the round trip', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 300, maxLength: 2000 }), (body) => {
        const bytes = Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 255]), body]);
        const pem = toPem(bytes);
        expect(pem.split('\n').every((line) => line.length <= 64)).toBe(true);
        expect(hex(pem)).toEqual([hexOf(bytes)]);
      }),
      { numRuns: rounds(50) },
    );
  });
});
