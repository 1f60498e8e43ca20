import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPolicy, type Mechanism } from '../check-policy.ts';
import { explanationFor } from '../command/explain-command.ts';
import { decide } from '../decide.ts';
import { policyFrom, type PolicyTexts, problemsIn } from '../testing/policies.ts';
import { env } from '../testing/requests.ts';
import { buildEnvironment, environmentOf, environmentRules, type EnvironmentRules } from './build-environment.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;
const from = (texts: PolicyTexts, host: Readonly<Record<string, string | undefined>>) =>
  environmentOf(policyFrom(texts), host);
const open: EnvironmentRules = { known: [], refused: {}, named: {}, set: {} };

const loaders = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'PERL5OPT',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  'BASH_ENV',
  'ENV',
  'PROMPT_COMMAND',
  'GIT_SSH_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'IFS',
];

describe('variables that load code never come from outside', () => {
  test.each(loaders)('%s is a mistake in every place that passes variables', (name) => {
    for (const text of [
      `version = 1\n[environment]\npass = ["PATH", "${name}"]`,
      `version = 1\n[[env]]\nname = "a"\ndecision = "allow"\nnames = ["${name}"]`,
      `version = 1\n[[env]]\nname = "a"\ndecision = "audit"\nnames = ["${name}"]`,
    ]) {
      expect(problemsIn(text)[0]).toMatchObject({
        message: `${name} never passes from outside: programs run the code that it names`,
        remedy: `give it a value with environment.set = { ${name} = "…" }, or leave it out`,
      });
    }
  });

  test('nor may a project propose it', () => {
    expect(
      problemsIn(
        'version = 1\n[[propose]]\nname = "a"\nreason = "please"\nenvironment = { pass = ["X", "NODE_OPTIONS"] }',
        'project',
      )[0],
    ).toMatchObject({ line: 5, message: expect.stringContaining('NODE_OPTIONS') });
  });

  test('nor a flag: the policy as a whole is refused', () => {
    const policy = policyFrom({
      granted: [
        { name: '--env', file: 'command line', grants: { environment: { pass: ['MY_TOKEN', 'NODE_OPTIONS'] } } },
      ],
    });
    expect(checkPolicy(policy, { approver: 'present', mechanisms: new Set<Mechanism>() })).toMatchObject([
      { file: 'command line', message: expect.stringContaining('NODE_OPTIONS') },
    ]);
    expect(environmentOf(policy, { NODE_OPTIONS: 'x', MY_TOKEN: 'y' })).toMatchObject({
      environment: { MY_TOKEN: 'y' },
      dropped: [{ name: 'NODE_OPTIONS', reason: 'loads-code' }],
    });
  });

  test('it may be denied and set', () => {
    const { environment } = from(
      { user: '[environment]\ndeny = ["LD_PRELOAD"]\nset = { NODE_OPTIONS = "--max-old-space-size=4096" }' },
      { NODE_OPTIONS: '--require=/evil.js', LD_PRELOAD: '/evil.so' },
    );
    expect({ ...environment }).toEqual({ NODE_OPTIONS: '--max-old-space-size=4096' });
  });

  test('the remedy is a value in the policy', () => {
    expect(decide(policyFrom(), env('NODE_OPTIONS')).remedy).toBe(
      'add environment.set = { NODE_OPTIONS = "…" } to ~/.config/holdfast/policy.toml',
    );
    expect(explanationFor(policyFrom(), env('BASH_FUNC_x%%')).wouldAllow).toEqual([
      { kind: 'nothing', layer: 'user', reason: 'the box has no network path for it' },
    ]);
  });
});

describe('secrets by the shape of their value', () => {
  test.each([
    ['a name that the defaults pass', {}, 'EDITOR'],
    ['a wildcard', { user: '[environment]\npass = ["APP_*"]' }, 'APP_X'],
    ['a wildcard of a rule', { user: '[[env]]\nname = "all"\ndecision = "allow"\nnames = ["*"]' }, 'APP_X'],
  ])('%s lets none in', (_, texts, name) => {
    expect(from(texts, { [name]: 'harmless' }).environment).toEqual({ [name]: 'harmless' });
    expect(from(texts, { [name]: token })).toMatchObject({
      environment: {},
      dropped: [{ name, reason: 'secret-value' }],
      acknowledged: [],
    });
  });

  test('an exact name passes, with a notice', () => {
    const texts = { user: '[environment]\npass = ["APP_*",\n"APP_X", "MY_TOKEN"]\n' };
    const { environment, dropped, acknowledged } = from(texts, { APP_X: token, MY_TOKEN: 'short', APP_Y: token });
    expect({ ...environment }).toEqual({ APP_X: token, MY_TOKEN: 'short' });
    expect(dropped).toEqual([{ name: 'APP_Y', reason: 'secret-value' }]);
    expect(acknowledged).toEqual([
      { name: 'APP_X', rule: 'environment.pass[1]', file: 'user.toml', line: 4 },
      { name: 'MY_TOKEN', rule: 'environment.pass[2]', file: 'user.toml', line: 4 },
    ]);
  });

  test('a named variable without a secret passes silently', () => {
    expect(from({ user: '[environment]\npass = ["APP_X"]' }, { APP_X: 'plain' }).acknowledged).toEqual([]);
  });

  test('a flag is a name that is written out', () => {
    const granted = [{ name: '--env', file: 'command line', grants: { environment: { pass: ['APP_X'] } } }];
    expect(from({ granted }, { APP_X: token }).acknowledged).toEqual([
      { name: 'APP_X', rule: '--env APP_X', file: 'command line', line: 0 },
    ]);
  });

  test('a ceiling has to name it as well', () => {
    const user = '[environment]\npass = ["APP_X"]';
    expect(from({ user, project: '[environment]\npass = ["APP_*"]' }, { APP_X: token }).environment).toEqual({});
    expect(from({ user, project: '[environment]\npass = ["APP_X"]' }, { APP_X: token }).environment).toEqual({
      APP_X: token,
    });
  });

  test('values of the policy or the surrounding program pass', () => {
    expect(from({ user: `[environment]\nset = { APP_X = "${token}" }` }, {}).environment).toEqual({ APP_X: token });
    expect(buildEnvironment(open, {}, { APP_X: token, NODE_OPTIONS: '--x' }).environment).toEqual({
      APP_X: token,
      NODE_OPTIONS: '--x',
    });
    expect(from({ user: `[environment]\npass = ["APP_X"]\nset = { APP_X = "mine" }` }, { APP_X: token })).toMatchObject(
      { environment: { APP_X: 'mine' }, acknowledged: [] },
    );
  });
});

describe('PATH', () => {
  test.each<[string, string, readonly string[]]>([
    ['/usr/bin:/bin', '/usr/bin:/bin', []],
    ['/usr/bin:', '/usr/bin', ['']],
    [':/usr/bin', '/usr/bin', ['']],
    ['.:/usr/bin:./node_modules/.bin', '/usr/bin', ['.', './node_modules/.bin']],
    ['/usr/bin:~/bin:bin', '/usr/bin', ['~/bin', 'bin']],
    ['', '/usr/local/bin:/usr/bin:/bin', ['']],
    ['.', '/usr/local/bin:/usr/bin:/bin', ['.']],
  ])('%j becomes %j', (path, cleaned, untrustedPath) => {
    expect(from({}, { PATH: path })).toMatchObject({ environment: { PATH: cleaned }, untrustedPath });
    expect(from({ user: `[environment]\nset = { PATH = "${path}" }` }, {})).toMatchObject({
      environment: { PATH: cleaned },
      untrustedPath,
    });
    expect(buildEnvironment(open, {}, { PATH: path })).toMatchObject({ environment: { PATH: cleaned }, untrustedPath });
  });

  test('none stays none', () => {
    expect(buildEnvironment(open, {})).toEqual({ environment: {}, dropped: [], acknowledged: [], untrustedPath: [] });
  });
});

describe('limits', () => {
  const many = (count: number, value = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`V${n}`, value]));
  const refusal = (part: string) =>
    expect.objectContaining({ code: 'HF_ENVIRONMENT_INVALID', message: expect.stringContaining(part) });

  test('2,000 variables', () => {
    expect(Object.keys(buildEnvironment(open, many(2000)).environment)).toHaveLength(2000);
    expect(() =>
      buildEnvironment(open, many(1500), Object.fromEntries(Object.keys(many(501)).map((name) => [`X${name}`, '']))),
    ).toThrow(refusal('2001 variables'));
  });

  test('128 KiB each, name and end included', () => {
    expect(buildEnvironment(open, { A: 'x'.repeat(131_069) }).environment).toHaveProperty('A');
    expect(() => buildEnvironment(open, { A: 'x'.repeat(131_070) })).toThrow(refusal('131073 bytes'));
    expect(() => buildEnvironment(open, { A: 'é'.repeat(70_000) })).toThrow(refusal('140003 bytes'));
  });

  test('1 MiB in total', () => {
    expect(() => buildEnvironment(open, many(9, 'x y '.repeat(30_000)))).toThrow(refusal('more than 1048576'));
    expect(() => buildEnvironment(open, many(8, 'x y '.repeat(30_000)))).not.toThrow();
  });

  test('blocked variables do not count', () => {
    const rules = environmentRules(policyFrom(), Object.keys(many(3000)));
    expect(Object.keys(buildEnvironment(rules, many(3000, 'x'.repeat(200_000))).environment)).toEqual([]);
  });

  test.each(['', '1A', 'A-B', 'A B', 'A=B', 'é', 'A\0'])('%j is not a name', (name) => {
    expect(buildEnvironment(open, { [name]: 'x' })).toMatchObject({
      environment: {},
      dropped: [{ name, reason: 'name' }],
    });
    expect(() => buildEnvironment(open, {}, { [name]: 'x' })).toThrow(refusal('is not a valid variable name'));
  });

  test('no value holds a NUL character', () => {
    expect(() => buildEnvironment(open, {}, { A: 'x\0B=y' })).toThrow(refusal('NUL'));
  });
});

test('rules are data: kept as JSON they say the same', () => {
  const host = { PATH: '.:/bin', APP_X: token, MY_TOKEN: 'x', LD_PRELOAD: 'y', HOME: '/home/dev' };
  const policy = policyFrom({ user: '[environment]\npass = ["APP_X", "MY_TOKEN"]\nset = { CI = "1" }' });
  const kept = JSON.parse(JSON.stringify(environmentRules(policy, Object.keys(host)))) as EnvironmentRules;
  expect(buildEnvironment(kept, host)).toEqual(environmentOf(policy, host));
  expect(kept.known).toEqual(Object.keys(host).toSorted());
});

test('no variable enters twice over or unasked', () => {
  const name = fc.constantFrom('PATH', 'APP_X', 'MY_TOKEN', 'LD_PRELOAD', '__proto__', 'constructor', 'HOME', 'a b');
  const policy = policyFrom({ user: '[environment]\npass = ["APP_*", "__proto__"]' });
  fc.assert(
    fc.property(fc.dictionary(name, fc.constantFrom('', 'x', token, '/bin')), (host) => {
      const { environment, dropped } = environmentOf(policy, host);
      const told = [...Object.keys(environment), ...dropped.map((each) => each.name)].toSorted();
      expect(told).toEqual(Object.keys(host).toSorted());
      expect(Object.keys(environment).every((each) => ['PATH', 'APP_X', '__proto__', 'HOME'].includes(each))).toBe(
        true,
      );
      expect(
        Object.entries(environment)
          .filter(([, value]) => value === token)
          .every(([each]) => each === '__proto__'),
      ).toBe(true);
    }),
    { numRuns: rounds(300) },
  );
});
