import { expect, test } from 'vitest';
import { policyIn } from '../testing/policy-in.ts';
import { judgeFiles } from './judge-files.ts';
import { redirectTarget } from './redirect-target.ts';

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

test('a rule that leads nowhere gives nothing', () => {
  const [judged] = judgeFiles(policy, [{ operation: 'read', path: '/srv/project/plain' }]);
  expect(judged === undefined ? undefined : redirectTarget(policy, judged, places)).toBeUndefined();
});
