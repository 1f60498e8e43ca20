import { expect, test } from 'vitest';
import { environmentRules } from '../policy/settings/build-environment.ts';
import { policyFrom } from '../policy/testing/policies.ts';
import { environmentNotice } from './session-options.ts';

const granted = [{ name: '--env', file: 'command line', grants: { environment: { pass: ['DEPLOY_KEY'] } } }];
const policy = policyFrom({ user: '[environment]\npass = ["GITHUB_TOKEN", "BUILD"]', granted });
const notice = (host: Readonly<Record<string, string | undefined>>): readonly string[] =>
  environmentNotice({ environment: environmentRules(policy, Object.keys(host)) }, host);

test('each secret that enters is told with the line that lets it in', () => {
  expect(notice({ GITHUB_TOKEN: 'x', DEPLOY_KEY: 'y', BUILD: '7', HOME: '/home/dev' })).toEqual([
    'DEPLOY_KEY enters the box (--env DEPLOY_KEY, command line)',
    'GITHUB_TOKEN enters the box (environment.pass[0], user.toml:3)',
  ]);
});

test('what is not there, stays outside or is no secret is not', () => {
  expect(notice({ GITHUB_TOKEN: undefined, OTHER_TOKEN: 'x', BUILD: '7' })).toEqual([]);
});

test('what looks like a secret by its value is one', () => {
  expect(notice({ BUILD: `ghp_${'a1B2'.repeat(9)}` })).toEqual([
    'BUILD enters the box (environment.pass[1], user.toml:3)',
  ]);
});
