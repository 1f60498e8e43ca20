import { describe, expect, test } from 'vitest';
import type { FileAccess } from '../../policy/request.ts';
import { policyIn } from '../testing/policy-in.ts';
import { isClosedByRule, judgeFiles, redirectTarget, strictest, type Treatment } from './judge-files.ts';

const rule = (decision: string, path: string, more = ''): string =>
  `[[file]]\nname = "${path}"\ndecision = "${decision}"\npaths = ["${path}"]\n${more}\n`;
const policy = policyIn(
  '/srv/project',
  [
    rule('ask', 'asked'),
    rule('stage', 'kept'),
    rule('redirect', 'led', 'redirect_to = "spare"'),
    rule('audit', 'seen'),
    rule('deny', 'denied'),
    rule('ask', 'fixed', 'operations = ["delete"]'),
  ].join('\n'),
);
const treat = (operation: FileAccess, path: string): Treatment | undefined =>
  judgeFiles(policy, [{ operation, path: `/srv/project/${path}` }])[0]?.treatment;

describe('judgeFiles', () => {
  test.each<[FileAccess, string, Treatment]>([
    ['read', 'plain', 'kernel'],
    ['create', 'plain', 'kernel'],
    ['read', 'asked/a', 'ask'],
    ['delete', 'asked', 'ask'],
    ['create', 'asked/new', 'ask'],
    ['read', 'kept/a', 'kernel'],
    ['execute', 'kept/a', 'kernel'],
    ['write', 'kept/a', 'stage'],
    ['delete', 'kept/a', 'stage'],
    ['read', 'led/a', 'redirect'],
    ['write', 'seen', 'audit'],
    ['read', 'denied/a', 'refuse'],
    ['write', 'fixed', 'kernel'],
    ['delete', 'fixed', 'ask'],
  ])('%s %s: %s', (operation, path, expected) => {
    expect(treat(operation, path)).toBe(expected);
  });

  test('leaves a path without a grant to the kernel, which answers as if it were absent', () => {
    expect(judgeFiles(policy, [{ operation: 'read', path: '/home/dev/.ssh/id_rsa' }])[0]).toMatchObject({
      treatment: 'kernel',
      verdict: { decision: 'deny' },
    });
  });

  test('refuses a new protected name, and judges later the files that git makes in a repository', () => {
    expect([
      treat('create', '.vscode/tasks.json'),
      treat('create', '.envrc'),
      treat('create', '.git/hooks/pre-commit'),
      treat('create', 'sub/.git/config'),
      treat('write', '.vscode/tasks.json'),
    ]).toEqual(['refuse', 'refuse', 'kernel', 'kernel', 'kernel']);
  });

  test('refuses a new hidden name and one that a list denies, except where the policy quarantines', () => {
    const made = (text: string) =>
      ['.env', '.envrc', 'customers', 'a/customers', 'plain'].map(
        (path) =>
          judgeFiles(policyIn('/srv/project', text), [{ operation: 'create', path: `/srv/project/${path}` }])[0]
            ?.treatment,
      );
    const listed = '[files]\ndeny = ["**/customers"]\n';
    expect(made(listed)).toEqual(['refuse', 'refuse', 'refuse', 'refuse', 'kernel']);
    expect(made(`${listed}new_protected = "quarantine"\n`)).toEqual(['kernel', 'kernel', 'kernel', 'kernel', 'kernel']);
    expect(
      judgeFiles(policyIn('/srv/project', listed), [
        { operation: 'write', path: '/srv/project/customers' },
        { operation: 'read', path: '/srv/project/.env' },
      ]).map(({ treatment }) => treatment),
    ).toEqual(['kernel', 'kernel']);
  });

  test('judges names with invalid UTF-8 by their readable part', () => {
    expect(treat('read', 'asked/\xff\xfe')).toBe('ask');
    expect(
      judgeFiles(policy, [{ operation: 'read', path: Buffer.from('/srv/project/asked/ü').toString('latin1') }])[0]
        ?.request.path,
    ).toBe('/srv/project/asked/ü');
  });
});

describe('strictest', () => {
  const worst = (...touches: readonly (readonly [FileAccess, string])[]): Treatment | undefined =>
    strictest(
      judgeFiles(
        policy,
        touches.map(([operation, path]) => ({ operation, path: `/srv/project/${path}` })),
      ),
    )?.treatment;

  test('asks before it keeps, and refuses before it asks', () => {
    expect([
      worst(['delete', 'kept/a'], ['create', 'asked/a']),
      worst(['delete', 'asked/a'], ['create', 'denied/a']),
      worst(['read', 'led/a'], ['write', 'seen']),
      worst(['read', 'plain'], ['write', 'seen']),
    ]).toEqual(['ask', 'refuse', 'redirect', 'audit']);
  });

  test('gives no treatment without an access', () => {
    expect(strictest([])).toBeUndefined();
  });

  test('a denial by the kernel does not hide a question', () => {
    const judged = judgeFiles(policy, [
      { operation: 'read', path: '/home/dev/.ssh/id_rsa' },
      { operation: 'read', path: '/srv/project/asked/a' },
    ]);
    expect(strictest(judged)?.treatment).toBe('ask');
  });
});

test('any rule that restricts something in a path closes it to the box', () => {
  expect(
    ['asked/a', 'kept/a', 'led', 'fixed', 'seen', 'denied', 'plain'].filter((path) =>
      isClosedByRule(policy, `/srv/project/${path}`),
    ),
  ).toEqual(['asked/a', 'kept/a', 'led', 'fixed']);
});

describe('redirect target', () => {
  const places = { home: '/home/dev', workspace: '/srv/project' };
  const policy = policyIn(
    '/srv/project',
    [
      ['led', 'spare'],
      ['one.json', '~/other.json'],
      ['**/*.key', '/srv/project/fake.key'],
    ]
      .map(
        ([path, target], index) =>
          `[[file]]\nname = "r${index}"\ndecision = "redirect"\nredirect_to = "${target}"\npaths = ["${path}"]\n`,
      )
      .join('\n'),
  );

  test.each([
    ['led', 'spare'],
    ['led/a/b', 'spare/a/b'],
    ['one.json', '/home/dev/other.json'],
    ['deep/x.key', 'fake.key'],
    ['led/\xff', 'spare/\xff'],
  ])('%s leads to %s', (path, expected) => {
    const [judged] = judgeFiles(policy, [{ operation: 'read', path: `/srv/project/${path}` }]);
    expect(judged?.treatment).toBe('redirect');
    expect(judged === undefined ? undefined : redirectTarget(policy, judged, places)).toBe(
      expected.startsWith('/') ? expected : `/srv/project/${expected}`,
    );
  });

  test('a path without a redirect has no target', () => {
    const [judged] = judgeFiles(policy, [{ operation: 'read', path: '/srv/project/plain' }]);
    expect(judged === undefined ? undefined : redirectTarget(policy, judged, places)).toBeUndefined();
  });
});
