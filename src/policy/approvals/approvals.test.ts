import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPolicy, type Mechanism } from '../check-policy.ts';
import { parsePolicy } from '../document/parse.ts';
import { meet, type Policy } from '../policy.ts';
import { policyFrom, problemsIn } from '../testing/policies.ts';
import { approvalSettings, needsCode } from './approvals-of.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const hook = (url: string, secret = '{ env = "HOOK_SECRET" }'): string =>
  `[approvals.webhook]\nurl = "${url}"\nsecret = ${secret}\n`;
const asking = '[[file]]\nname = "ask-migrations"\ndecision = "ask"\npaths = ["migrations"]\n';

function totpProblems(policy: Policy): readonly string[] {
  const mechanisms = new Set<Mechanism>(['file.ask', 'file.deny', 'exec.ask', 'exec.deny', 'exec.allow']);
  return checkPolicy(policy, { approver: 'present', mechanisms }).map(
    ({ file, line, message, remedy }) => `${file}:${line}: ${message}; ${remedy}`,
  );
}

describe('the layers combined', () => {
  test('by default: a minute, no notification, no code, no webhook', () => {
    expect(approvalSettings(policyFrom())).toEqual({ timeout: 60_000, desktop: 'off', totp: [], webhooks: [] });
  });

  test.each([
    [{ user: '[approvals]\ntimeout = "5m"' }, 300_000],
    [{ user: '[approvals]\ntimeout = "5m"', managed: '[approvals]\ntimeout = "30s"' }, 30_000],
    [{ user: '[approvals]\ntimeout = "10s"', managed: '[approvals]\ntimeout = "30s"' }, 10_000],
    [{ managed: '[approvals]\ntimeout = "1500ms"' }, 1500],
  ])('%j: the shortest time-out, %i ms', (texts, timeout) => {
    expect(approvalSettings(policyFrom(texts)).timeout).toBe(timeout);
  });

  test.each([
    [{ user: '[approvals]\ndesktop = "on"' }, 'on'],
    [{ managed: '[approvals]\ndesktop = "on"' }, 'on'],
    [{ user: '[approvals]\ndesktop = "on"', managed: '[approvals]\ndesktop = "off"' }, 'off'],
    [{ user: '[approvals]\ndesktop = "off"', managed: '[approvals]\ndesktop = "on"' }, 'off'],
  ])('%j: notifications are %s', (texts, desktop) => {
    expect(approvalSettings(policyFrom(texts)).desktop).toBe(desktop);
  });

  test('every rule that any of them names needs a code', () => {
    const { totp } = approvalSettings(
      policyFrom({ user: '[approvals]\ntotp = ["b", "a"]', managed: '[approvals]\ntotp = ["c", "a"]' }),
    );
    expect(totp).toEqual(['a', 'b', 'c']);
  });

  test('every webhook is called, equal ones once', () => {
    const texts = { user: hook('https://a.test/x'), managed: hook('https://b.test/') };
    expect(approvalSettings(policyFrom(texts)).webhooks.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['https://a.test/x', 'https://b.test/']),
    );
    expect(
      approvalSettings(policyFrom({ user: hook('https://a.test'), managed: hook('https://a.test/') })).webhooks,
    ).toEqual([{ url: 'https://a.test/', secret: { kind: 'env', variable: 'HOOK_SECRET' } }]);
  });

  test('meet is commutative and idempotent, and only narrows', () => {
    const layer = fc
      .record({
        timeout: fc.option(fc.integer({ min: 1, max: 500 })),
        desktop: fc.option(fc.constantFrom('on', 'off')),
        totp: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      })
      .map(
        ({ timeout, desktop, totp }) =>
          `[approvals]\n${timeout === null ? '' : `timeout = "${timeout}s"\n`}${desktop === null ? '' : `desktop = "${desktop}"\n`}totp = ${JSON.stringify(totp)}\n`,
      );
    fc.assert(
      fc.property(layer, layer, (one, other) => {
        const [a, b] = [policyFrom({ user: one }), policyFrom({ managed: other })];
        const both = approvalSettings(meet(a, b));
        expect(both).toEqual(approvalSettings(meet(b, a)));
        expect(approvalSettings(meet(a, a))).toEqual(approvalSettings(a));
        const said = [one, other]
          .flatMap((text) => /timeout = "(\d+)s"/u.exec(text)?.[1] ?? [])
          .map((seconds) => Number(seconds) * 1000);
        expect(both.timeout).toBe(said.length === 0 ? 60_000 : Math.min(...said));
        for (const single of [approvalSettings(a), approvalSettings(b)]) {
          expect(both.totp).toEqual(expect.arrayContaining([...single.totp]));
        }
      }),
      { numRuns: rounds(50) },
    );
  });
});

describe('needsCode', () => {
  test.each([
    ['ask-migrations', 'ask-migrations', true],
    ['ask-migrations', 'ask-migrations-2', false],
    ['commands.ask', 'commands.ask[3]', true],
    ['commands.ask', 'commands.asking', false],
    ['commands.ask[3]', 'commands.ask[30]', false],
  ])('totp = [%j], asked by %s: %s', (name, rule, answer) => {
    expect(needsCode({ totp: [name] }, rule)).toBe(answer);
  });
});

describe('layers that may set them', () => {
  test.each(['project', 'session', 'required'] as const)('a %s policy may not', (kind) => {
    const problems = problemsIn('version = 1\n[approvals]\ntimeout = "10s"\n', kind);
    expect(problems.map(({ message }) => message).join('\n')).toMatch(
      kind === 'required' ? /built in/u : /cannot configure approvals/u,
    );
  });

  test.each(['user', 'managed'] as const)('a %s policy may', (kind) => {
    const text = `version = 1\n${hook('https://approvals.example.com/holdfast')}`;
    expect(parsePolicy(text, { file: 'policy.toml', kind })).toMatchObject({ kind: 'document' });
  });
});

describe('mistakes in a table', () => {
  test.each([
    ['timeout = "500ms"', /between "1s" and "24h"/u],
    ['timeout = "25h"', /between "1s" and "24h"/u],
    ['timeout = "none"', /a time-out is written/u],
    ['timeout = 60', /has to be a text/u],
    ['desktop = "yes"', /desktop|"on"/u],
    ['totp = [""]', /./u],
    ['time_out = "60s"', /unknown key "time_out"/u],
    ['webhook = { url = "https://a.test" }', /secret/u],
    ['webhook = { url = "ftp://a.test", secret = { env = "X" } }', /no usable URL/u],
    ['webhook = { url = "not a url", secret = { env = "X" } }', /no usable URL/u],
    ['webhook = { url = "http://a.test", secret = { env = "X" } }', /without encryption/u],
    ['webhook = { url = "http://localhost", secret = { env = "X" } }', /without encryption/u],
    ['webhook = { url = "http://127.0.0.1.evil.test", secret = { env = "X" } }', /without encryption/u],
    ['webhook = { url = "https://u:p@a.test", secret = { env = "X" } }', /holds a password/u],
    ['webhook = { url = "https://u@a.test", secret = { env = "X" } }', /holds a password/u],
    ['webhook = { url = "https://a.test/#x", secret = { env = "X" } }', /fragment/u],
    ['webhook = { url = "https://a.test", secret = {} }', /names no place/u],
    ['webhook = { url = "https://a.test", secret = { env = "A", file = "/b" } }', /two places/u],
    ['webhook = { url = "https://a.test", secret = { command = ["./x"] } }', /relative to a directory/u],
    ['webhook = { url = "https://a.test", secret = { file = "secrets/hook" } }', /path of one file/u],
  ])('%s', (line, message) => {
    expect(
      problemsIn(`version = 1\n[approvals]\n${line}\n`, 'user')
        .map((problem) => problem.message)
        .join('\n'),
    ).toMatch(message);
  });

  test.each(['http://127.0.0.1:8080/', 'http://[::1]:8080/', 'https://approvals.example.com/a?b=c'])(
    'the URL %s is fine',
    (url) => {
      expect(approvalSettings(policyFrom({ user: hook(url) })).webhooks[0]?.url).toBe(url);
    },
  );

  test('no message repeats a text in place of a URL or source: it may be the secret', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const text = `version = 1\n[approvals.webhook]\nurl = "https://x:${secret}@a.test"\nsecret = { env = "${secret}-" }\n`;
    expect(JSON.stringify(problemsIn(text, 'user'))).not.toContain(secret);
  });
});

describe('names below totp', () => {
  test.each([
    ['ask-migrations', asking],
    ['commands.ask', '[commands]\nask = ["git push"]\n'],
    ['commands.ask[0]', '[commands]\nask = ["git push"]\n'],
    ['trust.default', ''],
  ])('%s is a rule that asks', (name, rules) => {
    expect(totpProblems(policyFrom({ user: `${rules}[approvals]\ntotp = ["${name}"]` }))).toEqual([]);
  });

  test('may be of another layer', () => {
    expect(totpProblems(policyFrom({ user: asking, managed: '[approvals]\ntotp = ["ask-migrations"]' }))).toEqual([]);
  });

  test.each([
    ['ask-migratoins', 'no rule that asks is called "ask-migratoins"; did you mean "ask-migrations"?'],
    [
      'something-else-entirely',
      'no rule that asks is called "something-else-entirely"; write the name of a rule that decides "ask", or take it out of approvals.totp',
    ],
    [
      'deny-keys',
      '"deny-keys" never asks, so it never needs a code; let it decide "ask", or take it out of approvals.totp',
    ],
  ])('%s is not one', (name, problem) => {
    const rules = `${asking}[[file]]\nname = "deny-keys"\ndecision = "deny"\npaths = ["keys"]\n`;
    expect(totpProblems(policyFrom({ user: `${rules}[approvals]\ntotp = ["${name}"]` }))).toEqual([
      `user.toml:11: ${problem}`,
    ]);
  });
});

test('`holdfast policy show` tells all of it, and of a webhook only the host', () => {
  const statements = policyFrom({
    user: `[approvals]\ntimeout = "90s"\ndesktop = "on"\ntotp = ["trust.default"]\n${hook('https://hooks.test:8443/T0/secret-path')}`,
  }).layers.flatMap((layer) => layer.statements().filter(({ subject }) => subject.startsWith('approvals.')));
  expect(statements.map(({ subject, value }) => `${subject} ${value}`)).toEqual([
    'approvals.timeout 90s',
    'approvals.desktop on',
    'approvals.totp trust.default',
    'approvals.webhook hooks.test:8443, signed with a secret from the environment variable HOOK_SECRET',
  ]);
});
