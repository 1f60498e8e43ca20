import { describe, expect, test } from 'vitest';
import { presetNames, presets } from './builtin/presets/index.ts';
import { explanationFor } from './command/explain-command.ts';
import { decide, decideAddress } from './decide.ts';
import { parsePolicy } from './document/parse.ts';
import type { PolicyValue } from './document/types.ts';
import { compileLayer, userLayer } from './layers/compile-layer.ts';
import { networkPlan } from './settings/network-plan.ts';
import { documentFrom, places, policyFrom, problemsIn } from './testing/policies.ts';
import { connect, dns, http } from './testing/requests.ts';

describe('a preset', () => {
  const user = '[network]\npresets = ["pypi", "npm"]';

  test.each([
    [connect('registry.npmjs.org'), 'allow'],
    [connect('files.pythonhosted.org'), 'allow'],
    [connect('registry.npmjs.org', 80), 'deny'],
    [connect('x.registry.npmjs.org'), 'deny'],
    [connect('registry.npmjs.org', 443, 'udp'), 'deny'],
    [connect('crates.io'), 'deny'],
    [dns('registry.npmjs.org'), 'allow'],
    [dns('crates.io'), 'deny'],
    [http('PUT', 'https://registry.npmjs.org/x'), 'allow'],
  ])('%j: %s', (request, decision) => {
    expect(decide(policyFrom({ user }), request).decision).toBe(decision);
  });

  test('is listed at its place, with its purpose', () => {
    expect(decide(policyFrom({ user }), connect('registry.npmjs.org'))).toMatchObject({
      rule: 'network.presets[1]',
      file: 'user.toml',
      line: 3,
      message: expect.stringContaining('npm: metadata and packages'),
    });
  });

  test('gives way to a deny set and to rules', () => {
    expect(
      decide(policyFrom({ user: `${user}\ndeny = ["registry.npmjs.org"]` }), connect('registry.npmjs.org')).code,
    ).toBe('deny-set');
    const rule = '\n[[connect]]\nname = "ask"\ndecision = "ask"\nhosts = ["registry.npmjs.org"]';
    expect(decide(policyFrom({ user: user + rule }), connect('registry.npmjs.org'))).toMatchObject({
      decision: 'ask',
      rule: 'ask',
    });
  });

  test('of a project only narrows', () => {
    const project = '[network]\npresets = ["npm"]';
    expect(decide(policyFrom({ project }), connect('registry.npmjs.org'))).toMatchObject({
      decision: 'deny',
      code: 'not-granted',
      layer: 'user',
    });
    expect(decide(policyFrom({ user, project }), connect('registry.npmjs.org')).decision).toBe('allow');
    expect(decide(policyFrom({ user, project }), connect('pypi.org'))).toMatchObject({
      decision: 'deny',
      code: 'outside-ceiling',
      layer: 'project',
      rule: 'network.presets',
      line: 3,
    });
    expect(decide(policyFrom({ user, project }), dns('pypi.org')).code).toBe('outside-ceiling');
    expect(
      decide(policyFrom({ user, project: '[network]\npresets = []' }), connect('registry.npmjs.org')).decision,
    ).toBe('deny');
  });

  test('and a list of hosts are one list', () => {
    const project = '[network]\nhosts = ["pypi.org:443"]\npresets = ["npm"]';
    const policy = policyFrom({ user: '[network]\nhosts = ["any"]', project });
    expect(decide(policy, connect('pypi.org')).decision).toBe('allow');
    expect(decide(policy, connect('registry.npmjs.org')).decision).toBe('allow');
    expect(decide(policy, connect('other.test'))).toMatchObject({ decision: 'deny', rule: 'network.hosts' });
  });

  test('comes from flags and proposals', () => {
    const granted = [{ name: '--preset', file: 'command line', grants: { network: { presets: ['npm'] } } }];
    expect(decide(policyFrom({ granted }), connect('registry.npmjs.org'))).toMatchObject({
      decision: 'allow',
      rule: '--preset npm',
    });
    const text = '[[propose]]\nname = "a"\nreason = "b"\n[propose.network]\npresets = ["npm"]\nforward = [3000]';
    const { network } = documentFrom(text).value.propose?.[0] ?? {};
    expect(decide(policyFrom({ project: text }), connect('registry.npmjs.org')).decision).toBe('deny');
    expect(
      decide(
        policyFrom({ granted: [{ name: 'proposal a', file: 'holdfast.toml', grants: { network } }] }),
        connect('registry.npmjs.org'),
      ).decision,
    ).toBe('allow');
  });

  test('that is not known is refused, also from a program', () => {
    const granted = [{ name: '--preset', file: 'command line', grants: { network: { presets: ['nmp'] } } }];
    expect(() => decide(policyFrom({ granted }), connect('a.test'))).toThrow(
      expect.objectContaining({
        code: 'HF_POLICY_INVALID',
        message: 'unknown preset "nmp"',
        remedy: 'did you mean "npm"?',
      }),
    );
    const value = { version: 1, network: { presets: ['constructor'] } } as unknown as PolicyValue;
    const layer = userLayer({ file: 'x', value, lines: new Map() }, places);
    expect(() => layer.network.facts()).toThrow(/unknown preset/);
  });

  test('the remedy for a missing host is that host', () => {
    const { wouldAllow } = explanationFor(
      policyFrom({ user, project: '[network]\npresets = ["npm"]' }),
      connect('pypi.org'),
    );
    expect(wouldAllow).toEqual([
      { kind: 'add', layer: 'project', file: 'project.toml', line: 'network.hosts = ["pypi.org:443"]' },
    ]);
  });
});

describe('a mistake names the right form', () => {
  const network = (line: string): string => `version = 1\n[network]\n${line}`;

  test.each([
    ['presets = ["nmp"]', 'unknown preset "nmp"', 'did you mean "npm"?'],
    ['presets = ["git-hub"]', 'unknown preset "git-hub"', 'did you mean "github"?'],
    ['presets = ["quantum"]', 'unknown preset "quantum"', 'use one of: npm, '],
    ['presets = "npm"', 'network.presets has to be a list', ''],
    ['dns = "none"', 'network.dns has to be "fake" or "real"', ''],
    ['preset = ["npm"]', 'unknown key "preset"', 'did you mean "presets"?'],
    ['passthrough = ["*"]', '"*" would open the whole network', 'write "any"'],
    ['passthrough = ["https://x.test"]', 'is a URL', 'host name'],
    ['forward = [0]', 'network.forward[0]', ''],
    ['forward = [65536]', 'network.forward[0]', ''],
    ['forward = ["80:0"]', '"80:0" is not a port to forward', '3000:8080'],
    ['forward = ["a"]', '"a" is not a port to forward', '3000:8080'],
    ['forward = [1.5]', 'network.forward[0]', ''],
    ['ca = ["certs/corp.pem"]', '"certs/corp.pem" is not one file outside the workspace', 'absolute path'],
    ['ca = ["**/corp.pem"]', 'is not one file outside the workspace', 'absolute path'],
    ['ca = ["/etc/*.pem"]', 'is not one file outside the workspace', 'absolute path'],
    ['ca = ["/etc/../corp.pem"]', '..', ''],
    ['passthrough = ["a.test"]\ndeny = ["*.test"]', 'has no effect', ''],
  ])('%s', (line, message, remedy) => {
    expect(problemsIn(network(line), 'user')).toMatchObject([
      { line: 3, message: expect.stringContaining(message), remedy: expect.stringContaining(remedy) },
    ]);
  });

  test('in proposals too', () => {
    const text = (line: string): string =>
      `version = 1\n[[propose]]\nname = "a"\nreason = "b"\n[propose.network]\n${line}`;
    expect(problemsIn(text('presets = ["nmp"]'))).toMatchObject([{ line: 6, message: 'unknown preset "nmp"' }]);
    expect(problemsIn(text('forward = ["x"]'))).toMatchObject([{ line: 6, message: '"x" is not a port to forward' }]);
    for (const line of ['dns = "real"', 'ca = ["/x"]', 'passthrough = ["x.test"]'])
      expect(problemsIn(text(line))).toMatchObject([{ line: 6, message: expect.stringContaining('unknown key') }]);
  });

  test('all of it at once', () => {
    expect(
      problemsIn(network('forward = ["x"]\nca = ["y"]\npassthrough = ["z z"]'), 'user').map(({ line }) => line),
    ).toEqual([3, 4, 5]);
  });

  test.each(['project', 'session'] as const)('a %s policy can neither add authorities nor let TLS pass', (kind) => {
    for (const [key, line] of [
      ['ca', 'ca = ["/x.pem"]'],
      ['passthrough', 'passthrough = ["x.test"]'],
    ]) {
      expect(problemsIn(network(line ?? ''), kind)).toMatchObject([
        {
          line: 3,
          message: expect.stringContaining(`a ${kind} policy cannot`),
          remedy: `move network.${key} to the user policy`,
        },
      ]);
      expect(() => compileLayer(documentFrom(network(line ?? '')), { kind, ...places })).toThrow(/cannot/);
    }
  });

  test('a sound preset is accepted', () => {
    const text = network(
      'presets = ["npm", "docker-hub"]\ndns = "real"\npassthrough = ["pinned.test", "*.bank.test:443"]\nforward = [8080, "3000:8080"]\nca = ["/etc/corp.pem", "~/ca.pem"]',
    );
    for (const kind of ['user', 'managed'] as const)
      expect(parsePolicy(text, { file: 'x', kind }).kind).toBe('document');
    expect(
      parsePolicy(network('presets = ["npm"]\ndns = "fake"\nforward = [80]'), { file: 'x', kind: 'project' }).kind,
    ).toBe('document');
  });
});

test('policy show has a line for each', () => {
  const user =
    '[network]\npresets = ["npm"]\ndns = "real"\npassthrough = ["x.test"]\nforward = [8080]\nca = ["/x.pem"]';
  const statements = policyFrom({ user })
    .layers.flatMap((layer) => layer.statements())
    .filter(({ subject }) => subject.startsWith('network.'));
  expect(statements.map(({ subject, value, origin }) => [subject, value, origin.line])).toEqual(
    expect.arrayContaining([
      ['network.presets', 'npm', 3],
      ['network.dns', 'real', 4],
      ['network.passthrough', 'x.test', 5],
      ['network.forward', '8080', 6],
      ['network.ca', '/x.pem', 7],
    ]),
  );
});

describe.each(presetNames)('with the preset %s', (name) => {
  const policy = policyFrom({ user: `[network]\npresets = ["${name}"]` });
  const hosts = presets[name].hosts.map(({ pattern }) => {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(pattern) ?? [];
    return { host: host.replace(/^\*/, 'xx'), port: Number(port) };
  });

  test('each of its hosts can be looked up and connected to, and nothing else', () => {
    for (const { host, port } of hosts) {
      expect(decide(policy, connect(host, port)), host).toMatchObject({
        decision: 'allow',
        rule: 'network.presets[0]',
      });
      expect(decide(policy, dns(host)).decision, host).toBe('allow');
      expect(decide(policy, connect(host, 8443)).decision, host).toBe('deny');
      expect(decide(policy, connect(`${host}.evil.test`, port)).decision).toBe('deny');
      if (!host.startsWith('xx.')) expect(decide(policy, connect(`evil-${host}`, port)).decision, host).toBe('deny');
    }
    for (const other of ['example.com', 'localhost', '10.0.0.1', '169.254.169.254'])
      expect(decide(policy, connect(other)).decision).toBe('deny');
  });

  test('no address is opened, and there is a door for each port', () => {
    const plan = networkPlan(policy);
    for (const { port } of hosts) {
      expect(decideAddress(policy, { address: '10.0.0.1', port }).decision).toBe('deny');
      expect(plan).toMatchObject({
        kind: 'open',
        loopbackPorts: [],
        forward: [],
        ports: expect.arrayContaining([{ from: port, to: port }]),
      });
    }
  });
});
