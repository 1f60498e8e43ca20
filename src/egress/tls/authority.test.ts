import { X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { alertRecord } from './terminate.ts';
import { createAuthority, extension, derName, randomSerial, subjectHash } from './authority.ts';
import { der } from './der.ts';
import { addressBytes } from './leaf.ts';
import { scratch, scratchFile } from './testing/loopback.ts';
import { programPath, reason, run } from './testing/programs.ts';

const day = 86_400_000;

describe('an authority', () => {
  test('is accepted as one by a verifier', () => {
    const authority = createAuthority();
    const certificate = new X509Certificate(authority.certificatePem);
    expect(certificate.ca).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(certificate.raw.equals(authority.certificateDer)).toBe(true);
  });

  test('is valid from yesterday, for slow clocks, and for a year', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    const certificate = new X509Certificate(createAuthority(now).certificatePem);
    expect(new Date(certificate.validFrom)).toEqual(new Date('2026-11-20T12:00:00Z'));
    expect(new Date(certificate.validTo).getTime() - now.getTime()).toBe(397 * day);
  });

  test('differs for each session', () => {
    const [one, other] = [createAuthority(), createAuthority()].map(
      ({ certificatePem }) => new X509Certificate(certificatePem),
    );
    expect(one?.subject).not.toBe(other?.subject);
    expect(one?.serialNumber).not.toBe(other?.serialNumber);
    expect(one?.publicKey.export({ type: 'spki', format: 'pem' })).not.toBe(
      other?.publicKey.export({ type: 'spki', format: 'pem' }),
    );
  });

  test('does not expose its private key', () => {
    const authority = createAuthority();
    expect(Object.keys(authority).sort()).toEqual([
      'certificateDer',
      'certificatePem',
      'keyIdentifier',
      'name',
      'sign',
      'subjectHash',
    ]);
    expect(inspect(authority, { depth: 9, showHidden: true }) + JSON.stringify(authority)).not.toMatch(
      /PRIVATE|PrivateKey/u,
    );
  });

  test.skipIf(programPath('openssl') === undefined)(
    `has the extensions that strict verifiers require, as OpenSSL prints them${reason('openssl')}`,
    async () => {
      const authority = createAuthority();
      const { stdout } = await run(['openssl', 'x509', '-noout', '-text', '-subject_hash'], {
        input: authority.certificatePem,
      });
      expect(stdout).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/u);
      expect(stdout).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/u);
      expect(stdout).toMatch(/Subject Key Identifier/u);
      expect(stdout).toMatch(/Authority Key Identifier/u);
      expect(stdout).toContain(`${authority.subjectHash}\n`);
    },
  );

  test.skipIf(programPath('openssl') === undefined)(
    `is found by OpenSSL in a hashed directory${reason('openssl')}`,
    async () => {
      const authority = createAuthority();
      const directory = scratch();
      const file = scratchFile('authority.pem', authority.certificatePem);
      await run(['cp', file, `${directory}/${authority.subjectHash}.0`]);
      expect(
        await run(['openssl', 'verify', '-x509_strict', '-no-CAfile', '-no-CAstore', '-CApath', directory, file]),
      ).toMatchObject({ status: 0 });
    },
  );
});

test('the subject hash ignores case and extra blanks, like OpenSSL’s', () => {
  expect(subjectHash('Holdfast  Session A')).toBe(subjectHash(' holdfast session a '));
  expect(subjectHash('a')).not.toBe(subjectHash('b'));
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test.each([
  ['192.0.2.1', 'c0000201'],
  ['0.0.0.0', '00000000'],
  ['255.255.255.255', 'ffffffff'],
  ['::1', '00000000000000000000000000000001'],
  ['2001:db8::ff', '20010db80000000000000000000000ff'],
])('the bytes of %s are %s', (text, expected) => {
  const address = normaliseHost(text)?.address;
  expect(address && hex(addressBytes(address))).toBe(expected);
});

test('a name of 64 characters is a common name, and one of 65 the empty name', () => {
  expect(hex(derName('a'.repeat(64)))).toContain('0603550403');
  expect(hex(derName('a'.repeat(65)))).toBe('3000');
});

test('only critical extensions carry the flag: false is the default, and DER omits defaults', () => {
  expect(hex(extension('2.5.29.14', 'critical', der.true()))).toBe('300d0603551d0e0101ff04030101ff');
  expect(hex(extension('2.5.29.14', 'optional', der.true()))).toBe('300a0603551d0e04030101ff');
});

test('serials are positive and never begin with a zero', () => {
  for (let round = 0; round < 300; round += 1) {
    const serial = randomSerial();
    expect(serial).toHaveLength(16);
    expect((serial[0] ?? 0) >> 6).toBe(1);
  }
});

test('alerts are fatal, and one record each', () => {
  expect(hex(alertRecord('unrecognizedName'))).toBe('15030300020270');
  expect(hex(alertRecord('missingExtension'))).toBe('1503030002026d');
  expect(hex(alertRecord('decodeError'))).toBe('15030300020232');
  expect(hex(alertRecord('accessDenied'))).toBe('15030300020231');
});
