import { describe, expect, test } from 'vitest';
import { checkPolicy, type Mechanism } from '../check-policy.ts';
import type { Problem } from '../document/problem.ts';
import { places, policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { openNetwork, tableText } from './testing/credentials.ts';

const mechanisms = new Set<Mechanism>([
  'credential.allow',
  'connect.allow',
  'connect.deny',
  'http.allow',
  'http.deny',
  'passthrough.allow',
  'env.allow',
  'env.deny',
]);
const problems = (texts: PolicyTexts): readonly Problem[] =>
  checkPolicy(policyFrom(texts), { approver: 'present', mechanisms });
const lines = (texts: PolicyTexts) =>
  problems(texts).map(({ file, line, message, remedy }) => ({ at: `${file}:${line}`, message, remedy }));
const network = (body: string): string => `[network]\n${body}\n`;
const provided = (provider: string, more = ''): string =>
  tableText(`provider = "${provider}"${more === '' ? '' : `\n${more}`}`, ['hosts', 'inject', 'environment']);

test('credentials need something that carries them', () => {
  const policy = policyFrom({ user: openNetwork + tableText() });
  const [problem, ...others] = checkPolicy(policy, {
    approver: 'present',
    mechanisms: new Set([...mechanisms].filter((each) => each !== 'credential.allow')),
  });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    file: 'user.toml',
    line: 4,
    message: '"example" needs "allow" for credentials that stay outside, which nothing here can carry out',
  });
});

describe('hosts have to be open', () => {
  const closed = (host: string) => ({
    message: `the credential "example" is for ${host}, which the network rules do not allow`,
    remedy: `add "${host}" to network.hosts, or take the host out of the credential`,
  });

  test.each<[string, string, string]>([
    ['a host that nothing grants', '', 'api.example.com:443'],
    ['a host that is granted at another port', network('hosts = ["api.example.com:8443"]'), 'api.example.com:443'],
    ['a host that is refused', network('hosts = ["any"]\ndeny = ["api.example.com"]'), 'api.example.com:443'],
    ['a host whose parent is granted', network('hosts = ["example.com"]'), 'api.example.com:443'],
  ])('%s', (_, user, host) => {
    const found = lines({ user: user + tableText() });
    expect(found).toEqual([{ at: expect.stringMatching(/^user\.toml:\d+$/), ...closed(host) }]);
    const line = Number(found[0]?.at.split(':')[1]);
    expect(`version = 1\n${user}${tableText()}`.split('\n')[line - 1]).toMatch(/^hosts = \["api\.example\.com"\]$/);
  });

  test('each of those that are written out, on its line', () => {
    const table = tableText('hosts = [\n"a.test",\n"b.test",\n"c.test:8443"]', ['hosts']);
    expect(lines({ user: network('hosts = ["b.test"]') + table })).toEqual([
      {
        at: 'user.toml:10',
        message: expect.stringContaining('is for a.test:443,'),
        remedy: expect.stringContaining('"a.test:443"'),
      },
      {
        at: 'user.toml:12',
        message: expect.stringContaining('is for c.test:8443,'),
        remedy: expect.stringContaining('"c.test:8443"'),
      },
    ]);
  });

  test.each<[string, string, boolean]>([
    ['hosts = ["api.example.com"]', '["api.example.com"]', true],
    ['hosts = ["*.example.com"]', '["api.example.com"]', true],
    ['hosts = ["any"]', '["api.example.com"]', true],
    ['hosts = ["any:443"]', '["api.example.com"]', true],
    ['hosts = ["any:80"]', '["api.example.com"]', false],
    ['hosts = ["api.example.com"]', '["*.example.com"]', true],
    ['hosts = ["*.sub.example.com"]', '["*.example.com"]', true],
    ['hosts = ["*.example.com"]', '["*.sub.example.com"]', true],
    ['hosts = ["example.com"]', '["*.example.com"]', false],
    ['hosts = ["other.test"]', '["*.example.com"]', false],
    ['hosts = ["api.example.com:8050"]', '["api.example.com:8000-8100"]', true],
    ['hosts = ["api.example.com:8200"]', '["api.example.com:8000-8100"]', false],
    ['hosts = ["localhost:443"]', '["localhost"]', true],
    ['hosts = ["127.0.0.1:443"]', '["localhost"]', true],
    ['hosts = ["10.0.0.0/8"]', '["10.1.2.3"]', true],
    ['presets = ["npm"]', '["registry.npmjs.org"]', true],
    ['presets = ["npm"]', '["registry.npmjs.org:8443"]', false],
  ])('%s is enough for %s: %s', (rules, hosts, expected) => {
    expect(problems({ user: network(rules) + tableText(`hosts = ${hosts}`) }).length === 0).toBe(expected);
  });

  test('a rule about connections or requests may open them', () => {
    for (const table of ['connect', 'http']) {
      const rule = `[[${table}]]\nname = "r"\ndecision = "allow"\nhosts = ["api.example.com"]\n`;
      expect(problems({ user: rule + tableText() })).toEqual([]);
      expect(problems({ user: rule.replace('allow', 'deny') + tableText() })).toHaveLength(1);
    }
  });

  test('by a flag as well', () => {
    expect(
      problems({
        user: tableText(),
        granted: [{ name: '--host', file: 'command line', grants: { network: { hosts: ['api.example.com'] } } }],
      }),
    ).toEqual([]);
  });

  test('at least one of a provider', () => {
    expect(problems({ user: network('hosts = ["github.com"]') + provided('github') })).toEqual([]);
    expect(problems({ user: network('hosts = ["uploads.github.com:443"]') + provided('github') })).toEqual([]);
    expect(problems({ user: network('presets = ["llm-apis"]') + provided('openai') })).toEqual([]);
    expect(problems({ user: network('hosts = ["api.individual.githubcopilot.com"]') + provided('copilot') })).toEqual(
      [],
    );
    expect(lines({ user: network('hosts = ["example.com"]') + provided('github') })).toEqual([
      {
        at: 'user.toml:4',
        message:
          'the credential "example" is for github.com:443, api.github.com:443, uploads.github.com:443, and the network rules allow none of them',
        remedy: 'add "github.com:443" to network.hosts, or take the credential out',
      },
    ]);
  });

  test('where a managed policy closes them, the user has to know', () => {
    expect(problems({ managed: network('hosts = ["other.test"]'), user: openNetwork + tableText() })).toHaveLength(1);
  });

  test('a project’s closed host is not the user’s mistake', () => {
    expect(problems({ user: openNetwork + tableText(), project: network('hosts = ["other.test"]') })).toEqual([]);
    expect(problems({ user: openNetwork + provided('openai'), project: network('deny = ["any"]') })).toEqual([]);
  });

  test('those of databases too', () => {
    const table = tableText('hosts = ["db.test"]\ninject = { kind = "postgres" }');
    expect(problems({ user: network('hosts = ["db.test:5432"]') + table })).toEqual([]);
    expect(lines({ user: network('hosts = ["db.test:443"]') + table })[0]?.message).toContain('db.test:5432');
  });

  test.each([
    ['oauth2-client', 'client_id = "x", token_url = "https://auth.test/token"', 'auth.test:443'],
    ['oauth2-refresh', 'client_id = "x", token_url = "https://auth.test:8443/token"', 'auth.test:8443'],
    ['github-app', 'app_id = "1", installation_id = "2"', 'api.github.com:443'],
  ])('tokens of %s come from a host that is open', (kind, keys, host) => {
    const table = tableText(`inject = { kind = "${kind}", ${keys} }`);
    expect(lines({ user: network('hosts = ["api.example.com"]') + table })).toEqual([
      {
        at: 'user.toml:4',
        message: `the credential "example" gets its tokens from ${host}, which the network rules do not allow`,
        remedy: `add "${host}" to network.hosts`,
      },
    ]);
    expect(problems({ user: network(`hosts = ["api.example.com", "${host}"]`) + table })).toEqual([]);
  });

  test('a login is captured at a host that is open', () => {
    const table = tableText('inject = { kind = "oauth2-login", token_url = "https://auth.test/token" }', [
      'source',
      'environment',
    ]);
    expect(lines({ user: network('hosts = ["api.example.com"]') + table }).map(({ message }) => message)).toEqual([
      'the credential "example" gets its tokens from auth.test:443, which the network rules do not allow',
    ]);
    expect(problems({ user: network('hosts = ["api.example.com", "auth.test"]') + table })).toEqual([]);
  });
});

describe('hosts whose TLS passes through', () => {
  const table = tableText();
  const passing = (host: string): string => network(`hosts = ["any"]\npassthrough = ["${host}"]`);

  test.each(['api.example.com', '*.example.com', 'api.example.com:443'])('"%s" leaves the phantom as it is', (host) => {
    expect(lines({ user: passing(host) + table })).toEqual([
      {
        at: 'user.toml:5',
        message: `"${host}" passes TLS through by network.passthrough[0] of user.toml:4, so the credential "example" could never be inserted there`,
        remedy: expect.stringContaining('network.passthrough'),
      },
    ]);
  });

  test.each(['other.test', 'api.example.com:8443', '*.api.example.com'])('"%s" is another one', (host) => {
    expect(problems({ user: passing(host) + table })).toEqual([]);
  });

  test('also where someone else lets them pass, and of a provider', () => {
    expect(problems({ managed: network('passthrough = ["api.example.com"]'), user: openNetwork + table })).toHaveLength(
      1,
    );
    expect(problems({ user: passing('uploads.github.com') + provided('github') })).toHaveLength(1);
  });

  test('does not matter to a database, which has its own protocol', () => {
    expect(problems({ user: passing('api.example.com') + tableText('inject = { kind = "postgres" }') })).toEqual([]);
  });
});

describe('variables', () => {
  const user = (more: string): string => openNetwork + more + tableText();

  test('that also pass from outside would hold the secret itself', () => {
    expect(lines({ user: user('[environment]\npass = ["EXAMPLE_TOKEN"]\n') })).toEqual([
      {
        at: 'user.toml:5',
        message: 'EXAMPLE_TOKEN passes from outside here, and the credential "example" delivers its phantom in it',
        remedy: 'take it out of environment.pass',
      },
    ]);
    expect(lines({ user: user('[[env]]\nname = "r"\ndecision = "allow"\nnames = ["EXAMPLE_TOKEN"]\n') })).toMatchObject(
      [{ at: 'user.toml:4', remedy: expect.any(String) }],
    );
  });

  test('that a flag lets pass', () => {
    expect(
      lines({
        user: user(''),
        granted: [{ name: '--env', file: 'command line', grants: { environment: { pass: ['EXAMPLE_TOKEN'] } } }],
      }),
    ).toMatchObject([{ at: 'command line:0' }]);
  });

  test('that a policy sets', () => {
    expect(lines({ user: user('[environment.set]\nEXAMPLE_TOKEN = "x"\n') })).toEqual([
      {
        at: 'user.toml:5',
        message: 'EXAMPLE_TOKEN is set here, and the credential "example" delivers its phantom in it',
        remedy: expect.stringContaining('environment.set'),
      },
    ]);
    expect(lines({ user: user(''), session: '[environment.set]\nEXAMPLE_TOKEN = "x"' })).toMatchObject([
      { at: 'session.toml:3' },
    ]);
  });

  test.each(['user', 'managed', 'project'] as const)('that a %s policy keeps out', (kind) => {
    const deny = '[environment]\ndeny = ["EXAMPLE_*"]\n';
    const texts = kind === 'user' ? { user: user(deny) } : { user: user(''), [kind]: deny };
    expect(lines(texts)).toEqual([
      {
        at: expect.stringMatching(/^user\.toml:\d+$/),
        message: expect.stringMatching(/^environment\.deny\[0\] of \w+\.toml:\d+ keeps EXAMPLE_TOKEN out of the box/),
        remedy: expect.stringContaining('another variable'),
      },
    ]);
  });

  test('are not those that only a wildcard names, or a ceiling leaves out', () => {
    expect(problems({ user: user('[environment]\npass = ["*"]\n') })).toEqual([]);
    expect(problems({ user: user(''), project: '[environment]\npass = ["CI"]' })).toEqual([]);
    expect(problems({ user: user('[environment]\npass = ["OTHER_TOKEN"]\n') })).toEqual([]);
  });

  test('of base URLs count as well', () => {
    expect(
      lines({
        user: `${openNetwork}[environment]\npass = ["EXAMPLE_URL"]\n${tableText('base_urls = ["EXAMPLE_URL"]')}`,
      }),
    ).toMatchObject([{ at: 'user.toml:5' }]);
  });
});

describe('credentials of several policies', () => {
  test('are not called alike', () => {
    expect(lines({ managed: tableText(), user: openNetwork + tableText() })).toEqual([
      {
        at: 'user.toml:4',
        message: 'the credential "example" is already in managed.toml:2',
        remedy: 'give it another name, or take it out',
      },
    ]);
  });

  test('do not deliver the same variable', () => {
    expect(lines({ managed: tableText('name = "first"'), user: openNetwork + tableText() })).toEqual([
      {
        at: 'user.toml:9',
        message: 'EXAMPLE_TOKEN is already delivered by "first" of managed.toml:6',
        remedy: 'let one of the two name its variables: environment = […]',
      },
    ]);
  });

  test('may be in force at once', () => {
    expect(
      problems({ managed: tableText('name = "first"\nenvironment = ["A"]'), user: openNetwork + tableText() }),
    ).toEqual([]);
  });
});

describe('in the workspace', () => {
  const inside = places.workspace;
  const beneathHome = inside.slice(places.home.length);

  test("no file of the box's own lies over one of the user's", () => {
    expect(
      lines({ user: openNetwork + tableText(`files = [{ path = "${inside}/.npmrc", format = "npmrc" }]`) }),
    ).toEqual([
      {
        at: 'user.toml:10',
        message: `the credential "example" would cover "${inside}/.npmrc" in the workspace with its own file`,
        remedy: 'name a source outside of the workspace',
      },
    ]);
    expect(
      problems({ user: openNetwork + tableText(`files = [{ path = "~${beneathHome}", format = "npmrc" }]`) }),
    ).toHaveLength(1);
  });

  test.each([
    `{ file = "${inside}/token" }`,
    `{ file = "~${beneathHome}/x/token" }`,
    `{ command = ["${inside}/token.sh"] }`,
  ])('no secret comes from where the box can write: %s', (source) => {
    expect(lines({ user: openNetwork + tableText(`source = ${source}`) })).toEqual([
      {
        at: 'user.toml:9',
        message: 'the secret of "example" is in the workspace, where the box can write',
        remedy: 'name a source outside of the workspace',
      },
    ]);
  });

  test.each([
    `{ file = "~${beneathHome}lication/token" }`,
    '{ file = "~/token" }',
    '{ command = ["/home/dev/bin/token.sh"] }',
    '{ command = ["token.sh"] }',
  ])('beside it is well: %s', (source) => {
    expect(problems({ user: openNetwork + tableText(`source = ${source}`) })).toEqual([]);
  });
});

test('everything is said at once', () => {
  const user = `${network('hosts = ["api.example.com"]\npassthrough = ["api.example.com"]')}[environment]\npass = ["EXAMPLE_TOKEN"]\n${tableText('hosts = ["api.example.com", "closed.test"]')}`;
  expect(problems({ user })).toHaveLength(3);
});
