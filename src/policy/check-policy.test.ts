import { describe, expect, test } from 'vitest';
import { type CheckContext, checkPolicy, type Mechanism } from './check-policy.ts';
import { decisions } from './verdict.ts';
import { policyFrom } from './testing/policies.ts';

const kinds = [
  'file',
  'exec',
  'connect',
  'http',
  'dns',
  'socket',
  'signal',
  'env',
  'tool',
  'trust',
  'registry',
] as const;
const everything: CheckContext = {
  approver: 'present',
  mechanisms: new Set(kinds.flatMap((kind) => decisions.map((decision): Mechanism => `${kind}.${decision}`))),
};
const without = (...missing: readonly Mechanism[]): CheckContext => ({
  ...everything,
  mechanisms: new Set([...everything.mechanisms].filter((mechanism) => !missing.includes(mechanism))),
});

test('the built-in policy has no problems, even without an approver or mechanisms', () => {
  expect(checkPolicy(policyFrom(), { approver: 'absent', mechanisms: new Set() })).toEqual([]);
});

test('a list of files, variables and limits needs nothing that runs beside the box', () => {
  const user = '[files]\nread = ["/a"]\ndeny = ["/b"]\n[environment]\npass = ["X"]\n[limits]\nwall = "1h"';
  expect(checkPolicy(policyFrom({ user }), { approver: 'absent', mechanisms: new Set() })).toEqual([]);
});

describe('someone has to be there to be asked', () => {
  test.each([
    ['[commands]\nask = ["git push"]', 3, 'commands.ask[0]'],
    ['[tools]\nask = ["a/b"]', 3, 'tools.ask[0]'],
    ['[[file]]\nname = "ask-sql"\ndecision = "ask"\npaths = ["db"]', 2, 'ask-sql'],
  ])('%j', (user, line, rule) => {
    expect(checkPolicy(policyFrom({ user }), everything)).toEqual([]);
    expect(checkPolicy(policyFrom({ user }), { ...everything, approver: 'absent' })).toEqual([
      {
        code: 'HF_POLICY_INVALID',
        file: 'user.toml',
        line,
        message: `"${rule}" asks, and nobody is there to answer`,
        remedy: expect.stringMatching(/approver/),
      },
    ]);
  });
});

describe('something has to be there to carry it out', () => {
  test.each<[string, Mechanism]>([
    ['[network]\nhosts = ["a.test"]', 'connect.allow'],
    ['[sockets]\nallow = ["/run/x"]', 'socket.allow'],
    ['[commands]\ndeny = ["x"]', 'exec.deny'],
    ['[commands]\nallow = ["x"]', 'exec.deny'],
    ['[commands]\nask = ["x"]', 'exec.ask'],
    ['[tools]\nallow = ["a/b"]', 'tool.allow'],
    ['[tools]\ndeny = ["a/b"]', 'tool.deny'],
    ['[registry]\nallow = ["HKCU"]', 'registry.allow'],
    ['[[file]]\nname = "r"\ndecision = "stage"\npaths = ["db"]', 'file.stage'],
    ['[[http]]\nname = "r"\ndecision = "deny"\nhosts = ["a.test"]', 'http.deny'],
    ['[[signal]]\nname = "r"\ndecision = "audit"', 'signal.audit'],
    ['[[registry_rule]]\nname = "r"\ndecision = "deny"\nkeys = ["HKCU"]', 'registry.deny'],
  ])('%j needs %s', (user, mechanism) => {
    expect(checkPolicy(policyFrom({ user }), everything)).toEqual([]);
    const problems = checkPolicy(policyFrom({ user }), without(mechanism));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      file: 'user.toml',
      message: expect.stringContaining(mechanism.split('.')[1] ?? ''),
      remedy: expect.stringMatching(/\w/),
    });
    expect(problems[0]?.line).toBeGreaterThan(0);
  });

  test('in every layer', () => {
    const texts = {
      project: '[commands]\nask = ["x"]',
      managed: '[[exec]]\nname = "m"\ndecision = "ask"\ncommands = ["y"]',
    };
    expect(checkPolicy(policyFrom(texts), without('exec.ask')).map(({ file }) => file)).toEqual([
      'managed.toml',
      'project.toml',
    ]);
  });
});

test('backends that contradict each other are named with their lines', () => {
  const texts = { user: '[backend]\nuse = "native"', project: '[backend]\nuse = "gvisor"' };
  expect(checkPolicy(policyFrom(texts), everything)).toEqual([
    expect.objectContaining({
      file: 'project.toml',
      line: 3,
      message: expect.stringContaining('user.toml:3 demands the native backend'),
    }),
  ]);
});
