import { describe, expect, test } from 'vitest';
import { places, policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { networkPlan, type OpenDemand } from './network-plan.ts';

function open(texts: PolicyTexts): OpenDemand {
  const plan = networkPlan(policyFrom(texts));
  if (plan.kind === 'closed') throw new Error('the network is closed');
  return plan;
}
const network = (lines: string): string => `[network]\n${lines}`;

describe('a network is closed', () => {
  test.each<[string, PolicyTexts]>([
    ['by default', {}],
    ['without a grant of the user', { project: network('hosts = ["any"]\npresets = ["npm"]\nforward = [3000]') }],
    ['when a project grants nothing', { user: network('hosts = ["any"]'), project: network('hosts = []') }],
    [
      'when no port is granted by all',
      { user: network('hosts = ["a.test:80"]'), project: network('hosts = ["a.test:443"]') },
    ],
    ['when everything is refused', { user: network('hosts = ["a.test"]'), managed: network('deny = ["any"]') }],
    [
      'when only UDP is opened',
      { user: '[[connect]]\nname = "r"\ndecision = "allow"\nhosts = ["a.test:53"]\nprotocol = "udp"' },
    ],
    ['when rules only refuse', { user: '[[connect]]\nname = "r"\ndecision = "deny"\nhosts = ["any"]' }],
    ['when rules about requests only refuse', { user: '[[http]]\nname = "r"\ndecision = "deny"\nhosts = ["any"]' }],
    ['with settings alone', { user: network('dns = "real"\nca = ["/etc/corp.pem"]\npassthrough = ["x.test"]') }],
  ])('%s', (_, texts) => {
    expect(networkPlan(policyFrom(texts))).toEqual({ kind: 'closed' });
  });
});

describe('ports', () => {
  test.each<[PolicyTexts, OpenDemand['ports']]>([
    [{ user: network('hosts = ["a.test:443"]') }, [{ from: 443, to: 443 }]],
    [
      { user: network('hosts = ["a.test:443", "b.test:80", "c.test:440-442"]') },
      [
        { from: 80, to: 80 },
        { from: 440, to: 443 },
      ],
    ],
    [{ user: network('hosts = ["a.test", "b.test:80"]') }, 'every'],
    [{ user: network('hosts = ["any:443"]') }, [{ from: 443, to: 443 }]],
    [{ user: network('presets = ["npm"]') }, [{ from: 443, to: 443 }]],
    [
      { user: network('presets = ["github", "debian"]') },
      [
        { from: 22, to: 22 },
        { from: 80, to: 80 },
        { from: 443, to: 443 },
      ],
    ],
    [{ user: network('hosts = ["10.0.0.0/8:5432"]') }, [{ from: 5432, to: 5432 }]],
    [
      { user: '[[connect]]\nname = "r"\ndecision = "ask"\nhosts = ["a.test"]\nports = [22, "8000-8001"]' },
      [
        { from: 22, to: 22 },
        { from: 8000, to: 8001 },
      ],
    ],
    [{ user: '[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["a.test"]\nports = [443]' }, [{ from: 443, to: 443 }]],
    [
      {
        user: `${network('hosts = ["b.test:22"]')}\n[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["a.test:8443"]\nmethods = ["GET"]`,
      },
      [
        { from: 22, to: 22 },
        { from: 8443, to: 8443 },
      ],
    ],
    [{ user: network('hosts = ["any"]'), project: network('hosts = ["a.test:443"]') }, [{ from: 443, to: 443 }]],
    [{ user: network('hosts = ["any"]'), project: network('presets = ["npm"]') }, [{ from: 443, to: 443 }]],
    [{ user: network('hosts = ["any"]'), project: network('deny = ["x.test"]') }, 'every'],
    [
      {
        user: network('hosts = ["a.test:80-100"]'),
        project: network('hosts = ["any:90-200"]'),
        managed: network('hosts = ["any:1-95"]'),
      },
      [{ from: 90, to: 95 }],
    ],
    [
      { granted: [{ name: '--preset', file: 'command line', grants: { network: { presets: ['npm'] } } }] },
      [{ from: 443, to: 443 }],
    ],
  ])('%j', (texts, ports) => {
    expect(open(texts).ports).toEqual(ports);
  });

  test('of loopback alone need no other entrance', () => {
    expect(open({ user: network('hosts = ["localhost:3000"]') })).toMatchObject({ ports: [], loopbackPorts: [3000] });
  });
});

describe("ports of the host's loopback", () => {
  test.each<[PolicyTexts, readonly number[]]>([
    [
      { user: network('hosts = ["localhost:3000", "localhost:3000-3002", "127.0.0.1:80", "[::1]:81"]') },
      [80, 81, 3000, 3001, 3002],
    ],
    [{ user: network('hosts = ["localhost:3000-3001", "x.test"]\ndeny = ["any:3000"]') }, [3001]],
    [{ user: network('hosts = ["any"]') }, []],
    [{ user: network('hosts = ["0.0.0.0/0:80"]') }, []],
    [{ user: network('hosts = ["10.0.0.0/8:80"]') }, []],
    [
      { user: network('hosts = ["localhost:3000-3005"]'), project: network('hosts = ["localhost:3002-3010"]') },
      [3002, 3003, 3004, 3005],
    ],
    [{ user: network('hosts = ["localhost:3000", "x.test"]'), project: network('hosts = ["x.test"]') }, []],
    [{ user: network('hosts = ["any"]'), project: network('hosts = ["localhost:3000"]') }, []],
    [
      {
        user: `${network('hosts = ["x.test"]')}\n[[connect]]\nname = "r"\ndecision = "allow"\nhosts = ["localhost"]\nports = [5432]`,
      },
      [5432],
    ],
    [
      {
        user: `${network('hosts = ["x.test"]')}\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "db.test:5432"\nhosts = ["localhost:5432"]`,
      },
      [5432],
    ],
    [
      {
        user: `${network('hosts = ["x.test"]')}\n[[connect]]\nname = "r"\ndecision = "deny"\nhosts = ["localhost:5432"]`,
      },
      [],
    ],
  ])('%j', (texts, ports) => {
    const plan = networkPlan(policyFrom(texts));
    expect(plan.kind === 'open' ? plan.loopbackPorts : []).toEqual(ports);
  });

  test('are never listed by the thousand', () => {
    expect(
      open({ user: network('hosts = ["x.test", "localhost", "localhost:1-60000", "localhost:5"]') }).loopbackPorts,
    ).toEqual([5]);
  });
});

describe('forwards', () => {
  test.each<[PolicyTexts, OpenDemand['forward']]>([
    [
      { user: network('forward = [8080, "3000:8081"]') },
      [
        { host: 8080, box: 8080 },
        { host: 3000, box: 8081 },
      ],
    ],
    [{ user: network('forward = [8080, "8080:8080"]') }, [{ host: 8080, box: 8080 }]],
    [
      { user: network('forward = [8080, 9090]'), project: network('forward = [9090, 7070]') },
      [{ host: 9090, box: 9090 }],
    ],
    [{ user: network('forward = [8080]'), project: network('hosts = []') }, [{ host: 8080, box: 8080 }]],
    [
      {
        granted: [
          { name: 'proposal dev', file: 'holdfast.toml', grants: { network: { forward: [3000, '3001:3002'] } } },
        ],
      },
      [
        { host: 3000, box: 3000 },
        { host: 3001, box: 3002 },
      ],
    ],
  ])('%j', (texts, forward) => {
    expect(open(texts).forward).toEqual(forward);
  });

  test('are shown only where everybody shows them', () => {
    expect(networkPlan(policyFrom({ user: network('forward = [8080]'), project: network('forward = []') }))).toEqual({
      kind: 'closed',
    });
    expect(
      networkPlan(policyFrom({ user: network('forward = [8080]'), project: network('forward = ["8080:9090"]') })),
    ).toEqual({ kind: 'closed' });
  });
});

describe('look-ups', () => {
  test.each<[PolicyTexts, 'fake' | 'real']>([
    [{ user: network('hosts = ["any"]') }, 'fake'],
    [{ user: network('hosts = ["any"]\ndns = "fake"') }, 'fake'],
    [{ user: network('hosts = ["any"]\ndns = "real"') }, 'real'],
    [{ user: network('hosts = ["any"]\ndns = "real"'), project: network('dns = "fake"') }, 'fake'],
    [{ user: network('hosts = ["any"]\ndns = "real"'), managed: network('dns = "fake"') }, 'fake'],
    [{ user: network('hosts = ["any"]'), project: network('dns = "real"') }, 'fake'],
  ])('%j: %s', (texts, dns) => {
    expect(open(texts).dns).toBe(dns);
  });
});

describe('the rest', () => {
  const user = network(
    'hosts = ["any"]\npassthrough = ["pinned.test", "*.bank.test:443"]\nca = ["/etc/corp.pem", "~/ca/own.pem"]',
  );

  test('authorities are absolute paths, of the user and of anyone who manages the machine', () => {
    expect(open({ user }).authorities).toEqual(['/etc/corp.pem', `${places.home}/ca/own.pem`]);
    expect(open({ user, managed: network('ca = ["/etc/corp.pem", "/etc/more.pem"]') }).authorities.toSorted()).toEqual([
      '/etc/corp.pem',
      '/etc/more.pem',
      `${places.home}/ca/own.pem`,
    ]);
  });

  test('hosts that pass are listed', () => {
    expect(open({ user }).passthrough).toEqual(['pinned.test', '*.bank.test:443']);
  });

  test('a certificate authority is needed for servers of models that can be reached', () => {
    expect(open({ user: network('hosts = ["any"]') }).interception).toBe('possible');
    expect(open({ user: network('hosts = ["any"]'), project: network('hosts = ["a.test"]') }).interception).toBe(
      'none',
    );
  });

  test('and for rules about requests', () => {
    const unseen = `${user}\n[llm]\ngateway = "off"`;
    expect(open({ user: unseen }).interception).toBe('none');
    expect(
      open({ user: unseen, project: '[[http]]\nname = "r"\ndecision = "audit"\nhosts = ["a.test"]' }).interception,
    ).toBe('possible');
  });

  test('a plan is plain data', () => {
    const plan = open({ user });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});
