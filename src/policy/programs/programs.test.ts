import { describe, expect, test } from 'vitest';
import { meet } from '../policy.ts';
import { policyFrom } from '../testing/policies.ts';
import { namedPrograms } from './programs.ts';

const rule = (decision: string, commands: readonly string[], more = ''): string =>
  `[[exec]]\nname = "r-${decision}-${commands.join('').replaceAll(/\W/gu, '')}"\ndecision = "${decision}"\ncommands = ${JSON.stringify(commands)}\n${more}\n`;
const named = (user: string) => namedPrograms(policyFrom({ user }));

test('a policy that says nothing about commands names none', () => {
  expect(namedPrograms(policyFrom())).toBeUndefined();
  expect(named('[files]\nwrite = ["."]\n')).toBeUndefined();
});

describe('programs refused with any arguments', () => {
  test.each([
    ['a name in the list', '[commands]\ndeny = ["curl", "/usr/bin/wget"]\n', ['curl', '/usr/bin/wget']],
    ['a rule', rule('deny', ['curl']), ['curl']],
    ['after a rule about another program', rule('ask', ['git push']) + rule('deny', ['curl']), ['curl']],
    ['after a refusal of some of its commands', rule('deny', ['curl -o']) + rule('deny', ['curl']), ['curl']],
    ['arguments make it a rule about some commands', '[commands]\ndeny = ["git push"]\n', []],
    ['an earlier rule lets some through', rule('allow', ['git status']) + rule('deny', ['git']), []],
    ['an earlier rule lets one of its paths through', rule('allow', ['/usr/bin/git']) + rule('deny', ['git']), []],
    ['an earlier pattern with a wildcard could', rule('ask', ['g* push']) + rule('deny', ['git']), []],
    ['the list comes before rules', `[commands]\ndeny = ["git"]\n${rule('allow', ['* status'])}`, ['git']],
    ['only what enters', rule('deny', ['curl'], 'context = "direct"'), []],
    ['only what is nested', rule('deny', ['curl'], 'context = "nested"'), []],
    ['a wildcard names no file', '[commands]\ndeny = ["curl*"]\n', []],
    ['a path in the workspace is what the box makes of it', '[commands]\ndeny = ["./build.sh"]\n', []],
    ['asking is no refusal', '[commands]\nask = ["curl"]\n', []],
  ])('%s', (_, user, denied) => {
    expect([...(named(user)?.denied ?? ['nothing'])]).toEqual(denied);
  });

  test('one layer that refuses is enough', () => {
    const other = policyFrom({ managed: '[commands]\ndeny = ["curl"]\n', user: rule('allow', ['curl']) });
    expect([...(namedPrograms(other)?.denied ?? [])]).toEqual(['curl']);
    expect([...(namedPrograms(meet(other, policyFrom()))?.denied ?? [])]).toEqual(['curl']);
  });
});

describe('the list of all permitted programs', () => {
  const list = (...programs: readonly string[]): string => `[commands]\nallow = ${JSON.stringify(programs)}\n`;
  test.each([
    ['a list', list('git status', 'git log', '/usr/bin/make'), ['git', '/usr/bin/make']],
    ['no list', '[commands]\nask = ["git"]\n', undefined],
    ['a rule that allows is not a list', rule('allow', ['git']), undefined],
    [
      'rules of the same policy add to it',
      list('git') +
        rule('allow', ['make']) +
        rule('audit', ['npm']) +
        rule('redirect', ['head'], 'redirect_to = ["tail", "{args}"]'),
      ['make', 'npm', 'head', 'git'],
    ],
    ['what is asked about may run', `[commands]\nask = ["make"]\nallow = ["git"]\n`, ['make', 'git']],
    ['what is refused does not', `[commands]\ndeny = ["make"]\nallow = ["git"]\n`, ['git']],
    ['a list of nothing', list(), []],
    ['a wildcard is not a file', list('git', 'npm*'), undefined],
    ['a path of the workspace is what the box makes of it', list('git', './build.sh'), undefined],
  ])('%s', (_, user, only) => {
    expect(named(user)?.only).toEqual(only);
  });

  test('of several lists is their intersection', () => {
    const only = (managed: string, user: string) => namedPrograms(policyFrom({ managed, user }))?.only?.toSorted();
    expect(only(list('git', 'make', 'npm'), list('make', 'git push'))).toEqual(['git', 'make']);
    expect(only(list('/usr/bin/git'), list('git'))).toHaveLength(1);
    expect(only(list('git'), list('g*'))).toSatisfy(
      (names) => names === undefined || (names as readonly string[]).join() === 'git',
    );
    expect(only(list('git'), '[commands]\nask = ["make"]\n')).toEqual(['git']);
  });
});

describe('whether nested commands are looked at', () => {
  test.each([
    ['[commands]\ndeny = ["curl"]\n', 'judged'],
    ['[commands]\nask = ["git push"]\n', 'judged'],
    ['[commands]\nallow = ["git"]\n', 'judged'],
    [rule('audit', ['npm']), 'judged'],
    [rule('deny', ['curl'], 'context = "nested"'), 'judged'],
    [rule('deny', ['curl'], 'context = "direct"'), 'open'],
    [rule('allow', ['curl']), 'open'],
  ])('%j: %s', (user, nested) => {
    expect(named(user)?.nested).toBe(nested);
  });
});

test('bare names are those that a policy means by name', () => {
  expect([
    ...(named(`[commands]\ndeny = ["curl", "/usr/bin/wget"]\nask = ["git push", "npm*", "./run"]\n`)?.names ?? []),
  ]).toEqual(['curl', 'git']);
});
