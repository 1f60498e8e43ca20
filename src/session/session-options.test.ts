import { expect, test } from 'vitest';
import { environmentRules } from '../policy/settings/build-environment.ts';
import { policyFrom } from '../policy/testing/policies.ts';
import { environmentNotice } from './session-options.ts';

const granted = [{ name: '--env', file: 'command line', grants: { environment: { pass: ['DEPLOY_KEY'] } } }];
const policy = policyFrom({ user: '[environment]\npass = ["GITHUB_TOKEN", "BUILD"]', granted });
const notice = (host: Readonly<Record<string, string | undefined>>): readonly string[] =>
  environmentNotice({ environment: environmentRules(policy, Object.keys(host)) }, host);

test('each entering secret is reported with the line that admits it', () => {
  expect(notice({ GITHUB_TOKEN: 'x', DEPLOY_KEY: 'y', BUILD: '7', HOME: '/home/dev' })).toEqual([
    'DEPLOY_KEY enters the box (--env DEPLOY_KEY, command line)',
    'GITHUB_TOKEN enters the box (environment.pass[0], user.toml:3)',
  ]);
});

test('missing, withheld and harmless variables are not', () => {
  expect(notice({ GITHUB_TOKEN: undefined, OTHER_TOKEN: 'x', BUILD: '7' })).toEqual([]);
});

test('a value that looks like a secret is one', () => {
  expect(notice({ BUILD: `ghp_${'a1B2'.repeat(9)}` })).toEqual([
    'BUILD enters the box (environment.pass[1], user.toml:3)',
  ]);
});
