import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { ExecRequest } from './request.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import { exec } from './testing/requests.ts';

const ask = (texts: PolicyTexts, ...argv: readonly string[]) => decide(policyFrom(texts), exec(...argv));
const rule = (decision: string, command: string, more = ''): string =>
  `[[exec]]\nname = "${decision}-${command.replaceAll(/\W/gu, '')}"\ndecision = "${decision}"\ncommands = ["${command}"]\n${more}\n`;

describe('lists read words as rules do', () => {
  test.each([
    ['deny', 'deny'],
    ['ask', 'ask'],
  ])('commands.%s', (list, decision) => {
    const user = `[commands]\n${list} = ["git push --force"]`;
    expect(ask({ user }, 'git', 'push', 'origin', '-f').decision).toBe(decision);
    expect(ask({ user }, 'git', 'push', '--forc').decision).toBe(decision);
    expect(ask({ user }, 'git', 'push', 'origin').decision).toBe('allow');
  });

  test('commands.allow takes written and understood commands', () => {
    const user = '[commands]\nallow = ["git status", "rm -r", "ls"]';
    expect(ask({ user }, 'git', 'status', '--short').decision).toBe('allow');
    expect(ask({ user }, 'rm', '-vr', 'x').decision).toBe('allow');
    expect(ask({ user }, 'ls', '-la').decision).toBe('allow');
    expect(ask({ user }, 'git', '-c', 'core.pager=x', 'status').decision).toBe('deny');
    expect(ask({ user }, 'rm', '--recurs', 'x').decision).toBe('deny');
    expect(ask({ user }, 'rm', 'x').decision).toBe('deny');
  });

  test('the layers meet: the strictest answer counts', () => {
    const texts = {
      user: '[commands]\nallow = ["git"]',
      project: '[commands]\nask = ["git push"]',
      managed: '[commands]\ndeny = ["git push -f"]',
    };
    expect(ask(texts, 'git', 'log').decision).toBe('allow');
    expect(ask(texts, 'git', 'push').decision).toBe('ask');
    expect(ask(texts, 'git', 'push', '--force')).toMatchObject({ decision: 'deny', layer: 'managed' });
    expect(ask(texts, 'ls').decision).toBe('deny');
  });
});

describe('audit and redirect look as far as refusals', () => {
  test.each(['audit', 'redirect'])('%s', (decision) => {
    const user = rule(decision, 'git push --force', decision === 'redirect' ? 'redirect_to = ["true"]' : '');
    expect(ask({ user }, 'git', '-C', 'x', 'push', '-uf').decision).toBe(decision);
    expect(ask({ user }, 'git', 'push', '--forc').decision).toBe(decision);
    expect(ask({ user }, 'git', 'push').decision).toBe('allow');
  });

  test('the first rule that matches decides within a layer', () => {
    const user = rule('allow', 'git push --force-with-lease') + rule('deny', 'git push');
    expect(ask({ user }, 'git', 'push', '--force-with-lease').decision).toBe('allow');
    expect(ask({ user }, 'git', 'push', 'origin').decision).toBe('deny');
  });
});

describe('a doubt', () => {
  const unknown = (texts: PolicyTexts, argv: readonly string[], places: readonly number[]) =>
    decide(policyFrom(texts), { ...exec(...argv), unknown: places } satisfies ExecRequest);

  test('is asked about, and names the rule that it is about', () => {
    expect(
      unknown({ user: rule('deny', 'git push --force', 'reason = "others work there"') }, ['git', 'push', '$x'], [2]),
    ).toMatchObject({
      decision: 'ask',
      code: 'unknown-word',
      rule: 'deny-gitpushforce',
      line: 2,
      message: expect.stringContaining('(others work there)'),
    });
  });

  test('never loosens a certain decision', () => {
    expect(
      unknown({ user: rule('ask', 'git push -f') + rule('deny', 'git push') }, ['git', 'push', '$x'], [2]).decision,
    ).toBe('deny');
    expect(
      unknown(
        { user: '[commands]\nallow = ["ls"]', project: '[commands]\ndeny = ["git push -f"]' },
        ['git', 'push', '$x'],
        [2],
      ).decision,
    ).toBe('deny');
  });

  test('is stricter than audit and redirect', () => {
    expect(
      unknown({ user: rule('deny', 'git push -f') + rule('audit', 'git push') }, ['git', 'push', '$x'], [2]).decision,
    ).toBe('ask');
    expect(
      unknown(
        { user: rule('audit', 'git push origin') + rule('deny', 'git push -f') },
        ['git', 'push', 'origin', '$x'],
        [3],
      ).decision,
    ).toBe('audit');
  });

  test('does not arise from a rule that allows or only journals', () => {
    expect(unknown({ user: rule('audit', 'git push -f') }, ['git', 'push', '$x'], [2]).decision).toBe('allow');
    expect(unknown({ user: rule('allow', 'git push -f') }, ['git', 'push', '$x'], [2]).decision).toBe('allow');
  });

  test('includes wildcard programs and argv[0]', () => {
    expect(unknown({ user: rule('deny', 'g* push -f') }, ['git', '$x'], [1]).decision).toBe('ask');
    expect(
      decide(policyFrom({ user: rule('deny', 'git push -f') }), {
        kind: 'exec',
        program: '/opt/x',
        argv: ['git', '$x'],
        context: 'direct',
        unknown: [1],
      }).decision,
    ).toBe('ask');
  });
});
