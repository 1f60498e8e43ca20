import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { createAuthority } from './authority.ts';
import { certificatesIn } from './pem.ts';
import { storeBags, trustStore } from './pkcs12.ts';
import { scratchFile } from './testing/loopback.ts';
import { javas, programPath, reason, run } from './testing/programs.ts';

const [one, other] = [createAuthority(), createAuthority()];
const keytools = javas.map((java) => java.replace(/java$/u, 'keytool'));
const noKeytool = keytools.length === 0 ? ' (NOT TRIED: there is no Java on this machine)' : '';

describe.skipIf(keytools.length === 0).each(keytools.length === 0 ? ['keytool'] : keytools)(`a trust store, to %s,${noKeytool}`, (keytool) => {
  test.each([
    ['without a password', []],
    ['with any password', ['-storepass', 'whatever']],
    ['with the password of the store that comes with Java', ['-storepass', 'changeit']],
    ['when it is not told the type', ['-storepass', 'changeit', '-J-Dkeystore.type=jks']],
  ])('opens %s and trusts both authorities', async (_, options) => {
    const store = scratchFile('trust.p12', trustStore(storeBags([one.certificateDer, other.certificateDer])));
    const { status, stdout } = await run([keytool, '-list', '-v', '-keystore', store, ...options], { input: '\n' });
    expect(status).toBe(0);
    expect(stdout.match(/trustedCertEntry/gu)).toHaveLength(2);
    for (const { certificatePem } of [one, other]) expect(stdout).toContain(new X509Certificate(certificatePem).fingerprint256);
  });

  test('holds a whole bundle', async () => {
    const store = scratchFile('trust.p12', trustStore(storeBags(certificatesIn(rootCertificates.join('\n')))));
    const { stdout } = await run([keytool, '-list', '-keystore', store, '-storepass', 'x']);
    expect(stdout.match(/trustedCertEntry/gu)).toHaveLength(rootCertificates.length);
  });

  test('holds nothing when nothing was put in', async () => {
    const store = scratchFile('trust.p12', trustStore(storeBags([])));
    expect((await run([keytool, '-list', '-keystore', store, '-storepass', 'x'])).stdout).toContain('contains 0 entries');
  });
});

test.skipIf(programPath('openssl') === undefined)(`a trust store can be read by OpenSSL${reason('openssl')}`, async () => {
  const store = scratchFile('trust.p12', trustStore(storeBags([one.certificateDer, other.certificateDer])));
  const { stdout } = await run(['openssl', 'pkcs12', '-in', store, '-nokeys', '-nomacver', '-passin', 'pass:']);
  expect(certificatesIn(stdout)).toHaveLength(2);
  expect(stdout).toContain('friendlyName: holdfast-0');
  expect(stdout).toMatch(/^ +2\.16\.840\.1\.113894\.746875\.1\.1: /mu);
});
