import { describe, expect, test } from 'vitest';
import { policyFrom } from '../testing/policies.ts';
import { passesUnasked, tlsTreatment } from './tls-treatment.ts';

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
    const user = '[network]\nhosts = ["any", "10.0.0.0/8", "localhost"]\n';
    for (const kind of ['managed', 'user', 'project', 'session'] as const)
      expect(
        tlsTreatment(policyFrom({ user, [kind]: kind === 'user' ? user + rule(body) : rule(body) }), { host, port }),
      ).toBe(expected);
  });

  test('rules about connections are no reason', () => {
    const user = '[network]\nhosts = ["api.test"]\n[[connect]]\nname = "r"\ndecision = "audit"\nhosts = ["api.test"]';
    expect(tlsTreatment(policyFrom({ user }), { host: 'api.test', port: 443 })).toBe('splice');
    expect(tlsTreatment(policyFrom(), { host: 'api.test', port: 443 })).toBe('splice');
  });
});

describe('without a reason to end TLS', () => {
  const user = '[network]\nhosts = ["any"]';
  test.each([
    [80, 'plain'],
    [8080, 'plain'],
    [443, 'splice'],
    [22, 'splice'],
  ])('port %i: %s', (port, expected) => {
    expect(tlsTreatment(policyFrom({ user }), { host: 'api.test', port })).toBe(expected);
  });

  test('nothing is read if nothing could pass', () => {
    expect(tlsTreatment(policyFrom(), { host: 'api.test', port: 80 })).toBe('splice');
  });
});

describe('inspect = "every-host"', () => {
  const inspect = '[network]\ninspect = "every-host"';
  const user = '[network]\nhosts = ["any"]\npassthrough = ["pinned.test"]';

  test('of any layer counts, passthrough included', () => {
    for (const kind of ['managed', 'project', 'session'] as const)
      for (const host of ['api.test', 'pinned.test'])
        expect(tlsTreatment(policyFrom({ user, [kind]: inspect }), { host, port: 443 })).toBe('intercept');
    expect(tlsTreatment(policyFrom({ user }), { host: 'pinned.test', port: 443 })).toBe('passthrough');
  });

  test('another layer does not loosen it', () => {
    const texts = { user: `${user}\ninspect = "where-needed"`, managed: inspect };
    expect(tlsTreatment(policyFrom(texts), { host: 'api.test', port: 443 })).toBe('intercept');
  });
});

// Attack: intercepting looks up the name before any request is decided. A repository's own rule would make that a
// tunnel.
describe('nothing is intercepted if no request could be allowed', () => {
  const about = (decision: string): string =>
    `[[http]]\nname = "r"\ndecision = "${decision}"\nhosts = ["*.evil.test"]\nmethods = ["GET"]\n`;
  const to = { host: 'secret.evil.test', port: 443 };

  test.each(['deny', 'allow', 'audit'])('a project\'s rule that decides "%s" opens nothing', (decision) => {
    expect(tlsTreatment(policyFrom({ project: about(decision) }), to)).toBe('splice');
    expect(tlsTreatment(policyFrom({ user: '[network]\nhosts = ["other.test"]', project: about(decision) }), to)).toBe(
      'splice',
    );
  });

  test('nor does a rule of the user that refuses', () => {
    expect(tlsTreatment(policyFrom({ user: about('deny') }), to)).toBe('splice');
    expect(tlsTreatment(policyFrom({ user: about('allow') }), to)).toBe('intercept');
    expect(tlsTreatment(policyFrom({ user: `[network]\nhosts = ["*.evil.test"]\n${about('deny')}` }), to)).toBe(
      'intercept',
    );
  });

  test('nor under a deny set, in any layer', () => {
    const denied = '[network]\ndeny = ["*.evil.test"]\n';
    expect(tlsTreatment(policyFrom({ user: `[network]\ndeny = ["secret.evil.test"]\n${about('allow')}` }), to)).toBe(
      'splice',
    );
    expect(tlsTreatment(policyFrom({ user: about('allow'), project: denied }), to)).toBe('splice');
    expect(tlsTreatment(policyFrom({ user: about('allow'), project: '[network]\nhosts = ["other.test"]' }), to)).toBe(
      'splice',
    );
  });
});

describe('hosts that pass', () => {
  const user = '[network]\nhosts = ["any"]\npassthrough = ["pinned.test", "*.bank.test:443"]';

  test.each([
    ['pinned.test', 443, 'passthrough'],
    ['PINNED.test', 8443, 'passthrough'],
    ['a.bank.test', 443, 'passthrough'],
    ['a.bank.test', 8443, 'intercept'],
    ['bank.test', 443, 'intercept'],
  ])('%s:%i is %s', (host, port, expected) => {
    expect(tlsTreatment(policyFrom({ user, project: rule('hosts = ["any"]') }), { host, port })).toBe(expected);
  });

  test('may be named by anyone who manages the machine', () => {
    expect(
      tlsTreatment(
        policyFrom({
          managed: '[network]\npassthrough = ["pinned.test"]',
          user: '[network]\nhosts = ["any"]\n' + rule('hosts = ["any"]'),
        }),
        { host: 'pinned.test', port: 443 },
      ),
    ).toBe('passthrough');
  });
});

test.each(['', 'a b', 'x\0.test', '256.1.1.1'])('%j is carried nowhere unseen', (host) => {
  expect(tlsTreatment(policyFrom(), { host, port: 443 })).toBe('intercept');
});

describe('a request could pass without a person’s answer', () => {
  const connect = (decision: string): string =>
    `[[connect]]\nname = "c"\ndecision = "${decision}"\nhosts = ["*.a.test"]\n`;
  const http = (decision: string): string =>
    `[[http]]\nname = "h"\ndecision = "${decision}"\nhosts = ["*.a.test"]\nmethods = ["GET"]\n`;
  const hosts = '[network]\nhosts = ["*.a.test"]\n';

  test.each<readonly [string, string, boolean]>([
    ['nothing', '', false],
    ['a list', hosts, true],
    ['a rule that allows', connect('allow'), true],
    ['a rule that asks', connect('ask'), false],
    ['a rule that asks before the list', hosts + connect('ask'), false],
    ['requests that are asked about', http('ask'), false],
    ['requests that are asked about, at a host of the list', hosts + http('ask'), true],
    ['requests that are allowed', http('allow'), true],
    ['requests that are allowed on connections that are asked about', connect('ask') + http('allow'), true],
    ['requests that are refused on connections that are asked about', connect('ask') + http('deny'), false],
    ['a deny set', `[network]\nhosts = ["*.a.test"]\ndeny = ["x.a.test"]\n${http('allow')}`, false],
  ])('%s', (...[, user, expected]) => {
    expect(passesUnasked(policyFrom({ user }), { host: 'x.a.test', port: 443 })).toBe(expected);
  });

  test.each(['managed', 'project'] as const)('not where a policy of the %s asks as well', (kind) => {
    expect(passesUnasked(policyFrom({ user: hosts, [kind]: connect('ask') }), { host: 'x.a.test', port: 443 })).toBe(
      false,
    );
    expect(
      passesUnasked(policyFrom({ user: hosts, [kind]: `[network]\nhosts = ["other.test"]` }), {
        host: 'x.a.test',
        port: 443,
      }),
    ).toBe(false);
  });

  test('not without a host', () => {
    expect(passesUnasked(policyFrom({ user: '[network]\nhosts = ["any"]' }), { host: 'a b', port: 443 })).toBe(false);
  });
});
