import { describe, expect, test } from 'vitest';
import { decideAddress } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import type { Resolution } from '../types.ts';
import { vet } from './vet.ts';

function outcome(
  policy: Policy,
  host: string,
  { port = 443, addresses = [] }: { readonly port?: number; readonly addresses?: readonly string[] } = {},
): string {
  const resolution: Resolution = { kind: 'resolved', aliases: [], addresses };
  const context = {
    authority: { decideAddress: (address: string, at: number) => decideAddress(policy, { address, port: at }) },
    own: () => new Set(['127.0.0.1', '::1', '192.0.2.2']),
  };
  const vetted = vet({ host, port }, addresses.length === 0 ? undefined : resolution, context);
  return vetted.kind === 'refused' ? vetted.refusal.code : 'passes';
}

const network = (hosts: readonly string[], more = ''): Policy =>
  policyFrom({ user: `[network]\nhosts = ${JSON.stringify(hosts)}\n${more}` });

describe('a policy that names hosts', () => {
  const policy = network(['a.test', '*.b.test', 'any']);

  test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '168.63.129.16', '::1', 'fd00::1', '192.0.2.2'])(
    'does not open %s, by name or by literal',
    (address) => {
      expect(outcome(policy, 'a.test', { addresses: [address] })).toBe('special-address');
      expect(outcome(policy, 'x.b.test', { addresses: [address] })).toBe('special-address');
      expect(outcome(policy, address)).toBe('special-address');
    },
  );

  test('leaves global addresses to the decision about the name', () => {
    expect(outcome(policy, 'a.test', { addresses: ['93.184.215.14', '2606:4700::1111'] })).toBe('passes');
    expect(outcome(policy, '93.184.215.14')).toBe('passes');
  });
});

describe('a policy that names addresses', () => {
  const policy = network(['db.corp.test', '10.1.0.0/16:5432', '192.168.1.1:443', '[fd00::1]:443', 'localhost:8000']);

  test.each([
    ['db.corp.test', 5432, ['10.1.2.3'], 'passes'],
    ['db.corp.test', 5433, ['10.1.2.3'], 'special-address'],
    ['db.corp.test', 5432, ['10.2.2.3'], 'special-address'],
    ['db.corp.test', 5432, ['10.1.2.3', '10.2.2.3'], 'special-address'],
    ['wiki', 5432, ['10.1.2.3'], 'passes'],
    ['wiki', 443, ['93.184.215.14'], 'special-name'],
    ['192.168.1.1', 443, [], 'passes'],
    ['192.168.1.2', 443, [], 'special-address'],
    ['fd00::1', 443, [], 'passes'],
    ['localhost', 8000, ['127.0.0.1', '::1'], 'passes'],
    ['localhost', 8001, ['127.0.0.1'], 'special-address'],
    ['127.0.0.1', 8000, [], 'passes'],
  ] as const)('%s port %i at %j: %s', (...[host, port, addresses, expected]) => {
    expect(outcome(policy, host, { port, addresses })).toBe(expected);
  });

  test('with 0.0.0.0/0 opens nothing special, and the fake range is never open', () => {
    expect(outcome(network(['0.0.0.0/0']), '10.0.0.1')).toBe('special-address');
    expect(outcome(network(['198.18.0.0/15']), '198.18.0.7')).toBe('special-address');
  });
});

describe('a policy that denies', () => {
  test('an address denies it to every name', () => {
    const policy = network(['a.test', 'any'], 'deny = ["93.184.215.0/24"]');
    expect(outcome(policy, 'a.test', { addresses: ['93.184.215.14'] })).toBe('policy');
    expect(outcome(policy, 'a.test', { addresses: ['93.184.216.14'] })).toBe('passes');
    expect(outcome(policy, 'a.test', { addresses: ['93.184.216.14', '93.184.215.14'] })).toBe('policy');
  });

  test('an address by a rule denies it to every name', () => {
    const policy = network(
      ['a.test', 'any'],
      '[[connect]]\nname = "no-there"\ndecision = "deny"\nhosts = ["93.184.215.0/24:443"]',
    );
    expect(outcome(policy, 'a.test', { addresses: ['93.184.215.14'] })).toBe('policy');
    expect(outcome(policy, 'a.test', { addresses: ['93.184.215.14'], port: 80 })).toBe('passes');
    expect(outcome(policy, 'a.test', { addresses: ['93.184.216.14'] })).toBe('passes');
  });

  test('an address that it also grants refuses it', () => {
    expect(outcome(network(['10.0.0.0/8'], 'deny = ["10.0.0.1"]'), '10.0.0.1')).toBe('special-address');
    expect(outcome(network(['10.0.0.0/8'], 'deny = ["10.0.0.1"]'), '10.0.0.2')).toBe('passes');
  });
});
