import { describe, expect, test } from 'vitest';
import { explanationFor } from '../command/explain-command.ts';
import { decide } from '../decide.ts';
import { answerOf } from '../origin.ts';
import type { PolicyRequest } from '../request.ts';
import { policyFrom } from '../testing/policies.ts';
import {
  connect,
  dns,
  env,
  exec,
  file,
  hashOf,
  http,
  registry,
  signal,
  socket,
  tool,
  trust,
} from '../testing/requests.ts';
import type { VerdictCode } from '../verdict.ts';
import { causeOf, verdictMessage, originText, subjectOf } from './message.ts';
import { remedyText, wayText } from './verdict-of.ts';
import { grantFor, releaseFor, waysToAllow } from './ways.ts';

const origin = { rule: 'files.deny[0]', layer: 'user', file: '~/.config/p.toml', line: 7 } as const;
const answer = (code: VerdictCode, reason?: string, file: string = origin.file) =>
  answerOf(
    { ...origin, file },
    { decision: 'deny', code, editFile: 'edit.toml', ...(reason === undefined ? {} : { reason }) },
  );

describe('the subject of a request, in words', () => {
  test.each<[PolicyRequest, string]>([
    [file('read', '/srv/a'), 'reading /srv/a'],
    [file('write', '/srv/a'), 'writing /srv/a'],
    [file('create', '/srv/a'), 'creating /srv/a'],
    [file('delete', '/srv/a'), 'deleting /srv/a'],
    [file('execute', '/srv/a'), 'executing /srv/a'],
    [exec('git', 'push'), 'running git push'],
    [{ ...exec('git', 'push'), program: '/usr/bin/git' }, 'running /usr/bin/git push'],
    [{ kind: 'connect', host: '2001:db8::1', port: 443, protocol: 'tcp' }, 'connecting to [2001:db8::1]:443'],
    [{ kind: 'connect', host: '[2001:db8::1]', port: 53, protocol: 'udp' }, 'connecting to [2001:db8::1]:53 over UDP'],
    [{ kind: 'dns', name: 'a.test', recordType: 'TXT' }, 'looking up a.test (TXT)'],
    [{ kind: 'socket', operation: 'bind', address: '@x' }, 'binding the socket @x'],
    [{ kind: 'signal', signal: 'SIGKILL', target: 'outside' }, 'sending SIGKILL to a process outside the box'],
    [{ kind: 'signal', signal: 'SIGTERM', target: 'self' }, 'sending SIGTERM to itself'],
    [{ kind: 'env', name: 'A' }, 'passing the variable A'],
    [{ kind: 'tool', server: 's', tool: 't', arguments: '{}' }, 'calling the tool s/t'],
    [{ kind: 'trust', path: '/srv/.mcp.json', sha256: hashOf('a') }, 'using /srv/.mcp.json'],
    [{ kind: 'registry', operation: 'delete', key: 'HKCU\\a' }, 'deleting the registry key HKCU\\a'],
    [file('read', '/a\nb\u202e'), 'reading /a\\u{a}b\\u{202e}'],
  ])('%j: %s', (request, words) => {
    expect(subjectOf(request)).toBe(words);
  });

  test('every kind of request has words, and none of them a line break', () => {
    for (const request of [
      connect('a.test'),
      http('GET', 'https://a.test/\u0007'),
      dns('a.test'),
      env('A'),
      registry('HKCU'),
      signal('SIGTERM', 'box'),
      socket('/run/a'),
      tool('s/t'),
      trust('/a'),
    ])
      expect(subjectOf(request)).toMatch(/^[a-zA-Z]+ [^\p{Cc}]+$/u);
  });
});

describe('why', () => {
  test.each<[VerdictCode, string]>([
    ['granted', 'files.deny[0] of ~/.config/p.toml:7 grants it (r)'],
    ['rule', 'files.deny[0] of ~/.config/p.toml:7 says so (r)'],
    ['deny-set', 'files.deny[0] of ~/.config/p.toml:7 rules it out (r)'],
    ['not-granted', 'nothing in the policy grants it'],
    ['outside-ceiling', 'files.deny[0] of ~/.config/p.toml:7 does not include it'],
    ['credential-store', 'it is a credential store (r)'],
    ['protected-path', 'it is a protected path (r)'],
    ['hidden-file', 'it is a hidden file (r)'],
    ['policy-file', 'it belongs to the policy (r)'],
    ['unknown-word', 'files.deny[0] of ~/.config/p.toml:7 may be about it (r)'],
    ['not-understood', 'its effect is not known (r)'],
    ['planted-program', 'the program is where the box can write (r)'],
  ])('%s: %s', (code, words) => {
    expect(causeOf(answer(code, 'r'))).toBe(words);
    expect(causeOf(answer(code))).toBe(words.replace(' (r)', ''));
    expect(verdictMessage(answer(code, 'r'), file('read', '/a'))).toBe(`reading /a is refused: ${words}`);
  });

  test('the place of the rule', () => {
    expect(originText({ ...origin, line: 0 })).toBe('files.deny[0] of ~/.config/p.toml');
    expect(originText({ ...origin, file: 'built-in' })).toBe('the built-in files.deny[0]');
    expect(originText({ ...origin, file: 'a\nb' })).toBe('files.deny[0] of a\\u{a}b:7');
  });
});

describe('the way to allow it', () => {
  test.each<[VerdictCode, string]>([
    ['not-granted', 'add files.read = ["/srv/a"] to edit.toml, or run with --read /srv/a'],
    ['outside-ceiling', 'add files.deny[0] = ["/srv/a"] to ~/.config/p.toml'],
    ['rule', 'change files.deny[0] in ~/.config/p.toml line 7'],
    ['deny-set', 'change files.deny[0] in ~/.config/p.toml line 7'],
    ['unknown-word', 'change files.deny[0] in ~/.config/p.toml line 7'],
    ['protected-path', 'change files.deny[0] in ~/.config/p.toml line 7'],
    ['credential-store', 'nothing would allow it: credential stores never enter the box'],
    ['policy-file', 'nothing would allow it: a box that could change its policy would not be restricted by it'],
    ['not-understood', 'nothing would allow it: r'],
    ['unrepresentable', 'nothing would allow it: no rule can name an invalid path, host or name'],
  ])('%s: %s', (code, words) => {
    expect(waysToAllow(answer(code, 'r'), file('read', '/srv/a')).map(wayText)).toEqual([words]);
    expect(remedyText(answer(code, 'r'), file('read', '/srv/a'))).toBe(words);
  });

  test.each<[PolicyRequest, string | undefined]>([
    [file('execute', '/srv/a'), 'files.read = ["/srv/a"]'],
    [file('delete', '/srv/a b'), 'files.write = ["/srv/a b"]'],
    [file('read', 'relative'), 'files.read = ["/home/dev/app/relative"]'],
    [{ kind: 'connect', host: '::1', port: 3000, protocol: 'tcp' }, 'network.hosts = ["[::1]:3000"]'],
    [
      { kind: 'connect', host: 'a.test', port: 53, protocol: 'udp' },
      'connect = [{ name = "udp-53", decision = "allow", hosts = ["a.test:53"], protocol = "udp" }]',
    ],
    [{ kind: 'env', name: 'A' }, 'environment.pass = ["A"]'],
    [{ kind: 'env', name: 'LD_PRELOAD' }, 'environment.set = { LD_PRELOAD = "…" }'],
    [{ kind: 'env', name: 'a-b' }, undefined],
    [{ kind: 'signal', signal: 'SIGKILL', target: 'box' }, undefined],
    [{ kind: 'socket', operation: 'connect', address: '@a*' }, "sockets.allow = ['@a\\*']"],
    [exec('a b', 'c*'), `commands.allow = ["'a b' c\\\\*"]`],
  ])('a grant for %j', (request, line) => {
    expect(grantFor(request)?.line).toBe(line);
  });

  test('a release covers the whole guarded path', () => {
    expect(releaseFor(file('write', '/w/a/.vscode/tasks.json'), 'protected:.vscode')?.line).toBe(
      'files.release = ["/w/a/.vscode"]',
    );
    expect(releaseFor(file('write', '/w/a/other'), 'protected:.vscode')).toBeUndefined();
    expect(releaseFor(exec('git'), 'protected:.vscode')).toBeUndefined();
  });
});

test('a verdict and its explanation use the same words', () => {
  const policy = policyFrom({ user: '[files]\ndeny = ["~/x"]' });
  for (const request of [
    file('read', '/home/dev/x/y'),
    file('write', '/etc/passwd'),
    exec('git', 'push'),
    connect('a.test'),
  ]) {
    expect(explanationFor(policy, request).verdict).toEqual(decide(policy, request));
  }
});
