import { describe, expect, test } from 'vitest';
import { decide, decideAddress } from './decide.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import { connect } from './testing/requests.ts';
import type { Verdict } from './verdict.ts';

const ask = (texts: PolicyTexts, address: string, port = 5432): Verdict =>
  decideAddress(policyFrom(texts), { address, port });
const hosts = (...list: readonly string[]): string => `[network]\nhosts = ${JSON.stringify(list)}`;

describe('an address is opened by patterns that spell it out', () => {
  test.each([
    ['10.0.0.0/8:5432', '10.1.2.3'],
    ['10.0.0.0/8', '10.1.2.3'],
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3:5432', '0x0a010203'],
    ['10.1.2.3:5000-6000', '::ffff:10.1.2.3'],
    ['localhost:5432', '127.0.0.1'],
    ['localhost', '127.8.9.1'],
    ['localhost:5432', '::1'],
    ['127.0.0.0/8:5432', '127.0.0.1'],
    ['fd00::/8:5432'.replace('fd00::/8', '[fd00::/8]'), 'fd00::17'],
    ['[fd00::17]:5432', 'fd00:0:0::17'],
    ['169.254.169.254', '169.254.169.254'],
  ])('%s opens %s', (pattern, address) => {
    expect(ask({ user: hosts(pattern) }, address)).toMatchObject({
      decision: 'allow',
      code: 'granted',
      rule: 'network.hosts[0]',
    });
  });

  test.each([
    ['any', '10.1.2.3'],
    ['any:5432', '10.1.2.3'],
    ['0.0.0.0/0', '10.1.2.3'],
    ['0.0.0.0/0:5432', '10.1.2.3'],
    ['::/0', 'fd00::1'],
    ['any', '127.0.0.1'],
    ['any', '169.254.169.254'],
    ['db.internal:5432', '10.1.2.3'],
    ['*.internal', '10.1.2.3'],
    ['10.0.0.0/8:5433', '10.1.2.3'],
    ['11.0.0.0/8', '10.1.2.3'],
    ['localhost:5433', '127.0.0.1'],
    ['localhost', '10.1.2.3'],
    ['10.0.0.0/8', '::1'],
  ])('%s does not open %s', (pattern, address) => {
    expect(ask({ user: hosts(pattern) }, address)).toMatchObject({
      decision: 'deny',
      code: 'not-granted',
      layer: 'user',
      rule: 'network.hosts.default',
    });
  });

  test('presets open none', () => {
    expect(ask({ user: '[network]\npresets = ["npm", "github", "debian"]' }, '10.1.2.3', 443).decision).toBe('deny');
  });

  test('the remedy names the address and its port', () => {
    expect(ask({ user: hosts('any') }, '10.1.2.3').remedy).toContain('network.hosts = ["10.1.2.3:5432"]');
    expect(ask({ user: hosts('any') }, 'fd00::1', 80).remedy).toContain('--host');
  });

  test('also from a flag', () => {
    const granted = [{ name: '--host', file: 'command line', grants: { network: { hosts: ['10.0.0.0/8:5432'] } } }];
    expect(ask({ granted }, '10.1.2.3')).toMatchObject({ decision: 'allow', rule: '--host 10.0.0.0/8:5432' });
  });
});

describe('refusals still refuse', () => {
  const user = hosts('10.0.0.0/8');

  test.each([
    ['deny = ["10.1.0.0/16"]', '10.1.2.3', 'deny'],
    ['deny = ["any:5432"]', '10.1.2.3', 'deny'],
    ['deny = ["10.1.2.3:22"]', '10.1.2.3', 'allow'],
    ['deny = ["0.0.0.0/0"]', '10.1.2.3', 'deny'],
  ])('%s: %s is %s', (line, address, decision) => {
    expect(ask({ user: `${user}\n${line}` }, address).decision).toBe(decision);
    expect(ask({ user, managed: `[network]\n${line}` }, address).decision).toBe(decision);
  });

  test.each([
    ['allow', 'deny'],
    ['audit', 'deny'],
    ['ask', 'ask'],
    ['deny', 'deny'],
  ])('a connect rule about any that decides %s: %s', (decision, expected) => {
    const rule = `[[connect]]\nname = "r"\ndecision = "${decision}"\nhosts = ["any"]\n`;
    expect(ask({ user: rule }, '10.1.2.3').decision).toBe(expected);
  });

  test.each(['allow', 'audit', 'ask', 'deny'])('a connect rule about a network decides %s', (decision) => {
    const rule = `[[connect]]\nname = "r"\ndecision = "${decision}"\nhosts = ["10.0.0.0/8"]\nports = [5432]\n`;
    expect(ask({ user: rule }, '10.1.2.3')).toMatchObject({ decision, rule: 'r' });
    expect(ask({ user: rule }, '10.1.2.3', 22)).toMatchObject({ decision: 'deny', code: 'not-granted' });
  });

  test('a rule about UDP opens nothing', () => {
    expect(
      ask({ user: '[[connect]]\nname = "r"\ndecision = "allow"\nhosts = ["10.0.0.0/8"]\nprotocol = "udp"' }, '10.1.2.3')
        .decision,
    ).toBe('deny');
  });

  test('no name leads around a redirect', () => {
    const redirect =
      '[[connect]]\nname = "elsewhere"\ndecision = "redirect"\nredirect_to = "db.test:5432"\nhosts = ["10.1.2.3"]\n';
    expect(ask({ user: redirect }, '10.1.2.3')).toMatchObject({ decision: 'deny', rule: 'elsewhere' });
    expect(ask({ user, project: redirect }, '10.1.2.3')).toMatchObject({ decision: 'deny', layer: 'project' });
    expect(ask({ user, project: redirect }, '10.1.2.3')).not.toHaveProperty('redirectTo');
    expect(decide(policyFrom({ user, project: redirect }), connect('10.1.2.3', 5432))).toMatchObject({
      decision: 'redirect',
      redirectTo: 'db.test:5432',
    });
  });
});

describe('every layer that has a list has to grant it', () => {
  const user = hosts('10.0.0.0/8:5432', 'db.internal:5432');

  test.each([
    ['[network]\nhosts = ["db.internal:5432"]', 'deny'],
    ['[network]\nhosts = ["any"]', 'deny'],
    ['[network]\npresets = ["npm"]', 'deny'],
    ['[network]\nhosts = ["10.1.0.0/16:5432"]', 'allow'],
    ['[network]\nhosts = ["10.2.0.0/16:5432"]', 'deny'],
    ['[network]\ndeny = ["evil.test"]', 'allow'],
    ['[files]\nread = ["src"]', 'allow'],
  ])('%j: %s', (project, decision) => {
    expect(ask({ user, project }, '10.1.2.3').decision).toBe(decision);
  });

  test('a project opens nothing by itself', () => {
    expect(ask({ project: hosts('10.0.0.0/8', 'localhost') }, '10.1.2.3')).toMatchObject({
      layer: 'user',
      code: 'not-granted',
    });
    expect(ask({ project: hosts('10.0.0.0/8') }, '10.1.2.3').decision).toBe('deny');
  });

  test('the refusal names the ceiling', () => {
    expect(ask({ user, project: '[network]\npresets = ["npm"]' }, '10.1.2.3')).toMatchObject({
      code: 'outside-ceiling',
      rule: 'network.presets',
      file: 'project.toml',
      line: 3,
    });
  });
});

test.each(['example.com', 'localhost', '', 'a b', '10.0.0.256', '10.0.0.1\n', '[::1', '*'])(
  '%j is not an address',
  (address) => {
    expect(ask({ user: hosts('any', 'localhost', '10.0.0.0/8') }, address)).toMatchObject({
      decision: 'deny',
      code: 'unrepresentable',
    });
  },
);

test.each([0, 65_536, 1.5, Number.NaN, -1])('%d is not a port', (port) => {
  expect(ask({ user: hosts('10.0.0.0/8') }, '10.1.2.3', port)).toMatchObject({
    decision: 'deny',
    code: 'unrepresentable',
  });
});
