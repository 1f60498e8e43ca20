import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { checkPolicy, type Mechanism } from '../../policy/check-policy.ts';
import { decide } from '../../policy/decide.ts';
import { parsePolicy } from '../../policy/document/parse.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { policyFrom, type PolicyTexts } from '../../policy/testing/policies.ts';
import { alwaysRules, neighboursOf, type UserPolicy, withRule, type WithRule } from './with-rule.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** `file` has the name that `policyFrom` uses. */
function userPolicy(text: string, others: Omit<PolicyTexts, 'user'> = {}): UserPolicy {
  return {
    file: 'user.toml',
    text,
    policyWith: (changed) => carriedOut(policyFrom({ ...others, ...(changed === '' ? {} : { user: changed }) })),
  };
}

/** Throws if no session could carry the policy out, as opening a session does. */
function carriedOut(policy: Policy): Policy {
  const mechanisms = new Set<Mechanism>(
    policy.layers.flatMap((layer) => layer.uses().map(({ kind, decision }): Mechanism => `${kind}.${decision}`)),
  );
  const [problem] = checkPolicy(policy, { approver: 'present', mechanisms });
  if (problem !== undefined) throw new Error(problem.message);
  return policy;
}

function policyOf({ text, policyWith }: UserPolicy): Policy {
  return policyWith(text);
}

function always(request: PolicyRequest, user: UserPolicy): WithRule | undefined {
  return withRule({ request, verdict: decide(policyOf(user), request) }, user);
}

const command = (...argv: readonly string[]): PolicyRequest => ({
  kind: 'exec',
  program: `/usr/bin/${argv[0]}`,
  argv,
  context: 'direct',
});
const rule = (table: string, body: string): string =>
  `version = 1\n\n[[${table}]]\nname = "asking"\ndecision = "ask"\n${body}\n`;

const asked: readonly (readonly [PolicyRequest, string, string])[] = [
  [
    { kind: 'file', operation: 'write', path: '/home/dev/app/migrations/1.sql' },
    rule('file', 'paths = ["migrations"]\noperations = ["write", "create"]'),
    'paths = ["/home/dev/app/migrations/1.sql"] # and its contents, if it is a directory\noperations = ["write"]',
  ],
  [
    { kind: 'file', operation: 'create', path: '/home/dev/app/migrations/a*b{c}.sql' },
    rule('file', 'paths = ["migrations"]\noperations = ["write", "create"]'),
    String.raw`paths = ['/home/dev/app/migrations/a\*b\{c\}.sql']`,
  ],
  [
    command('git', 'push', 'origin', 'main'),
    rule('exec', 'commands = ["git push"]'),
    'exactly = ["/usr/bin/git", "push", "origin", "main"]\ncontext = "direct"',
  ],
  [
    command('git', 'push', 'a-b'),
    'version = 1\n[commands]\nask = ["git push"]\n',
    'exactly = ["/usr/bin/git", "push", "a-b"]',
  ],
  [
    command('git', 'push', '--force'),
    rule('exec', 'commands = ["git push --force"]'),
    'exactly = ["/usr/bin/git", "push", "--force"]',
  ],
  [
    command('git', '--no-pager', 'push', '-fu', 'origin'),
    rule('exec', 'commands = ["git push"]'),
    'exactly = ["/usr/bin/git", "--no-pager", "push", "-fu", "origin"]',
  ],
  [
    command('sh', '-c', 'git push\ngit push --tags'),
    rule('exec', 'commands = ["sh"]'),
    String.raw`exactly = ["/usr/bin/sh", "-c", "git push\U0000000agit push --tags"]`,
  ],
  [command('psql', 'a b', "it's *"), rule('exec', 'commands = ["psql"]'), 'context = "direct"'],
  [
    { kind: 'connect', host: 'DB.example.com', port: 5432, protocol: 'tcp' },
    rule('connect', 'hosts = ["*.example.com"]'),
    'hosts = ["db.example.com"]\nports = [5432]\nprotocol = "tcp"',
  ],
  [
    { kind: 'connect', host: '2001:db8::1', port: 443, protocol: 'tcp' },
    rule('connect', 'hosts = ["any"]'),
    'hosts = ["[2001:db8::1]"]',
  ],
  [
    { kind: 'http', method: 'DELETE', scheme: 'https', host: 'api.example.com', port: 443, path: '/v1/items/7' },
    rule('http', 'hosts = ["api.example.com"]'),
    'schemes = ["https"]\nmethods = ["DELETE"]\npaths = ["/v1/items/7"]',
  ],
  [
    { kind: 'dns', name: 'example.com', recordType: 'TXT' },
    rule('dns', 'names = ["any"]'),
    'names = ["example.com"]\ntypes = ["TXT"]',
  ],
  [
    { kind: 'socket', operation: 'connect', address: '/run/docker.sock' },
    rule('socket', 'addresses = ["/run/docker.sock"]'),
    'addresses = ["/run/docker.sock"]\noperations = ["connect"]',
  ],
  [
    { kind: 'socket', operation: 'connect', address: '@a*' },
    rule('socket', 'addresses = ["@*"]'),
    String.raw`addresses = ['@a\*']`,
  ],
  [
    { kind: 'signal', signal: 'SIGKILL', target: 'box' },
    rule('signal', 'signals = ["SIGKILL"]'),
    'signals = ["SIGKILL"]\ntargets = ["box"]',
  ],
  [{ kind: 'env', name: 'EDITOR' }, rule('env', 'names = ["EDIT*"]'), 'names = ["EDITOR"]'],
  [
    { kind: 'tool', server: 'github', tool: 'create_issue', arguments: '{}' },
    '',
    'tools = ["github/create_issue"] # with any arguments',
  ],
  [{ kind: 'trust', path: '/home/dev/app/.mcp.json', sha256: 'a'.repeat(64) }, '', `sha256 = ["${'a'.repeat(64)}"]`],
];

describe('the answer allows the asked request from then on, and nothing near it', () => {
  test.each(asked)('%j', (request, text, part) => {
    const user = userPolicy(text);
    const before = policyOf(user);
    expect(decide(before, request).decision).toBe('ask');
    const changed = always(request, user);
    expect(changed?.rule).toContain(part);
    const after = user.policyWith(changed?.text ?? '');
    expect(decide(after, request).decision).toBe('allow');
    for (const other of neighboursOf(request))
      expect([other, decide(after, other).decision]).toEqual([other, decide(before, other).decision]);
    expect(neighboursOf(request)).not.toContainEqual(request);
    // After the rule is added, the same question needs no further rule.
    expect(always(request, userPolicy(changed?.text ?? ''))).toBeUndefined();
  });

  test.each<readonly [string, PolicyRequest, string, PolicyRequest]>([
    [
      'a socket in a directory of its name',
      { kind: 'socket', operation: 'bind', address: '/run/x' },
      rule('socket', 'addresses = ["/run"]'),
      { kind: 'socket', operation: 'bind', address: '/run/x/docker.sock' },
    ],
    [
      'a key beneath',
      { kind: 'registry', operation: 'write', key: String.raw`HKCU\Software` },
      rule('registry_rule', "keys = ['HKCU']"),
      { kind: 'registry', operation: 'write', key: String.raw`HKCU\Software\Run\x` },
    ],
    [
      'another scheme',
      { kind: 'http', method: 'GET', scheme: 'https', host: 'api.example.com', port: 443, path: '/' },
      rule('http', 'hosts = ["api.example.com"]'),
      { kind: 'http', method: 'GET', scheme: 'wss', host: 'api.example.com', port: 443, path: '/' },
    ],
    [
      'what is sent over an approved connection, where a rule asks about that',
      { kind: 'connect', host: 'api.example.com', port: 443, protocol: 'tcp' },
      `${rule('connect', 'hosts = ["api.example.com"]')}\n[[http]]\nname = "asking-too"\ndecision = "ask"\nhosts = ["api.example.com"]\n`,
      { kind: 'http', method: 'POST', scheme: 'https', host: 'api.example.com', port: 443, path: '/' },
    ],
  ])('%s goes on being asked', (...[, request, text, other]) => {
    const user = userPolicy(text);
    const after = user.policyWith(always(request, user)?.text ?? '');
    expect(decide(after, request).decision).toBe('allow');
    expect(decide(after, other)).toMatchObject({ decision: 'ask', layer: 'user' });
  });

  test('any words of a command', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('*', '?', '-x', '--', "'", '"', '\\', '', ' ', '{args}', '$(x)', ';', '|', 'ä'),
    );
    const user = userPolicy(rule('exec', 'commands = ["git"]'));
    const before = policyOf(user);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), fc.array(word, { minLength: 1, maxLength: 2 }), (words, more) => {
        const request = command('git', ...words);
        const changed = always(request, user);
        if (changed === undefined) return;
        const after = user.policyWith(changed.text);
        expect(decide(after, request).decision).toBe('allow');
        for (const other of [
          command('git', ...words, ...more),
          command('git', ...more),
          command('git', ...words.slice(1), ...more),
        ]) {
          if (JSON.stringify(other) !== JSON.stringify(request))
            expect([other, decide(after, other).decision]).toEqual([other, decide(before, other).decision]);
        }
      }),
      { numRuns: rounds(150) },
    );
  });
});

test('a question from another source than a rule, such as a flow between tools, has none', () => {
  const request: PolicyRequest = { kind: 'tool', server: 'mail', tool: 'send', arguments: '{}' };
  const user = userPolicy('version = 1\n[tools]\nask = ["mail"]\n');
  const verdict = decide(policyOf(user), request);
  expect(withRule({ request, verdict }, user)).toBeDefined();
  expect(withRule({ request, verdict: { ...verdict, rule: 'read-then-send' } }, user)).toBeUndefined();
});

describe('the text of the policy', () => {
  const text =
    '# my policy\nversion = 1\n\n# first\n[[exec]]\nname = "safe"\ndecision = "deny"\ncommands = ["rm"]\n\n# about pushing\n  # more about it\n[[exec]] # asks\nname = "asking"\ndecision = "ask"\ncommands = ["git push"]\n# the end';

  test('gets the rule before the asking one, above its comments, and every other line stays', () => {
    const changed = always(command('git', 'push'), userPolicy(text));
    const lines = changed?.text.split('\n') ?? [];
    const at = lines.indexOf('# about pushing');
    expect(lines.slice(0, at).join('\n')).toBe(`${text.slice(0, text.indexOf('# about'))}${changed?.rule}`);
    expect(lines.slice(at).join('\n')).toBe(text.slice(text.indexOf('# about')));
  });

  test('gets it at the end where a list or nothing of this file asks', () => {
    const changed = always(command('git', 'push'), userPolicy('version = 1\n[commands]\nask = ["git push"]'));
    expect(changed?.text).toBe(`version = 1\n[commands]\nask = ["git push"]\n\n${changed?.rule}`);
  });

  test('is created if there is none', () => {
    const changed = always({ kind: 'tool', server: 'a', tool: 'b', arguments: '{}' }, userPolicy(''));
    expect(changed?.text).toBe(`version = 1\n\n${changed?.rule}`);
    expect(parsePolicy(changed?.text ?? '', { file: 'user.toml', kind: 'user' })).toMatchObject({ kind: 'document' });
  });

  test('keeps the line ends of Windows as they are', () => {
    const windows = text.replaceAll('\n', '\r\n');
    const changed = always(command('git', 'push'), userPolicy(windows));
    expect(changed?.text.replace(changed.rule, '').includes('# about pushing\r\n')).toBe(true);
  });

  test('is a policy that can be carried out', () => {
    const changed = always(command('git', 'push'), userPolicy(text));
    const mechanisms = new Set<Mechanism>(['exec.allow', 'exec.ask', 'exec.deny']);
    expect(checkPolicy(policyFrom({ user: changed?.text ?? '' }), { approver: 'present', mechanisms })).toEqual([]);
  });
});

describe('no rule can say it', () => {
  const push = command('git', 'push');
  const asks = rule('exec', 'commands = ["git push"]');

  test.each<readonly [string, PolicyRequest, UserPolicy]>([
    ['the rule of a project asks', push, userPolicy('', { project: asks })],
    ['the rule of anyone who manages the machine asks', push, userPolicy('', { managed: asks })],
    ['a project asks as well', push, userPolicy(asks, { project: asks })],
    ['it is denied', push, userPolicy('version = 1\n[commands]\ndeny = ["git push"]')],
    ['it is allowed already', push, userPolicy('')],
    [
      'a credential store',
      { kind: 'file', operation: 'read', path: '/home/dev/.ssh/id_ed25519' },
      userPolicy(rule('file', 'paths = ["~/.ssh"]')),
    ],
    ['the program is only a name', { ...push, program: 'git' } as PolicyRequest, userPolicy(asks)],
    ['a word is not known', { ...push, unknown: [1] } as PolicyRequest, userPolicy(asks)],
    ['a word may have been other bytes', command('git', 'push', 'a\ufffd'), userPolicy(asks)],
    [
      'the rule that asks would have nothing left',
      { kind: 'env', name: 'EDITOR' },
      userPolicy(rule('env', 'names = ["EDITOR"]')),
    ],
    [
      'the rules of the table are written in one line',
      push,
      userPolicy('version = 1\nexec = [{ name = "asking", decision = "ask", commands = ["git push"] }]'),
    ],
    ['the policy has an error', push, { ...userPolicy(asks), text: `${asks}\nnonsense = 1` }],
    [
      'the policy cannot be made',
      push,
      {
        ...userPolicy(asks),
        policyWith: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'a variable that makes programs load code',
      { kind: 'env', name: 'LD_PRELOAD' },
      userPolicy(rule('env', 'names = ["LD_PRELOAD"]')),
    ],
  ])('%s', (...[, request, user]) => {
    const verdict = {
      ...decide(policyFrom({ user: asks }), push),
      ...(user.text.includes('nonsense') ? {} : decide(safely(user), request)),
    };
    expect(withRule({ request, verdict }, user)).toBeUndefined();
  });

  function safely(user: UserPolicy): Policy {
    try {
      return policyOf(user);
    } catch {
      return policyFrom({ user: asks });
    }
  }

  // Only the stated reason keeps the rule from being offered: the policy is valid and asks.
  test.each<readonly [string, PolicyRequest, string]>([
    [
      'one program of many is called by another name',
      { ...push, program: '/bin/busybox', argv: ['vi', 'x'] } as PolicyRequest,
      rule('exec', 'commands = ["busybox"]'),
    ],
    ['it is called nothing', { ...push, argv: [] } as PolicyRequest, rule('exec', 'commands = ["git"]')],
    [
      'nobody knows a word of it',
      { ...command('git', 'push', 'origin'), unknown: [2] } as PolicyRequest,
      rule('exec', 'commands = ["git push"]'),
    ],
    // In a rule, the name means every loopback address.
    [
      'a connection goes to localhost',
      { kind: 'connect', host: 'localhost', port: 53, protocol: 'tcp' },
      rule('connect', 'hosts = ["localhost"]\nports = [53]'),
    ],
    [
      'a host is called like the word for all of them',
      { kind: 'connect', host: 'any', port: 443, protocol: 'tcp' },
      rule('connect', 'hosts = ["any"]'),
    ],
    [
      'a registry key reads as a pattern',
      { kind: 'registry', operation: 'write', key: String.raw`HKCU\*\Run` },
      rule('registry_rule', "keys = ['HKCU']"),
    ],
    [
      'another registry key does',
      { kind: 'registry', operation: 'write', key: String.raw`HKCU\S?ftware` },
      rule('registry_rule', "keys = ['HKCU']"),
    ],
  ])('where %s', (...[, request, text]) => {
    const user = userPolicy(text);
    expect(decide(policyOf(user), request)).toMatchObject({ decision: 'ask', layer: 'user' });
    expect(always(request, user)).toBeUndefined();
  });

  test('for a verdict of another layer, or one that does not ask', () => {
    const user = userPolicy(asks);
    const verdict = decide(policyOf(user), push);
    expect(withRule({ request: push, verdict }, user)).toBeDefined();
    for (const layer of ['project', 'managed'] as const)
      expect(withRule({ request: push, verdict: { ...verdict, layer } }, user)).toBeUndefined();
    expect(withRule({ request: push, verdict: { ...verdict, decision: 'deny' } }, user)).toBeUndefined();
  });

  test('a verdict about an effect of a command is not about the command', () => {
    const opaque = {
      ...decide(policyFrom({ user: asks }), push),
      rule: 'commands.unknown',
      code: 'not-understood' as const,
    };
    expect(withRule({ request: command('sh', '-c', 'x'), verdict: opaque }, userPolicy(asks))).toBeUndefined();
  });
});

describe('writing', () => {
  const asks = rule('exec', 'commands = ["git push"]');
  const subject = {
    request: command('git', 'push'),
    verdict: decide(policyFrom({ user: asks }), command('git', 'push')),
  };

  test('writes the rule that was shown', () => {
    const written: string[] = [];
    const rules = alwaysRules({
      read: () => userPolicy(asks),
      replace: (change) => written.push(change(userPolicy(asks))),
    });
    const shown = rules.propose(subject);
    expect(shown).toMatchObject({ file: 'user.toml' });
    rules.write(subject, shown ?? { file: '', text: '' });
    expect(written).toEqual([always(subject.request, userPolicy(asks))?.text]);
    expect(written[0]).toContain(shown?.text);
  });

  test.each([
    ['the policy allows it by now', 'version = 1\n'],
    ['another rule asks by now', rule('exec', 'commands = ["git push"]').replace('asking', 'another')],
    ['it is denied by now', rule('exec', 'commands = ["git push"]').replace('"ask"', '"deny"')],
    [
      'more of it is denied by now',
      `${rule('exec', 'commands = ["git push"]')}\n[[exec]]\nname = "never"\ndecision = "deny"\ncommands = ["git"]\n`.replace(
        '["git push"]',
        '["git pull"]',
      ),
    ],
    ['the policy has an error by now', 'version = 2'],
    ['there is none by now', ''],
  ])('writes nothing where %s', (...[, now]) => {
    const write = vi.fn<(text: string) => void>();
    const rules = alwaysRules({ read: () => userPolicy(asks), replace: (change) => write(change(userPolicy(now))) });
    const shown = rules.propose(subject);
    expect(shown).toBeDefined();
    expect(() => rules.write(subject, shown ?? { file: '', text: '' })).toThrow(
      expect.objectContaining({ code: 'HF_POLICY_INVALID', message: 'user.toml has changed since the rule was shown' }),
    );
    expect(write).not.toHaveBeenCalled();
  });

  test('writes nothing else', () => {
    const write = vi.fn<(text: string) => void>();
    const rules = alwaysRules({ read: () => userPolicy(asks), replace: (change) => write(change(userPolicy(asks))) });
    expect(() => rules.write(subject, { file: 'user.toml', text: `${rules.propose(subject)?.text} ` })).toThrow(
      expect.objectContaining({ code: 'HF_POLICY_INVALID' }),
    );
    expect(write).not.toHaveBeenCalled();
  });

  test('keeps the user’s changes made meanwhile', () => {
    const written: string[] = [];
    const now = `${asks}\n# mine\n[[exec]]\nname = "mine"\ndecision = "deny"\ncommands = ["rm"]\n`;
    const rules = alwaysRules({
      read: () => userPolicy(asks),
      replace: (change) => written.push(change(userPolicy(now))),
    });
    const shown = rules.propose(subject);
    rules.write(subject, shown ?? { file: '', text: '' });
    expect(written[0]?.replace(`${shown?.text}\n`, '')).toBe(now);
  });

  test('a policy that cannot be read has no such answer', () => {
    const rules = alwaysRules({
      read: () => {
        throw new Error('EACCES');
      },
      replace: () => undefined,
    });
    expect(rules.propose(subject)).toBeUndefined();
  });
});

test('a path asked about as a whole is not opened in part: no box could have it', () => {
  const user = userPolicy(rule('file', 'paths = ["migrations"]'));
  expect(always({ kind: 'file', operation: 'write', path: '/home/dev/app/migrations/1.sql' }, user)).toBeUndefined();
});
