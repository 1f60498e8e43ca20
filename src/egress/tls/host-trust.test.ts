import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { createAuthority } from './authority.ts';
import { hostRoots, hostTrustFiles } from './host-trust.ts';
import { certificatesIn } from './pem.ts';
import { scratch } from './testing/loopback.ts';
import { trustPlaces } from './trust-places.ts';

const [one, other, third] = [createAuthority(), createAuthority(), createAuthority()];

describe('the trust files of a host', () => {
  test('are those that exist, each target once', () => {
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

  test('are not read when they are absurdly large', () => {
    const path = join(scratch(), 'large.pem');
    writeFileSync(path, one.certificatePem);
    truncateSync(path, 9 * 1024 * 1024);
    expect(hostTrustFiles([{ path, format: 'pem' }])).toEqual([]);
  });

  test('are looked for at absolute paths, none twice', () => {
    expect(trustPlaces.every(({ path }) => path.startsWith('/'))).toBe(true);
    expect(new Set(trustPlaces.map(({ path }) => path)).size).toBe(trustPlaces.length);
  });
});

describe('whom Holdfast believes', () => {
  const file = (content: string) => ({ path: '/a', target: '/a', format: 'pem', content }) as const;
  const believed = (roots: readonly string[]): readonly string[] =>
    certificatesIn(roots.join('\n')).map((bytes) => Buffer.from(bytes).toString('hex'));
  const hexOf = (authority: typeof one): string => Buffer.from(authority.certificateDer).toString('hex');

  test("the distribution's first bundle that holds anything, and Node's roots", () => {
    const roots = believed(hostRoots({}, [file('# empty\n'), file(one.certificatePem), file(other.certificatePem)]));
    expect(roots).toContain(hexOf(one));
    expect(roots).not.toContain(hexOf(other));
    expect(roots).toHaveLength(rootCertificates.length + 1);
  });

  test('and the files that its environment names', () => {
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
  ])('without a word when a file it names is %s', (_, path) => {
    expect(believed(hostRoots({ NODE_EXTRA_CA_CERTS: path, SSL_CERT_FILE: path }, []))).toHaveLength(
      rootCertificates.length,
    );
  });
});
