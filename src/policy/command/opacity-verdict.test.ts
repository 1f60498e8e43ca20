import { describe, expect, test } from 'vitest';
import type { Opacity } from '../../shell/types.ts';
import { closedLayer } from '../policy.ts';
import { analysisOf, opacity } from '../testing/analyses.ts';
import { policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { exec } from '../testing/requests.ts';
import { opacityVerdict, openVerdict, unknownAnswer } from './opacity-verdict.ts';

const kinds: readonly Opacity['kind'][] = [
  'syntax',
  'uncovered',
  'budget',
  'shell',
  'dynamic-program',
  'dynamic-word',
  'unknown-tool',
  'unknown-option',
  'inline-code',
  'stdin-code',
];
const place = {
  invocation: analysisOf([{ argv: ['mytool', '$x', '~/y', '~/a b'] }]).invocations[0]!,
  request: exec('mytool', '$x'),
};

describe('opacityVerdict', () => {
  test.each(kinds)('%s is asked about, with its kind and the remedy', (kind) => {
    expect(opacityVerdict(policyFrom(), opacity(kind, 'a reason'), place)).toMatchObject({
      decision: 'ask',
      code: 'not-understood',
      rule: 'commands.unknown',
      layer: 'user',
      file: 'built-in',
      line: 0,
      message: 'running mytool $x ~/y ~/a b waits for approval: a reason',
      remedy: expect.stringMatching(/^approve it when asked, or \w/u),
    });
  });

  test.each(kinds)('%s is refused, with what to do', (kind) => {
    const { message, remedy, line } =
      opacityVerdict(policyFrom({ project: '[commands]\nunknown = "deny"' }), opacity(kind, 'a reason'), place) ?? {};
    expect({ message, line }).toEqual({
      message: 'running mytool $x ~/y ~/a b is refused: a reason (commands.unknown of project.toml:3)',
      line: 3,
    });
    expect(remedy).not.toMatch(/approve/u);
  });

  test('describes the whole text', () => {
    expect(opacityVerdict(policyFrom(), opacity('syntax', 'no end of a quote'))?.message).toBe(
      'running the command waits for approval: no end of a quote',
    );
    expect(opacityVerdict(policyFrom(), opacity('unknown-tool', 'x'))?.remedy).toBe(
      'approve it when asked, or set commands.unknown = "allow" in your own policy',
    );
  });

  test.each<[PolicyTexts, string]>([
    [{ user: '[commands]\nunknown = "ask"' }, 'user.toml line 3'],
    [
      { user: '[commands]\nunknown = "allow"', project: '[files]\nread = ["."]\n[commands]\nunknown = "deny"' },
      'project.toml line 5',
    ],
    [{ managed: '[commands]\nunknown = "deny"', project: '[commands]\nunknown = "ask"' }, 'managed.toml line 3'],
  ])('the remedy is about the strictest file: %j', (texts, place) => {
    for (const kind of ['unknown-tool', 'unknown-option', 'dynamic-word', 'inline-code'] as const)
      expect(opacityVerdict(policyFrom(texts), opacity(kind))?.remedy).toMatch(
        new RegExp(`set commands\\.unknown = "allow" in ${place}$`, 'u'),
      );
    for (const kind of ['syntax', 'shell', 'budget', 'stdin-code', 'dynamic-program', 'uncovered'] as const)
      expect(opacityVerdict(policyFrom(texts), opacity(kind))?.remedy).not.toContain('commands.unknown');
  });

  test('no part of it can forge or repaint a line', () => {
    const hostile = {
      invocation: analysisOf([{ argv: ['a\nallow: b', '\u001b[2J\u202e'] }]).invocations[0]!,
      request: exec('a\n"b\''),
    };
    const { message, remedy } = opacityVerdict(policyFrom(), opacity('unknown-tool', 'x\ny'), hostile) ?? {};
    expect(`${message}${remedy}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('an allowed part has no verdict of its own', () => {
    expect(opacityVerdict(policyFrom(), opacity('repository-code'), place)).toBeUndefined();
    expect(
      opacityVerdict(policyFrom({ user: '[commands]\nunknown = "allow"' }), opacity('inline-code'), place),
    ).toBeUndefined();
    expect(openVerdict(opacity('repository-code', 'runs the makefile'))).toMatchObject({
      decision: 'allow',
      message: 'allowed: runs the makefile',
    });
  });
});

describe('unknownAnswer', () => {
  test.each<[PolicyTexts, string]>([
    [{}, 'ask'],
    [{ user: '[commands]\nunknown = "allow"' }, 'allow'],
    [{ user: '[commands]\nunknown = "deny"' }, 'deny'],
    [{ project: '[commands]\nunknown = "allow"' }, 'ask'],
    [{ user: '[commands]\nunknown = "allow"', managed: '[commands]\nunknown = "ask"' }, 'ask'],
    [{ user: '[commands]\nunknown = "allow"', session: '[commands]\nunknown = "deny"' }, 'deny'],
    [{ user: '[commands]\nunknown = "allow"', managed: '[commands]\nunknown = "allow"' }, 'allow'],
  ])('%j: %s', (texts, decision) => {
    expect(unknownAnswer(policyFrom(texts), opacity('unknown-tool'), undefined)?.decision).toBe(decision);
  });

  test('no answer comes without a layer’s rule', () => {
    expect(unknownAnswer({ layers: [closedLayer()] }, opacity('unknown-tool'), undefined)).toBeUndefined();
  });

  test('a rule for nested commands does not apply to entering ones', () => {
    const user = '[[exec]]\nname = "a"\ndecision = "allow"\ncommands = ["mytool"]\ncontext = "nested"';
    expect(unknownAnswer(policyFrom({ user }), opacity('unknown-tool'), exec('mytool'))?.decision).toBe('ask');
    expect(
      unknownAnswer(policyFrom({ user: user.replace('nested', 'direct') }), opacity('unknown-tool'), exec('mytool'))
        ?.decision,
    ).toBe('allow');
  });

  test('a rule after an asking one allows nothing', () => {
    const user =
      '[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ["mytool x"]\n[[exec]]\nname = "b"\ndecision = "allow"\ncommands = ["mytool"]';
    expect(unknownAnswer(policyFrom({ user }), opacity('unknown-tool'), exec('mytool', 'x'))?.decision).toBe('ask');
    expect(unknownAnswer(policyFrom({ user }), opacity('unknown-tool'), exec('mytool', 'y'))?.decision).toBe('allow');
  });

  test.each<[string, Opacity, string]>([
    ['npm publish', { ...opacity('unknown-option'), concerns: 'tool' }, 'allow'],
    ['npm', { ...opacity('unknown-option'), concerns: 'tool' }, 'allow'],
    ['npm publish', opacity('unknown-option'), 'ask'],
    ['npm publish', { ...opacity('inline-code'), concerns: 'tool' }, 'ask'],
    ['npm publish', { ...opacity('stdin-code'), concerns: 'tool' }, 'ask'],
    ['npm install', { ...opacity('unknown-option'), concerns: 'tool' }, 'ask'],
    ['n*', { ...opacity('unknown-option'), concerns: 'tool' }, 'ask'],
  ])('allowing %s includes its fixed effects: %j', (pattern, reason, decision) => {
    const user = `[[exec]]\nname = "a"\ndecision = "allow"\ncommands = ["${pattern}"]`;
    expect(unknownAnswer(policyFrom({ user }), reason, exec('npm', 'publish'))?.decision).toBe(decision);
  });

  test('a planted program is not the allowed one', () => {
    const user = '[[exec]]\nname = "a"\ndecision = "allow"\ncommands = ["mytool"]';
    expect(
      unknownAnswer(policyFrom({ user }), opacity('unknown-tool'), { ...exec('mytool'), program: '/tmp/mytool' })
        ?.decision,
    ).toBe('ask');
  });
});
