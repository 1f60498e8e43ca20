import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { PolicyRequest } from './request.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import { connect, dns, http } from './testing/requests.ts';
import type { Verdict } from './verdict.ts';

const ask = (texts: PolicyTexts, request: PolicyRequest): Verdict => decide(policyFrom(texts), request);

describe('without any file the network is closed', () => {
  test.each([
    connect('example.com'),
    connect('127.0.0.1', 80),
    connect('::1', 80),
    connect('localhost', 3000),
    connect('10.0.0.1', 22),
    connect('example.com', 53, 'udp'),
    http('GET', 'https://example.com/'),
    dns('example.com'),
    dns('localhost'),
  ])('%j', (request) => {
    expect(ask({}, request)).toMatchObject({
      decision: 'deny',
      code: 'not-granted',
      rule: 'network.hosts.default',
      layer: 'user',
      file: 'built-in',
      line: 0,
    });
  });

  test.each([
    connect(''),
    connect('a b'),
    connect('exa\nmple.com'),
    connect('example.com', 0),
    connect('example.com', 65_536),
    connect('example.com', 1.5),
    connect('example.com', Number.NaN),
    http('GET', 'https://256.1.1.1/'),
    dns('a..b'),
    dns('x/y'),
  ])('%j is not a request', (request) => {
    expect(ask({ user: '[network]\nhosts = ["any"]' }, request)).toMatchObject({
      decision: 'deny',
      code: 'unrepresentable',
    });
  });
});

describe('hosts', () => {
  const user =
    '[network]\nhosts = ["example.com", "*.example.org:443", "10.0.0.0/8:5432", "localhost:3000"]\ndeny = ["bad.example.org"]';

  test.each([
    [connect('example.com'), 'allow'],
    [connect('example.com', 22), 'allow'],
    [connect('EXAMPLE.COM.'), 'allow'],
    [connect('www.example.com'), 'deny'],
    [connect('example.com.evil.test'), 'deny'],
    [connect('a.example.org'), 'allow'],
    [connect('a.b.example.org'), 'allow'],
    [connect('a.example.org', 80), 'deny'],
    [connect('example.org'), 'deny'],
    [connect('bad.example.org'), 'deny'],
    [connect('BAD.example.org.'), 'deny'],
    [connect('10.1.2.3', 5432), 'allow'],
    [connect('0xa010203', 5432), 'allow'],
    [connect('::ffff:10.1.2.3', 5432), 'allow'],
    [connect('10.1.2.3', 22), 'deny'],
    [connect('11.1.2.3', 5432), 'deny'],
    [connect('localhost', 3000), 'allow'],
    [connect('127.0.0.1', 3000), 'allow'],
    [connect('[::1]', 3000), 'allow'],
    [connect('localhost', 3001), 'deny'],
    [connect('example.com', 443, 'udp'), 'deny'],
  ])('%j: %s', (request, decision) => {
    expect(ask({ user }, request).decision).toBe(decision);
  });

  test('are named with file and line', () => {
    expect(ask({ user }, connect('10.1.2.3', 5432))).toMatchObject({
      rule: 'network.hosts[2]',
      file: 'user.toml',
      line: 3,
    });
    expect(ask({ user }, connect('bad.example.org'))).toMatchObject({
      rule: 'network.deny[0]',
      code: 'deny-set',
      line: 4,
    });
  });

  test('come from flags and proposals too', () => {
    const granted = [{ name: '--host', file: 'command line', grants: { network: { hosts: ['example.com:443'] } } }];
    expect(ask({ granted }, connect('example.com'))).toMatchObject({
      decision: 'allow',
      rule: '--host example.com:443',
    });
    expect(ask({ granted }, connect('example.com', 80)).decision).toBe('deny');
  });

  test('of a later layer are a ceiling', () => {
    const texts = { user, project: '[network]\nhosts = ["example.com:443"]' };
    expect(ask(texts, connect('example.com')).decision).toBe('allow');
    expect(ask(texts, connect('example.com', 80))).toMatchObject({
      decision: 'deny',
      code: 'outside-ceiling',
      layer: 'project',
      rule: 'network.hosts',
      line: 3,
    });
    expect(ask(texts, connect('other.test'))).toMatchObject({ code: 'not-granted', layer: 'user' });
    expect(ask({ user, project: '[network]\nhosts = []' }, connect('example.com')).code).toBe('outside-ceiling');
    expect(ask({ project: '[network]\nhosts = ["any"]' }, connect('example.com')).code).toBe('not-granted');
    expect(ask({ user, managed: '[network]\ndeny = ["example.com"]' }, connect('example.com'))).toMatchObject({
      decision: 'deny',
      layer: 'managed',
    });
  });

  test('any opens everything except denials', () => {
    const open = '[network]\nhosts = ["any"]\ndeny = ["*.evil.test", "169.254.169.254", "any:25"]';
    expect(ask({ user: open }, connect('whatever.test')).decision).toBe('allow');
    expect(ask({ user: open }, connect('x.evil.test')).decision).toBe('deny');
    expect(ask({ user: open }, connect('2852039166')).decision).toBe('deny');
    expect(ask({ user: open }, connect('mail.test', 25)).decision).toBe('deny');
  });
});

describe('connect rules', () => {
  const user = `[network]
hosts = ["*.example.com"]
[[connect]]
name = "database"
decision = "ask"
hosts = ["db.example.com"]
ports = [5432, "6000-6010"]
[[connect]]
name = "time"
decision = "allow"
hosts = ["time.test:123"]
protocol = "udp"
[[connect]]
name = "mirror"
decision = "redirect"
redirect_to = "mirror.test:443"
hosts = ["old.example.com"]
[[connect]]
name = "own-port"
decision = "audit"
hosts = ["a.example.com:81", "b.example.com"]
ports = [82]
`;

  test.each([
    [connect('db.example.com', 5432), 'ask', 'database'],
    [connect('db.example.com', 6010), 'ask', 'database'],
    [connect('db.example.com', 6011), 'allow', 'network.hosts[0]'],
    [connect('time.test', 123, 'udp'), 'allow', 'time'],
    [connect('time.test', 123), 'deny', 'network.hosts.default'],
    [connect('old.example.com'), 'redirect', 'mirror'],
    [connect('a.example.com', 81), 'audit', 'own-port'],
    [connect('a.example.com', 82), 'allow', 'network.hosts[0]'],
    [connect('b.example.com', 82), 'audit', 'own-port'],
    [connect('b.example.com', 81), 'allow', 'network.hosts[0]'],
  ])('%j: %s by %s', (request, decision, rule) => {
    expect(ask({ user }, request)).toMatchObject({ decision, rule });
  });

  test('of a later layer cannot allow', () => {
    expect(ask({ project: user }, connect('time.test', 123, 'udp'))).toMatchObject({ decision: 'deny', layer: 'user' });
    expect(ask({ user: '[network]\nhosts = ["any"]', project: user }, connect('db.example.com', 5432))).toMatchObject({
      decision: 'ask',
      layer: 'project',
    });
  });
});

describe('http rules', () => {
  const user = `[network]
hosts = ["api.test", "plain.test"]
deny = ["api.test:8080"]
[[http]]
name = "read-repos"
decision = "allow"
hosts = ["api.test"]
methods = ["get", "HEAD"]
paths = ["/repos/*"]
[[http]]
name = "no-admin"
decision = "deny"
hosts = ["any"]
paths = ["/admin", "/admin/*"]
[[http]]
name = "ask-writes"
decision = "ask"
hosts = ["api.test"]
schemes = ["https"]
`;

  test.each([
    [http('GET', 'https://api.test/repos/x'), 'allow', 'read-repos'],
    [http('head', 'https://api.test/repos/x'), 'allow', 'read-repos'],
    [http('POST', 'https://api.test/repos/x'), 'ask', 'ask-writes'],
    [http('GET', 'https://api.test/other'), 'ask', 'ask-writes'],
    [http('GET', 'http://api.test/other'), 'allow', 'network.hosts[0]'],
    [http('GET', 'https://plain.test/x'), 'allow', 'network.hosts[1]'],
    [http('GET', 'https://plain.test/admin'), 'deny', 'no-admin'],
    [http('GET', 'https://plain.test/admin/x'), 'deny', 'no-admin'],
    [http('GET', 'https://plain.test/%61dmin/x'), 'deny', 'no-admin'],
    [http('GET', 'https://plain.test/x/../admin'), 'deny', 'no-admin'],
    [http('GET', 'https://plain.test//admin'), 'deny', 'no-admin'],
    [http('GET', 'https://plain.test/administrator'), 'allow', 'network.hosts[1]'],
    [http('GET', 'https://api.test:8080/repos/x'), 'deny', 'network.deny[0]'],
    [http('GET', 'https://closed.test/x'), 'deny', 'network.hosts.default'],
  ])('%j: %s by %s', (request, decision, rule) => {
    expect(ask({ user }, request)).toMatchObject({ decision, rule });
  });

  test('of a later layer cannot open a closed host', () => {
    const project = '[[http]]\nname = "open"\ndecision = "allow"\nhosts = ["any"]';
    expect(ask({ project }, http('GET', 'https://x.test/'))).toMatchObject({ decision: 'deny', layer: 'user' });
  });
});

describe('look-ups', () => {
  test.each([
    ['hosts = ["example.com:443"]', 'example.com', 'allow'],
    ['hosts = ["example.com:443"]', 'EXAMPLE.com.', 'allow'],
    ['hosts = ["example.com:443"]', 'www.example.com', 'deny'],
    ['hosts = ["*.example.com"]', 'a.example.com', 'allow'],
    ['hosts = ["any"]', 'x.test', 'allow'],
    ['hosts = ["any"]\ndeny = ["x.test"]', 'x.test', 'deny'],
    ['hosts = ["any"]\ndeny = ["x.test:25"]', 'x.test', 'allow'],
    ['hosts = ["10.0.0.0/8"]', 'example.com', 'deny'],
  ])('%s: %s is %s', (network, name, decision) => {
    expect(ask({ user: `[network]\n${network}` }, dns(name)).decision).toBe(decision);
  });

  test('a name with a possible grant may be looked up, a wholly refused one may not', () => {
    const user = `[[connect]]
name = "refuse"
decision = "deny"
hosts = ["*.evil.test"]
[[connect]]
name = "refuse-a-port"
decision = "deny"
hosts = ["half.test:25"]
[[connect]]
name = "open"
decision = "ask"
hosts = ["any:443"]
`;
    expect(ask({ user }, dns('x.evil.test'))).toMatchObject({ decision: 'deny', rule: 'refuse' });
    expect(ask({ user }, dns('half.test'))).toMatchObject({ decision: 'redirect', rule: 'open' });
    expect(ask({ user: user.replace('"ask"', '"audit"') }, dns('half.test'))).toMatchObject({
      decision: 'allow',
      rule: 'open',
    });
  });

  // Attack: below a wildcard that asks, the name itself carries the stolen data to the zone's owner.
  test('a name that someone is asked about before a connection gets an address of the session, in every layer', () => {
    const open = '[network]\nhosts = ["*.test"]\n';
    const asks = '[[connect]]\nname = "first"\ndecision = "ask"\nhosts = ["*.a.test"]\n';
    for (const texts of [
      { user: asks },
      { user: open + asks },
      { user: open, project: asks },
      { user: open, managed: asks },
    ]) {
      expect(ask(texts, dns('secret.a.test'))).toMatchObject({
        decision: 'redirect',
        rule: 'first',
        redirectTo: 'an address of the session',
      });
    }
    expect(ask({ user: open + asks }, dns('secret.a.test')).message).toMatch(
      /goes to an address of the session instead: first of/u,
    );
    expect(ask({ user: open + asks }, dns('b.test')).decision).toBe('allow');
    expect(ask({ user: `[network]\ndeny = ["x.a.test"]\n${asks}` }, dns('x.a.test')).decision).toBe('deny');
  });

  test('rules about look-ups come first', () => {
    const user =
      '[network]\nhosts = ["any"]\n[[dns]]\nname = "no-text"\ndecision = "deny"\nnames = ["any"]\ntypes = ["txt"]';
    expect(ask({ user }, dns('x.test', 'TXT'))).toMatchObject({ decision: 'deny', rule: 'no-text' });
    expect(ask({ user }, dns('x.test', 'A')).decision).toBe('allow');
  });

  test('a ceiling of hosts is one of names', () => {
    const texts = { user: '[network]\nhosts = ["any"]', project: '[network]\nhosts = ["example.com:443"]' };
    expect(ask(texts, dns('example.com')).decision).toBe('allow');
    expect(ask(texts, dns('other.test'))).toMatchObject({
      decision: 'deny',
      layer: 'project',
      code: 'outside-ceiling',
    });
  });
});
