import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientRefusal, handshakeRefusal, nameRefusal } from './terminate.ts';
import { DeadlinePassed } from './deadline.ts';
import { upstreamRefusal } from './upstream.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const host = 'api.example.com';
const coded = (code: string): Error => Object.assign(new Error('text of OpenSSL'), { code });
/** One line for a person and a model: lower case, no full stop, no control characters. */
const line = /^[a-z][^\p{Cc}\p{Zl}\p{Zp}]*[^.]$/u;

describe('the reason of a refused client', () => {
  test.each([
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', "does not trust the session's certificate authority"],
    ['ERR_SSL_SSL/TLS_ALERT_UNKNOWN_CA', "does not trust the session's certificate authority"],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', "does not trust the session's certificate authority"],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', "does not trust the session's certificate authority"],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', "does not trust the session's certificate authority"],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', "does not trust the session's certificate authority"],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'TLS 1.1 or older'],
    ['ERR_SSL_NO_SHARED_CIPHER', 'no cipher suite that is safe'],
    ['ERR_SSL_NO_APPLICATION_PROTOCOL', 'neither HTTP/1.1 nor HTTP/2'],
    ['ECONNRESET', 'broke off the TLS handshake to api.example.com (ECONNRESET)'],
    ['ERR_SSL_BAD_KEY_SHARE', '(ERR_SSL_BAD_KEY_SHARE)'],
    ['not a code at all', 'broke off the TLS handshake to api.example.com'],
  ])('%s', (code, words) => {
    const refusal = handshakeRefusal(host, coded(code));
    expect(refusal.code).toBe('client-tls');
    expect(refusal.message).toContain(words);
    expect(refusal.message).not.toContain('text of OpenSSL');
    expect(refusal.message).toMatch(line);
    expect(refusal.remedy).toMatch(line);
  });

  test.each([
    [{ kind: 'not-tls' }, 'does not speak TLS'],
    [{ kind: 'malformed', reason: 'an extension appears twice' }, 'malformed: an extension appears twice'],
    [{ kind: 'ended' }, 'before its TLS hello was complete'],
    [{ kind: 'too-slow' }, 'in time'],
  ] as const)('%j', (problem, words) => {
    const refusal = clientRefusal(host, problem);
    expect(refusal.message).toContain(words);
    expect(refusal.message).toMatch(line);
    expect(refusal.remedy).toMatch(line);
  });

  test('a name that differs from the judged one', () => {
    const refusal = nameRefusal(
      host,
      { serverName: 'evil.example', alpn: [], encryptedHello: 'absent', length: 1 },
      'sometimes',
    );
    expect(refusal?.message).toMatch(line);
    expect(refusal?.remedy).toMatch(line);
  });
});

describe('the reason of a refused server', () => {
  test.each([
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'upstream-certificate', 'is for another host'],
    ['CERT_HAS_EXPIRED', 'upstream-certificate', 'has expired'],
    ['CERT_NOT_YET_VALID', 'upstream-certificate', 'not valid yet'],
    ['CERT_REVOKED', 'upstream-certificate', 'has been revoked'],
    ['CERT_DISTRUSTED', 'upstream-certificate', 'list of distrusted certificates'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'upstream-certificate', 'signed by itself'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'upstream-certificate', 'does not trust'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'upstream-certificate', 'does not know'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'upstream-certificate', 'without the certificate of the authority'],
    ['CERT_SIGNATURE_FAILURE', 'upstream-certificate', 'signature that is wrong'],
    ['UNSPECIFIED', 'upstream-certificate', 'cannot be verified'],
    ['ECONNRESET', 'upstream-protocol', 'closed the connection'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'upstream-protocol', 'does not speak TLS'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'upstream-protocol', '(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)'],
    ['odd', 'upstream-protocol', 'closed the connection'],
  ])('%s', (code, kind, words) => {
    const refusal = upstreamRefusal({ host, problem: coded(code) });
    expect(refusal).toMatchObject({ code: kind, message: expect.stringContaining(words) });
    expect(refusal.message).toMatch(line);
    expect(refusal.remedy).toMatch(line);
    expect(refusal.remedy).not.toContain('HOST');
  });

  test('time', () => {
    expect(upstreamRefusal({ host, problem: new DeadlinePassed() })).toMatchObject({
      code: 'upstream-timeout',
      message: `${host} did not finish the TLS handshake in time`,
    });
  });
});

test('for any error and any certificate, the message stays on one line', () => {
  const problem = fc.oneof(
    fc.anything(),
    fc.string({ unit: 'binary' }).map(coded),
    fc
      .string({ unit: 'binary', maxLength: 200 })
      .map((names) =>
        Object.assign(coded('ERR_TLS_CERT_ALTNAME_INVALID'), { cert: { subjectaltname: `DNS:${names}` } }),
      ),
  );
  fc.assert(
    fc.property(problem, (value) => {
      for (const { message, remedy } of [handshakeRefusal(host, value), upstreamRefusal({ host, problem: value })]) {
        expect(message).toMatch(line);
        expect(remedy).toMatch(line);
        expect(message.length).toBeLessThan(600);
      }
    }),
    { numRuns: rounds(500) },
  );
});
