import { describe, expect, test } from 'vitest';
import { checkPolicy, type Mechanism } from './check-policy.ts';
import { decisions } from './verdict.ts';
import type { Problem } from './document/problem.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';

const kinds = ['connect', 'http', 'dns', 'udp', 'forward', 'passthrough', 'ca', 'real-dns'] as const;
const mechanisms = new Set(kinds.flatMap((kind) => decisions.map((decision): Mechanism => `${kind}.${decision}`)));
const problems = (texts: PolicyTexts, missing?: Mechanism): readonly Problem[] =>
  checkPolicy(policyFrom(texts), {
    approver: 'present',
    mechanisms: new Set([...mechanisms].filter((each) => each !== missing)),
  });

describe("the host's loopback", () => {
  test.each([
    ['hosts = ["localhost"]', 'every port'],
    ['hosts = ["127.0.0.1"]', 'every port'],
    ['hosts = ["::1"]', 'every port'],
    ['hosts = ["127.0.0.0/8"]', 'every port'],
    ['hosts = ["localhost:1-60000"]', '60000 ports'],
  ])('%s opens more than there can be doors', (line, size) => {
    expect(problems({ user: `[network]\n${line}` })).toEqual([
      {
        code: 'HF_POLICY_INVALID',
        file: 'user.toml',
        line: 3,
        message: expect.stringContaining(`opens ${size} of the host's loopback`),
        remedy: expect.stringContaining('"localhost:3000"'),
      },
    ]);
  });

  test('a flag is named as one', () => {
    const granted = [{ name: '--host', file: 'command line', grants: { network: { hosts: ['localhost'] } } }];
    expect(problems({ granted })).toMatchObject([{ file: 'command line', line: 0 }]);
  });

  test.each<PolicyTexts>([
    { user: '[network]\nhosts = ["localhost:3000", "localhost:8000-9000", "any", "10.0.0.0/8"]' },
    { user: '[network]\nhosts = ["localhost:3000"]', project: '[network]\nhosts = ["localhost"]' },
    { user: '[network]\nhosts = ["any"]\ndeny = ["localhost"]' },
  ])('%j is not part of it', (texts) => {
    expect(problems(texts)).toEqual([]);
  });
});

describe('TLS that passes through', () => {
  const passthrough = '[network]\npassthrough = ["pinned.test"]\n';
  const rule = (name: string, body: string, decision = 'deny'): string =>
    `[[http]]\nname = "${name}"\ndecision = "${decision}"\n${body}\n`;

  test.each([
    ['hosts = ["pinned.test"]'],
    ['hosts = ["any"]'],
    ['hosts = ["*.test"]'],
    ['hosts = ["other.test", "pinned.test:443"]'],
    ['hosts = ["pinned.test"]\nschemes = ["https"]'],
    ['hosts = ["pinned.test"]\nmethods = ["POST"]\npaths = ["/admin"]'],
  ])('a rule with %j could not be enforced', (body) => {
    const found = [
      {
        code: 'HF_POLICY_INVALID',
        file: 'user.toml',
        line: 3,
        message: expect.stringMatching(
          /^"pinned\.test" passes TLS through, so no-admin of (?:user|managed|project)\.toml:\d+ could never be enforced there$/,
        ),
        remedy: expect.stringContaining('network.passthrough'),
      },
    ];
    expect(problems({ user: passthrough + rule('no-admin', body) })).toEqual(found);
    expect(problems({ user: passthrough, managed: rule('no-admin', body) })).toEqual(found);
    expect(problems({ user: passthrough, project: rule('no-admin', body) })).toEqual(found);
  });

  test.each([['hosts = ["other.test"]'], ['hosts = ["*.pinned.test"]'], ['hosts = ["10.0.0.0/8"]']])(
    'a rule with %j is about others',
    (body) => {
      expect(problems({ user: passthrough + rule('no-admin', body) })).toEqual([]);
    },
  );

  test('a rule about another port is about others', () => {
    expect(
      problems({
        user: `[network]\npassthrough = ["pinned.test:443"]\n${rule('no-admin', 'hosts = ["pinned.test"]\nports = [80]')}`,
      }),
    ).toEqual([]);
  });

  test('an earlier rule that allows everything there excuses it, in its own policy', () => {
    const excuse = rule('pinned', 'hosts = ["pinned.test"]', 'allow');
    const all = rule('no-post', 'hosts = ["any"]\nmethods = ["POST"]');
    expect(problems({ user: passthrough + excuse + all })).toEqual([]);
    expect(problems({ user: passthrough + all + excuse })).toHaveLength(1);
    expect(problems({ user: passthrough + excuse, managed: all })).toHaveLength(1);
    expect(
      problems({ user: passthrough + rule('pinned', 'hosts = ["pinned.test"]\nmethods = ["GET"]', 'allow') + all }),
    ).toHaveLength(1);
    expect(problems({ user: passthrough + rule('pinned', 'hosts = ["pinned.test"]', 'audit') + all })).toHaveLength(1);
    expect(problems({ user: passthrough + rule('pinned', 'hosts = ["pinned.test:80"]', 'allow') + all })).toHaveLength(
      1,
    );
  });
});

describe('forwards', () => {
  test('two that want the same port of the host cannot both be shown', () => {
    expect(problems({ user: '[network]\nforward = ["3000:3000",\n"3000:8080", 8080]' })).toEqual([
      {
        code: 'HF_POLICY_INVALID',
        file: 'user.toml',
        line: 4,
        message: 'port 3000 of the host would show both port 3000 and port 8080 of the box',
        remedy: expect.stringContaining('3001:3000'),
      },
    ]);
    const granted = [{ name: 'proposal dev', file: 'holdfast.toml', grants: { network: { forward: ['3000:8080'] } } }];
    expect(problems({ user: '[network]\nforward = [3000]', granted })).toMatchObject([{ file: 'holdfast.toml' }]);
  });

  test('one port of the box may be shown twice, and one forward be said twice', () => {
    expect(problems({ user: '[network]\nforward = [3000, "3000:3000", "3001:3000"]' })).toEqual([]);
  });
});

describe('something has to be there to carry it out', () => {
  const udp = (decision: string): string =>
    `[[connect]]\nname = "r"\ndecision = "${decision}"\nhosts = ["a.test:53"]\nprotocol = "udp"`;

  test.each<[string, Mechanism, RegExp]>([
    ['[network]\npresets = ["npm"]', 'connect.allow', /"network\.presets\[0\]" needs "allow" for connect requests/],
    [
      '[network]\nforward = [3000]',
      'forward.allow',
      /"network\.forward\[0\]" needs "allow" for ports shown on the host/,
    ],
    ['[network]\npassthrough = ["x.test"]', 'passthrough.allow', /for TLS that passes through/],
    ['[network]\nca = ["/etc/corp.pem"]', 'ca.allow', /for further certificate authorities/],
    ['[network]\ndns = "real"', 'real-dns.allow', /"network\.dns" needs "allow" for real addresses in the box/],
    [udp('allow'), 'udp.allow', /"r" needs "allow" for UDP/],
    [udp('audit'), 'udp.audit', /for UDP/],
  ])('%j needs %s', (user, mechanism, message) => {
    expect(problems({ user })).toEqual([]);
    expect(problems({ user }, mechanism)).toMatchObject([
      { file: 'user.toml', message: expect.stringMatching(message) },
    ]);
  });

  test('refusing UDP and made-up addresses need nothing new', () => {
    expect(problems({ user: `[network]\ndns = "fake"\n${udp('deny')}` }, 'udp.deny')).toEqual([]);
    expect(problems({ user: udp('deny') }, 'connect.deny')).toHaveLength(1);
  });
});
