import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explanationFor } from './command/explain-command.ts';
import { decide } from './decide.ts';
import { parsePolicy } from './document/parse.ts';
import { namedPrograms } from './programs/programs.ts';
import type { ExecRequest } from './request.ts';
import { policyFrom, problemsIn } from './testing/policies.ts';
import { exec } from './testing/requests.ts';
import { tomlText } from './words/toml-text.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const exactly = (decision: string, words: readonly string[], more = ''): string =>
  `[[exec]]\nname = "exact"\ndecision = "${decision}"\nexactly = [${words.map(tomlText).join(', ')}]\n${more}\n`;
const before = '[[exec]]\nname = "rest"\ndecision = "ask"\ncommands = ["*"]\n';
const at = (program: string, ...argv: readonly string[]): ExecRequest => ({
  kind: 'exec',
  program,
  argv,
  context: 'direct',
});

describe('a rule about exactly these words', () => {
  const user = exactly('allow', ['git', 'push', '--force']) + before;
  const decided = (request: ExecRequest): string => decide(policyFrom({ user }), request).rule;

  test.each([
    at('/usr/bin/git', 'git', 'push', '--force'),
    at('/usr/bin/git', '/usr/bin/git', 'push', '--force'),
    exec('git', 'push', '--force'),
  ])('is about %j', (request) => {
    expect(decided(request)).toBe('exact');
  });

  test.each([
    exec('git', 'push'),
    exec('git', 'push', '-f'),
    exec('git', '--force', 'push'),
    exec('git', 'push', '--force', 'origin'),
    exec('git', 'push', '--force', ''),
    exec('git', 'push', '--force', '--'),
    exec('git', 'push', '--forc'),
    exec('git', 'PUSH', '--force'),
    // A program with another name may do something else.
    at('/usr/bin/git', 'busybox', 'push', '--force'),
    // A planted program.
    at('/home/dev/app/git', 'git', 'push', '--force'),
    { ...exec('git', 'push', '--force'), unknown: [2] },
  ])('is not about %j', (request) => {
    expect(decided(request)).toBe('rest');
  });

  // The law of `exactly`: it matches one argument vector and no other.
  test('matches one command and no other, whatever the words are', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('', '-', '--', '-x', '*', '?', '\\', "'", '"', ' ', 'a b', '\n', '{args}', '$(x)', ';', 'ä'),
    );
    const words = fc.array(word, { maxLength: 4 });
    fc.assert(
      fc.property(words, words, fc.constantFrom('allow', 'ask', 'deny', 'audit'), (own, other, decision) => {
        fc.pre([...own, ...other].every((text) => !text.includes('\0') && text.isWellFormed()));
        const policy = policyFrom({ user: exactly(decision, ['/usr/bin/tool', ...own]) });
        expect(decide(policy, at('/usr/bin/tool', 'tool', ...own)).decision).toBe(decision);
        const isSame = own.length === other.length && own.every((text, index) => text === other[index]);
        expect(decide(policy, at('/usr/bin/tool', 'tool', ...other)).rule === 'exact').toBe(isSame);
        expect(decide(policy, at('/usr/bin/tool', 'tool', ...own, ...other)).rule === 'exact').toBe(other.length === 0);
        expect(decide(policy, at('/usr/bin/tools', 'tool', ...own)).rule).not.toBe('exact');
      }),
      { numRuns: rounds(300) },
    );
  });

  test('has a program by its name, its path, or a path below the workspace or the home', () => {
    for (const [program, path] of [
      ['./build.sh', '/home/dev/app/build.sh'],
      ['~/bin/x', '/home/dev/bin/x'],
      ['/srv/a*', '/srv/a*'],
    ] as const) {
      expect(decide(policyFrom({ user: exactly('deny', [program]) }), at(path, path)).rule).toBe('exact');
      expect(decide(policyFrom({ user: exactly('deny', [program]) }), at(`${path}x`, `${path}x`)).rule).not.toBe(
        'exact',
      );
    }
  });

  test('that refuses also takes the name that a program is called by', () => {
    expect(decide(policyFrom({ user: exactly('deny', ['git', 'push']) }), at('/tmp/x', 'git', 'push')).rule).toBe(
      'exact',
    );
  });

  test('asks only where an unknown word could be the right one', () => {
    const policy = policyFrom({ user: exactly('deny', ['git', 'push', '--force']) });
    expect(decide(policy, { ...exec('git', 'push', '?'), unknown: [2] })).toMatchObject({
      decision: 'ask',
      rule: 'exact',
      code: 'unknown-word',
    });
    expect(decide(policy, { ...exec('git', 'pull', '?'), unknown: [2] }).decision).toBe('allow');
  });

  test('holds its context, and may redirect', () => {
    const policy = policyFrom({
      user: exactly('redirect', ['git', 'push'], 'context = "direct"\nredirect_to = ["git", "push", "--dry-run"]'),
    });
    expect(decide(policy, exec('git', 'push'))).toMatchObject({
      decision: 'redirect',
      redirectArgv: ['git', 'push', '--dry-run'],
    });
    expect(decide(policy, { ...exec('git', 'push'), context: 'nested' }).decision).toBe('allow');
  });

  test('is explained by its name', () => {
    const policy = policyFrom({ user: exactly('deny', ['git', 'push', 'a b'], 'reason = "no"') });
    expect(decide(policy, exec('git', 'push', 'a b')).message).toBe(
      'running git push a b is refused: exact of user.toml:2 says so (no)',
    );
    expect(explanationFor(policy, exec('git', 'push', 'a b')).verdict.rule).toBe('exact');
  });

  test('refuses no program as a whole', () => {
    expect([...(namedPrograms(policyFrom({ user: exactly('deny', ['git']) }))?.denied ?? [])]).toEqual([]);
    expect(decide(policyFrom({ user: exactly('deny', ['git']) }), exec('git', 'log')).decision).toBe('allow');
  });
});

describe('invalid rules', () => {
  test.each([
    ['exactly = []', 'can never match: exactly is empty'],
    ['exactly = [""]', '"" is not a program'],
    ['exactly = ["a\\nb"]', 'is not a program'],
    ['exactly = ["$TOOL"]', '"$TOOL" is not a program'],
    ['exactly = ["gіt"]', 'looks like "git"'],
    ['exactly = ["git", "a\\u0000"]', 'cannot hold U+0000'],
    ['exactly = "git push"', 'has to be a list'],
    ['exactly = ["git", 1]', 'has to be a text'],
    ['exactly = ["git"]\ncommands = ["git"]', '"r" has both commands and exactly'],
    ['', '"commands" is missing'],
  ])('%s', (lines, message) => {
    const problems = problemsIn(`version = 1\n[[exec]]\nname = "r"\n${lines}\ndecision = "deny"\n`);
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
  });

  test('one shadowed by another, in either order', () => {
    const parses = (first: string, second: string): boolean =>
      parsePolicy(
        `version = 1\n${[first, second].map((line, index) => `[[exec]]\nname = "r${index}"\ndecision = "deny"\n${line}\n`).join('')}`,
        { file: 'policy.toml' },
      ).kind === 'document';
    const push = 'exactly = ["git", "push"]';
    expect(parses('commands = ["git push"]', push)).toBe(false);
    expect(parses(push, push)).toBe(false);
    expect(parses(push, 'commands = ["git push"]')).toBe(true);
    expect(parses(push, 'exactly = ["git", "push", "x"]')).toBe(true);
    expect(parses('exactly = ["git", "a", "b"]', 'exactly = ["git", "b", "a"]')).toBe(true);
    expect(parses(`commands = ["git push"]\ncontext = "nested"`, push)).toBe(true);
  });

  test('its examples are tried', () => {
    const problems = problemsIn(
      'version = 1\n[[exec]]\nname = "r"\ndecision = "deny"\nexactly = ["git", "push"]\nmatch = ["git push"]\nnot_match = ["git push x", "git push"]\n',
    );
    expect(problems).toHaveLength(1);
  });
});
