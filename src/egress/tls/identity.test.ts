import type { DetailedPeerCertificate } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { identityCheck } from './upstream.ts';

/** As Node hands it over; `issuer` of a root is itself. */
function peer(parts: {
  readonly name?: string | readonly string[];
  readonly names?: string;
  readonly fingerprint?: string;
  readonly issuer?: DetailedPeerCertificate | 'itself' | 'nobody';
}): DetailedPeerCertificate {
  const { name = 'x', names, fingerprint = 'AA', issuer = 'itself' } = parts;
  const certificate: Record<string, unknown> = {
    subject: { CN: name, O: 'Org' },
    fingerprint256: fingerprint,
    ...(names !== undefined && { subjectaltname: names }),
  };
  if (issuer !== 'nobody') certificate['issuerCertificate'] = issuer === 'itself' ? certificate : issuer;
  return certificate as unknown as DetailedPeerCertificate;
}

const nobody: ReadonlySet<string> = new Set();

describe('a certificate belongs to a host', () => {
  test.each<{
    readonly what: string;
    readonly host: string;
    readonly names?: string;
    readonly outcome: 'held' | 'refused';
  }>([
    { what: 'its name', host: 'a.test', names: 'DNS:a.test', outcome: 'held' },
    { what: 'one of its names', host: 'b.test', names: 'DNS:a.test, DNS:b.test', outcome: 'held' },
    { what: 'a name under its wildcard', host: 'b.a.test', names: 'DNS:*.a.test', outcome: 'held' },
    { what: 'the parent of its wildcard', host: 'a.test', names: 'DNS:*.a.test', outcome: 'refused' },
    { what: 'a name two below its wildcard', host: 'c.b.a.test', names: 'DNS:*.a.test', outcome: 'refused' },
    { what: 'any name, by a wildcard alone', host: 'test', names: 'DNS:*', outcome: 'refused' },
    { what: 'its address', host: '192.0.2.1', names: 'IP Address:192.0.2.1', outcome: 'held' },
    { what: 'an address that it writes as a name', host: '192.0.2.1', names: 'DNS:192.0.2.1', outcome: 'refused' },
    { what: 'the name in its address', host: 'a.test', names: 'IP Address:192.0.2.1', outcome: 'refused' },
    { what: 'a name in a URI', host: 'a.test', names: 'URI:https://a.test/', outcome: 'refused' },
    { what: 'its common name only', host: 'a.test', outcome: 'refused' },
    { what: 'its common name beside other names', host: 'a.test', names: 'DNS:b.test', outcome: 'refused' },
    {
      what: 'a name behind a quoted comma (CVE-2021-44532)',
      host: 'evil.test',
      names: 'DNS:"a.test, DNS:evil.test"',
      outcome: 'refused',
    },
  ])('$what', ({ host, names, outcome }) => {
    const error = identityCheck(nobody)(host, peer({ name: 'a.test', ...(names !== undefined && { names }) }));
    expect(error === undefined ? 'held' : 'refused').toBe(outcome);
    if (error !== undefined) expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });
});

describe('a distrusted certificate', () => {
  const root = peer({ name: 'Root', fingerprint: 'R0' });
  const middle = peer({ name: 'Middle', fingerprint: 'M0', issuer: root });
  const leaf = peer({ name: 'a.test', names: 'DNS:a.test', fingerprint: 'L0', issuer: middle });
  const check = (...distrusted: readonly string[]): Error | undefined =>
    identityCheck(new Set(distrusted))('a.test', leaf);

  test.each(['a.test', 'Middle', 'Root', 'Org', 'L0', 'M0', 'R0'])('is found by %s, anywhere in the chain', (entry) => {
    expect(check('another', entry)).toMatchObject({ code: 'CERT_DISTRUSTED' });
  });

  test.each(['', 'root', 'undefined', 'test', 'R'])('is not found by the entry %j', (entry) => {
    expect(check(entry)).toBeUndefined();
  });

  test('is found among several common names', () => {
    const odd = peer({ name: ['harmless', 'DigiNotar Root CA'], names: 'DNS:a.test' });
    expect(identityCheck(new Set(['DigiNotar Root CA']))('a.test', odd)).toMatchObject({ code: 'CERT_DISTRUSTED' });
  });

  test('is checked after the name', () => {
    expect(identityCheck(new Set(['Root']))('b.test', leaf)).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('incomplete and circular chains come to an end', () => {
    const open = peer({ names: 'DNS:a.test', issuer: 'nobody' });
    expect(identityCheck(new Set(['Root']))('a.test', open)).toBeUndefined();
    const first = peer({ names: 'DNS:a.test', issuer: 'nobody' });
    const second = peer({ issuer: first });
    Object.assign(first, { issuerCertificate: second });
    expect(identityCheck(new Set(['Root']))('a.test', first)).toBeUndefined();
  });
});
