import { describe, expect, test } from 'vitest';
import { tlsTreatment } from '../index.ts';
import { policyFrom } from '../testing/policies.ts';

const rule = (body: string): string => `[[http]]\nname = "r"\ndecision = "deny"\n${body}\n`;

describe('TLS is ended where a rule about requests could say something', () => {
  test.each([
    ['hosts = ["api.test"]', 'api.test', 443, 'intercept'],
    ['hosts = ["api.test"]', 'API.test.', 443, 'intercept'],
    ['hosts = ["api.test"]', 'api.test', 8443, 'intercept'],
    ['hosts = ["api.test"]', 'other.test', 443, 'splice'],
    ['hosts = ["*.test"]', 'api.test', 443, 'intercept'],
    ['hosts = ["api.test:8443"]', 'api.test', 443, 'splice'],
    ['hosts = ["api.test"]\nports = [8443, "9000-9010"]', 'api.test', 9005, 'intercept'],
    ['hosts = ["api.test"]\nports = [8443]', 'api.test', 443, 'splice'],
    ['hosts = ["any"]\nmethods = ["POST"]', 'whatever.test', 443, 'intercept'],
    ['hosts = ["api.test"]\nschemes = ["http"]', 'api.test', 80, 'intercept'],
    ['hosts = ["10.0.0.0/8"]', '10.1.2.3', 443, 'intercept'],
    ['hosts = ["10.0.0.0/8"]', 'named.test', 443, 'splice'],
    ['hosts = ["localhost:3000"]', '127.0.0.1', 3000, 'intercept'],
  ])('%j: %s:%i', (...[body, host, port, expected]) => {
    for (const kind of ['managed', 'user', 'project', 'session'] as const) expect(tlsTreatment(policyFrom({ [kind]: rule(body) }), { host, port })).toBe(expected);
  });

  test('rules about connections are no reason', () => {
    const user = '[network]\nhosts = ["api.test"]\n[[connect]]\nname = "r"\ndecision = "audit"\nhosts = ["api.test"]';
    expect(tlsTreatment(policyFrom({ user }), { host: 'api.test', port: 443 })).toBe('splice');
    expect(tlsTreatment(policyFrom(), { host: 'api.test', port: 443 })).toBe('splice');
  });
});

describe('hosts that pass', () => {
  const user = '[network]\npassthrough = ["pinned.test", "*.bank.test:443"]';

  test.each([
    ['pinned.test', 443, 'passthrough'],
    ['PINNED.test', 8443, 'passthrough'],
    ['a.bank.test', 443, 'passthrough'],
    ['a.bank.test', 8443, 'intercept'],
    ['bank.test', 443, 'intercept'],
  ])('%s:%i is %s', (host, port, expected) => {
    expect(tlsTreatment(policyFrom({ user, project: rule('hosts = ["any"]') }), { host, port })).toBe(expected);
  });

  test('may be named by whoever manages the machine', () => {
    expect(tlsTreatment(policyFrom({ managed: user, user: rule('hosts = ["any"]') }), { host: 'pinned.test', port: 443 })).toBe('passthrough');
  });
});

test.each(['', 'a b', 'x\0.test', '256.1.1.1'])('%j is carried nowhere unseen', (host) => {
  expect(tlsTreatment(policyFrom(), { host, port: 443 })).toBe('intercept');
});
