import { X509Certificate } from 'node:crypto';
import { readFileSync, realpathSync, existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createAuthority } from '../tls/authority.ts';
import { createSessionAuthority, sessionTrust } from './session-authority.ts';

const authority = createAuthority();
const trust = sessionTrust(authority.certificatePem, {});
const bundlePath = '/run/holdfast/trust/bundle.pem';

function contentOf(target: string): string {
  const file = trust.files.find((entry) => entry.target === target);
  return file === undefined ? '' : Buffer.from(file.content, file.encoding ?? 'utf8').toString('latin1');
}

describe('the trust files and variables of a box', () => {
  test('the files are readable and not writable, each once', () => {
    for (const file of trust.files) expect(file).toMatchObject({ kind: 'file', mode: 0o444 });
    const targets = trust.files.map(({ target }) => target);
    expect(new Set(targets).size).toBe(targets.length);
    expect(targets).toEqual(
      expect.arrayContaining([bundlePath, '/run/holdfast/trust/authority.pem', '/run/holdfast/trust/java.p12']),
    );
  });

  test('the bundle holds the session’s authority beside the host’s', () => {
    const certificates =
      contentOf(bundlePath).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu) ?? [];
    const names = certificates.map((pem) => new X509Certificate(pem).fingerprint256);
    expect(names).toContain(new X509Certificate(authority.certificatePem).fingerprint256);
    expect(names.length).toBeGreaterThan(50);
  });

  test('the authority is alone in its own file, and no file holds a key', () => {
    expect(contentOf('/run/holdfast/trust/authority.pem').trim()).toBe(authority.certificatePem.trim());
    for (const { target } of trust.files) expect(contentOf(target)).not.toMatch(/PRIVATE KEY/u);
  });

  const system = '/etc/ssl/certs/ca-certificates.crt';

  test.skipIf(!existsSync(system))('the distribution’s bundle gets the authority added', () => {
    const replaced = contentOf(realpathSync(system));
    expect(replaced).toContain(authority.certificatePem.trim().split('\n')[3]);
    const [first = ''] = /-----BEGIN CERTIFICATE-----\n([^\n]+)/u.exec(readFileSync(system, 'utf8'))?.slice(1) ?? [];
    expect(replaced).toContain(first);
  });

  test('the usual variables name existing files', () => {
    const targets = new Set(trust.files.map(({ target }) => target));
    expect(trust.environment).toMatchObject({ NODE_EXTRA_CA_CERTS: expect.any(String), SSL_CERT_FILE: bundlePath });
    for (const value of Object.values(trust.environment)) if (value.startsWith('/')) expect(targets).toContain(value);
  });

  test('Java gets options only where its store is not replaced, and keeps its other options', () => {
    const hasStore = trust.files.some(({ target }) => target.endsWith('cacerts'));
    const withOptions = sessionTrust(authority.certificatePem, { JAVA_TOOL_OPTIONS: '-Xmx1g' }).environment[
      'JAVA_TOOL_OPTIONS'
    ];
    if (hasStore) expect([trust.environment['JAVA_TOOL_OPTIONS'], withOptions]).toEqual([undefined, undefined]);
    else expect(withOptions).toMatch(/^-Xmx1g .*java\.p12/u);
  });
});

test('each session has an authority of its own', () => {
  const [first, second] = [createSessionAuthority({}), createSessionAuthority({})];
  expect(first.certificates.certificatePem).not.toBe(second.certificates.certificatePem);
  expect(first.trust.files.map(({ content }) => content)).not.toEqual(second.trust.files.map(({ content }) => content));
});
