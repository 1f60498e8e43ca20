import { describe, expect, test } from 'vitest';
import { decide, decideAddress, isLookedInto, type Policy, tlsTreatment } from '../../policy/index.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import { answersOf, isLookedIntoAnywhere } from './remembered-answers.ts';

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
  test.each(['first', 'second'])('the %s answer is that of the policy itself', () => {
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
test('no host is taken for another host, port or protocol', () => {
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

test('a question that comes again is not decided again', () => {
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

test('a client that asks for ever new hosts finds the answers that it would have found', () => {
  const answers = answersOf(open);
  for (let index = 0; index < 2000; index += 1)
    expect(answers.connect(connect(`h${index}.example`, 443)).decision).toBe('deny');
  expect(answers.connect(connect('example.com', 443)).decision).toBe('allow');
});

test('a connection is looked into for where it is led to as well', () => {
  const models = { host: 'api.anthropic.com', port: 443 };
  const other = { host: 'example.com', port: 443 };
  expect(isLookedIntoAnywhere(open, { destination: models })).toBe(true);
  expect(isLookedIntoAnywhere(open, { destination: other })).toBe(false);
  expect(isLookedIntoAnywhere(open, { destination: other, redirected: models })).toBe(true);
});
