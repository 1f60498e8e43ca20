import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PolicyText } from '../../place/policy-texts.ts';
import { decide, decideAddress } from '../../policy/decide.ts';
import { isLookedInto } from '../../policy/llm/looked-into.ts';
import type { Policy } from '../../policy/policy.ts';
import { tlsTreatment } from '../../policy/settings/tls-treatment.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import { answersOf, isLookedIntoAnywhere, livePolicy, type LivePolicy } from './live-policy.ts';
import { testPlace } from './testing/place.ts';

const connect = (host: string, port = 443) => ({ kind: 'connect', host, port, protocol: 'tcp' }) as const;
const granting = (host: string): string => `[network]\nhosts = ["${host}"]`;

/** Looks at the files are made once a turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function decision({ authority }: LivePolicy, host: string): Promise<string> {
  await turn();
  return authority.decide(connect(host)).decision;
}

describe('a policy that does not change', () => {
  test('gives its own answers', async () => {
    const live = livePolicy(
      testPlace(`${granting('a.example')}\n[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["b.example"]`).place,
    );
    expect(await decision(live, 'a.example')).toBe('allow');
    expect(await decision(live, 'b.example')).toBe('deny');
    expect(live.authority.tlsTreatment({ host: 'a.example', port: 443 })).toBe('splice');
    expect(live.authority.tlsTreatment({ host: 'b.example', port: 443 })).toBe('intercept');
    expect(live.authority.decide({ kind: 'dns', name: 'a.example', recordType: 'A' }).decision).toBe('allow');
  });

  test('opens special addresses only where it spells them out', () => {
    const { authority } = livePolicy(testPlace('[network]\nhosts = ["any", "10.0.0.1:80"]').place);
    expect(authority.decideAddress('10.0.0.1', 80).decision).toBe('allow');
    expect(authority.decideAddress('10.0.0.1', 81).decision).toBe('deny');
    expect(authority.decideAddress('10.0.0.2', 80).decision).toBe('deny');
  });

  test('applies a layer that appears in the same turn', () => {
    const layers: PolicyText[] = [];
    const { authority } = livePolicy(testPlace(granting('a.example')).place, 'none', layers);
    expect(authority.decide(connect('a.example')).decision).toBe('allow');
    layers.push({ kind: 'session', file: 'narrowed-1', text: 'version = 1\nnetwork.hosts = []' });
    expect(authority.decide(connect('a.example')).decision).toBe('deny');
  });

  test('names further authorities', () => {
    expect(livePolicy(testPlace(granting('a.example')).place).authorities()).toEqual([]);
    expect(livePolicy(testPlace(`${granting('a.example')}\nca = ["/etc/corp.pem"]`).place).authorities()).toEqual([
      '/etc/corp.pem',
    ]);
    expect(livePolicy(testPlace('').place).authorities()).toEqual([]);
  });
});

describe('a policy that changes', () => {
  test('is applied from the next question on', async () => {
    const { place, setPolicy } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    expect([await decision(live, 'a.example'), await decision(live, 'bb.example')]).toEqual(['allow', 'deny']);
    setPolicy(granting('bb.example'));
    expect([await decision(live, 'a.example'), await decision(live, 'bb.example')]).toEqual(['deny', 'allow']);
  });

  // A session may live long before it first uses its network.
  test('is applied even if it changed before the first question', async () => {
    const { place, setPolicy } = testPlace(granting('a.example'));
    setPolicy(granting('bb.example'));
    const live = livePolicy(place);
    expect([await decision(live, 'a.example'), await decision(live, 'bb.example')]).toEqual(['deny', 'allow']);
  });

  test('is narrowed at once by a new project policy, and wide again after its removal', async () => {
    const { place, setProject } = testPlace(granting('*.example'));
    const live = livePolicy(place);
    expect(await decision(live, 'a.example')).toBe('allow');
    setProject('[network]\ndeny = ["a.example"]');
    expect([await decision(live, 'a.example'), await decision(live, 'b.example')]).toEqual(['deny', 'allow']);
    rmSync(join(place.workspace.root, 'holdfast.toml'));
    expect(await decision(live, 'a.example')).toBe('allow');
  });

  test('grants nothing through a project policy', async () => {
    const { place, setProject } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    setProject(granting('b.example'));
    expect([await decision(live, 'a.example'), await decision(live, 'b.example')]).toEqual(['deny', 'deny']);
  });

  test('changes the treatment of TLS and the trusted authorities too', async () => {
    const { place, setPolicy } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    setPolicy(
      `${granting('a.example')}\nca = ["/etc/new.pem"]\n[[http]]\nname = "r"\ndecision = "deny"\nhosts = ["a.example"]\nmethods = ["POST"]`,
    );
    await turn();
    expect([live.authority.tlsTreatment({ host: 'a.example', port: 443 }), live.authorities()]).toEqual([
      'intercept',
      ['/etc/new.pem'],
    ]);
  });

  test.each([
    ['none', 'splice'],
    ['some', 'watch'],
  ] as const)(
    'with a new credential watches other hosts in a session that began with %s: %s',
    async (credentials, treatment) => {
      const { place, setPolicy } = testPlace(granting('a.example'));
      const live = livePolicy(place, credentials);
      setPolicy(
        `[network]\nhosts = ["a.example", "b.example"]\n[[credentials]]\nname = "b"\nsource = { env = "B" }\nhosts = ["b.example"]\ninject = { kind = "bearer" }\nenvironment = ["B"]`,
      );
      await turn();
      expect(live.authority.tlsTreatment({ host: 'a.example', port: 443 })).toBe(treatment);
      expect(live.authority.tlsTreatment({ host: 'b.example', port: 443 })).toBe('intercept');
    },
  );

  test('gives the same answers within one turn', async () => {
    const { place, setPolicy } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    await turn();
    expect(live.authority.decide(connect('a.example')).decision).toBe('allow');
    setPolicy('');
    expect(live.authority.decide(connect('a.example')).decision).toBe('allow');
    expect(await decision(live, 'a.example')).toBe('deny');
  });
});

describe('a policy that becomes invalid', () => {
  test('refuses everything with the reason, until it is corrected', async () => {
    const { place, setPolicy } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    setPolicy('[netwrok]');
    expect(await decision(live, 'a.example')).toBe('deny');
    const verdict = live.authority.decide(connect('a.example'));
    expect(verdict).toMatchObject({
      decision: 'deny',
      layer: 'required',
      file: place.paths.userPolicy,
      remedy: 'correct it, and check it with `holdfast policy check`',
    });
    expect(verdict.message).toMatch(
      /^the policy was changed and is now invalid, so nothing is allowed: .*policy\.toml/u,
    );
    expect(verdict.message).not.toContain('\n');
    expect(live.authority.decideAddress('10.0.0.1', 80)).toEqual(verdict);
    expect(live.authority.decide({ kind: 'dns', name: 'a.example', recordType: 'A' })).toEqual(verdict);
    expect([live.authority.tlsTreatment({ host: 'a.example', port: 443 }), live.authorities()]).toEqual(['splice', []]);
    setPolicy(granting('a.example'));
    expect(await decision(live, 'a.example')).toBe('allow');
  });

  test.each(['[network', 'hosts = 3', '[network]\nhosts = ["http://x"]', '\u0000'])('%j', async (text) => {
    const { place, setPolicy } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    setPolicy(text);
    expect(await decision(live, 'a.example')).toBe('deny');
  });

  test('also one of a project', async () => {
    const { place, setProject } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    setProject('[nonsense]');
    expect(await decision(live, 'a.example')).toBe('deny');
  });

  test('also a directory in its place', async () => {
    const { place } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    rmSync(place.paths.userPolicy);
    mkdirSync(place.paths.userPolicy);
    expect(await decision(live, 'a.example')).toBe('deny');
    expect(live.authority.decide(connect('a.example')).message).toContain('it is not a regular file');
  });

  test('a removed policy grants nothing', async () => {
    const { place } = testPlace(granting('a.example'));
    const live = livePolicy(place);
    expect(await decision(live, 'a.example')).toBe('allow');
    rmSync(place.paths.userPolicy);
    expect(await decision(live, 'a.example')).toBe('deny');
  });
});

describe('remembered answers', () => {
  const open = policyFrom({
    user: '[network]\nhosts = ["example.com", "10.0.0.1:5432", "api.anthropic.com"]\n[[http]]\nname = "reads"\ndecision = "deny"\nhosts = ["example.com:8443"]\nmethods = ["POST"]\n',
  });
  const closed = policyFrom({ user: '' });
  const connect = (host: string, port: number) => ({ kind: 'connect', host, port, protocol: 'tcp' }) as const;
  const hosts = [
    'example.com',
    'EXAMPLE.com',
    'evil.example',
    '10.0.0.1',
    'api.anthropic.com',
    '443 example.com',
    'example.com 443',
    '',
  ];
  const ports = [443, 8443, 5432, 80];

  describe.each([
    ['open', open],
    ['closed', closed],
  ] as const)('of a policy that is %s', (_, policy: Policy) => {
    test.each(['first', 'second'])('the %s answer is the policy’s own', () => {
      const answers = answersOf(policy);
      for (const host of hosts) {
        for (const port of ports) {
          expect(answers.connect(connect(host, port))).toEqual(decide(policy, connect(host, port)));
          expect(answers.address(host, port)).toEqual(decideAddress(policy, { address: host, port }));
          expect(answers.treatment({ host, port })).toBe(tlsTreatment(policy, { host, port }));
          expect(answers.isLookedInto({ host, port })).toBe(isLookedInto(policy, { host, port }));
        }
      }
    });
  });

  // Attack: a client that makes its host look like another one's port, or asks over another protocol.
  test('keep hosts, ports and protocols apart', () => {
    const answers = answersOf(open);
    expect(answers.connect(connect('example.com', 443)).decision).toBe('allow');
    for (const request of [
      connect('example.com', 4430),
      connect('3 example.com', 44),
      connect('443 example.com', 443),
      connect('tcp 443 example.com', 443),
    ]) {
      expect(answers.connect(request)).toEqual(decide(open, request));
    }
    expect(answers.connect({ ...connect('example.com', 443), protocol: 'udp' })).toEqual(
      decide(open, { ...connect('example.com', 443), protocol: 'udp' }),
    );
  });

  test('are reused for a repeated question', () => {
    const answers = answersOf(open);
    const [first, second] = [
      answers.connect(connect('asked-twice.example', 443)),
      answersOf(open).connect(connect('asked-twice.example', 443)),
    ];
    expect(second).toBe(first);
    expect(decide(open, connect('asked-twice.example', 443))).not.toBe(first);
  });

  test('each policy has its own answers', () => {
    expect(answersOf(open).connect(connect('example.com', 443)).decision).toBe('allow');
    expect(answersOf(closed).connect(connect('example.com', 443)).decision).toBe('deny');
  });

  test('stay correct for a client that asks for ever new hosts', () => {
    const answers = answersOf(open);
    for (let index = 0; index < 2000; index += 1)
      expect(answers.connect(connect(`h${index}.example`, 443)).decision).toBe('deny');
    expect(answers.connect(connect('example.com', 443)).decision).toBe('allow');
  });

  test('a connection is inspected for its target too', () => {
    const models = { host: 'api.anthropic.com', port: 443 };
    const other = { host: 'example.com', port: 443 };
    expect(isLookedIntoAnywhere(open, { destination: models })).toBe(true);
    expect(isLookedIntoAnywhere(open, { destination: other })).toBe(false);
    expect(isLookedIntoAnywhere(open, { destination: other, redirected: models })).toBe(true);
  });
});
