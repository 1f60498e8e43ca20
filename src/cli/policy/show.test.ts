import { expect, test } from 'vitest';
import { networkPlan } from '../../policy/settings/network-plan.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import { networkLines } from './show.ts';

const lines = (user?: string): Readonly<Record<string, string>> =>
  Object.fromEntries(networkLines(networkPlan(policyFrom(user === undefined ? {} : { user }))));

test('a closed network is one word', () => {
  expect(lines()).toEqual({ network: 'closed' });
});

test('an open one names its opening', () => {
  const user = `[network]
hosts = ["a.test:443", "b.test:8000-8100", "localhost:3000"]
passthrough = ["pinned.test"]
forward = ["3001:3000", 8080]
dns = "real"
ca = ["/etc/corp.pem"]
[[http]]
name = "r"
decision = "audit"
hosts = ["a.test:443"]`;
  expect(lines(user)).toEqual({
    network: 'open to granted hosts',
    ports: '443 8000-8100',
    loopback: 'localhost:3000',
    forward: 'localhost:3001 shows port 3000 of the box, localhost:8080 shows port 8080 of the box',
    dns: 'names have their real addresses',
    tls: 'ended where requests are looked into',
    passthrough: 'pinned.test',
    ca: '/etc/corp.pem',
  });
});

test('an empty list has no line', () => {
  expect(lines('[network]\nhosts = ["*.example.com:443"]')).toEqual({
    network: 'open to granted hosts',
    ports: '443',
    dns: 'names have made-up addresses',
    tls: 'never ended',
  });
});

test('TLS is ended where a server of models can be reached', () => {
  expect(lines('[network]\nhosts = ["any"]')['tls']).toBe('ended where requests are looked into');
});
