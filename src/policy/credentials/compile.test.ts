import { describe, expect, test } from 'vitest';
import { compileLayer, userLayer } from '../layers/compile-layer.ts';
import { places, policyFrom } from '../testing/policies.ts';
import { credentialsOf } from './credentials-of.ts';
import type { Injection } from './injection.ts';
import { credentialIn, credentialsIn, openNetwork, tableText } from './testing/credentials.ts';
import { type Credential, groupOf, type SecretSource } from './types.ts';

const hostsOf = ({ binding }: Credential): readonly string[] =>
  binding.hosts.map(({ source, ports }) => `${source} @${ports?.from}-${ports?.to}`);
const provided = (provider: string, lines = ''): string =>
  tableText(`provider = "${provider}"${lines === '' ? '' : `\n${lines}`}`, ['hosts', 'inject', 'environment']);

describe('a table without a provider', () => {
  test('becomes one credential', () => {
    expect(credentialsIn(tableText())).toEqual([
      {
        name: 'example',
        group: 'example',
        source: { kind: 'env', variable: 'EXAMPLE_TOKEN' },
        binding: {
          hosts: [
            {
              kind: 'host',
              source: 'api.example.com',
              host: { kind: 'exact', text: 'api.example.com' },
              ports: { from: 443, to: 443 },
            },
          ],
          transport: 'tls',
        },
        injection: { kind: 'bearer' },
        delivery: { environment: [{ name: 'EXAMPLE_TOKEN', template: '{phantom}' }], files: [], baseUrls: [] },
        use: 'phantom',
        origin: { rule: 'example', layer: 'user', file: 'user.toml', line: 4 },
      },
    ]);
  });

  test.each<[string, SecretSource]>([
    ['{ env = "A_1" }', { kind: 'env', variable: 'A_1' }],
    ['{ file = "~/.netrc", format = "netrc" }', { kind: 'file', path: '/home/dev/.netrc', format: 'netrc' }],
    ['{ file = "/etc/app/token" }', { kind: 'file', path: '/etc/app/token' }],
    ['{ file = "/etc/app//./token" }', { kind: 'file', path: '/etc/app/token' }],
    ['{ command = ["gh", "auth", "token"] }', { kind: 'command', argv: ['gh', 'auth', 'token'], timeout: 10_000 }],
    [
      '{ command = ["/usr/bin/gh"], timeout = "1.5s", lifetime = "10m" }',
      { kind: 'command', argv: ['/usr/bin/gh'], timeout: 1500, lifetime: 600_000 },
    ],
    ['{ command = ["gh"], timeout = "5m" }', { kind: 'command', argv: ['gh'], timeout: 300_000 }],
    ['{ keyring = "holdfast/github" }', { kind: 'keyring', service: 'holdfast', account: 'github' }],
    ['{ keyring = "https://example.com/me" }', { kind: 'keyring', service: 'https://example.com', account: 'me' }],
    ['{ onepassword = "op://vault/item/field" }', { kind: 'onepassword', reference: 'op://vault/item/field' }],
    [
      '{ onepassword = "op://vault/item/section/field" }',
      { kind: 'onepassword', reference: 'op://vault/item/section/field' },
    ],
    ['{ bitwarden = "My login/password" }', { kind: 'bitwarden', item: 'My login', field: 'password' }],
    ['{ vault = "secret/app#token" }', { kind: 'vault', path: 'secret/app', field: 'token' }],
  ])('reads its source from %s', (source, expected) => {
    expect(credentialIn(tableText(`source = ${source}`)).source).toEqual(expected);
  });

  test.each<[string, Injection]>([
    ['{ kind = "bearer" }', { kind: 'bearer' }],
    ['{ kind = "header", name = "X-Api-Key" }', { kind: 'header', name: 'X-Api-Key' }],
    [
      '{ kind = "header", name = "authorization", prefix = "token " }',
      { kind: 'header', name: 'authorization', prefix: 'token ' },
    ],
    ['{ kind = "basic", user = "me" }', { kind: 'basic', user: 'me' }],
    ['{ kind = "query", parameter = "key" }', { kind: 'query', parameter: 'key' }],
    ['{ kind = "path" }', { kind: 'path' }],
    ['{ kind = "cookie", name = "session" }', { kind: 'cookie', name: 'session' }],
    ['{ kind = "git", user = "oauth2" }', { kind: 'git', user: 'oauth2' }],
    ['{ kind = "docker-registry", user = "me" }', { kind: 'docker-registry', user: 'me' }],
    ['{ kind = "sigv4" }', { kind: 'sigv4' }],
    [
      '{ kind = "sigv4", access_key_id = "AKIAIOSFODNN7EXAMPLE", service = "s3", region = "eu-west-1" }',
      { kind: 'sigv4', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', service: 's3', region: 'eu-west-1' },
    ],
    [
      '{ kind = "oauth2-client", token_url = "https://auth.example.com/token", client_id = "c", scope = "a b", audience = "x" }',
      { kind: 'oauth2-client', tokenUrl: 'https://auth.example.com/token', clientId: 'c', scope: 'a b', audience: 'x' },
    ],
    [
      '{ kind = "oauth2-refresh", token_url = "https://auth.example.com:8443/token", client_id = "c" }',
      { kind: 'oauth2-refresh', tokenUrl: 'https://auth.example.com:8443/token', clientId: 'c' },
    ],
    [
      '{ kind = "github-app", app_id = "1", installation_id = "2" }',
      { kind: 'github-app', appId: '1', installationId: '2', api: 'https://api.github.com' },
    ],
    [
      '{ kind = "github-app", app_id = "1", installation_id = "2", api = "https://ghe.example.com/api/v3" }',
      { kind: 'github-app', appId: '1', installationId: '2', api: 'https://ghe.example.com/api/v3' },
    ],
    [
      '{ kind = "service-account", scopes = ["https://www.googleapis.com/auth/cloud-platform"] }',
      { kind: 'service-account', scopes: ['https://www.googleapis.com/auth/cloud-platform'] },
    ],
    ['{ kind = "postgres" }', { kind: 'postgres', mode: 'read-only', tls: 'verify-full' }],
    [
      '{ kind = "postgres", user = "app", mode = "read-write", tls = "disable", max_rows = 5, max_bytes = "1KiB" }',
      { kind: 'postgres', user: 'app', mode: 'read-write', tls: 'disable', maxRows: 5, maxBytes: 1024 },
    ],
    ['{ kind = "redis" }', { kind: 'redis', mode: 'read-only', tls: 'verify-full' }],
    [
      '{ kind = "redis", user = "app", commands = ["get", "config get"] }',
      { kind: 'redis', user: 'app', mode: 'read-only', tls: 'verify-full', commands: ['GET', 'CONFIG GET'] },
    ],
  ])('puts its secret in by %s', (inject, expected) => {
    expect(credentialIn(tableText(`inject = ${inject}`)).injection).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ['hosts = ["a.example.com"]', ['a.example.com @443-443']],
    ['hosts = ["A.example.com.:8443", "*.example.com"]', ['A.example.com.:8443 @8443-8443', '*.example.com @443-443']],
    ['hosts = ["a.example.com:8000-8100"]', ['a.example.com:8000-8100 @8000-8100']],
    ['hosts = ["[2001:db8::1]"]', ['[2001:db8::1] @443-443']],
    ['transport = "plain"', ['api.example.com @80-80']],
    ['hosts = ["localhost:3000"]\ntransport = "plain"', ['localhost:3000 @3000-3000']],
    ['inject = { kind = "postgres" }', ['api.example.com @5432-5432']],
    ['inject = { kind = "redis" }', ['api.example.com @6379-6379']],
    ['hosts = ["db.example.com:6432"]\ninject = { kind = "postgres" }', ['db.example.com:6432 @6432-6432']],
  ])('is for hosts with their ports: %s', (lines, expected) => {
    expect(hostsOf(credentialIn(tableText(lines)))).toEqual(expected);
  });

  test('is for methods in upper case and for paths', () => {
    expect(credentialIn(tableText('methods = ["get", "POST"]\npaths = ["/v1/*", "*"]')).binding).toMatchObject({
      methods: ['GET', 'POST'],
      paths: ['/v1/*', '*'],
    });
  });

  test.each<[string, Partial<Credential['delivery']>]>([
    ['environment = ["A"]', { environment: [{ name: 'A', template: '{phantom}' }] }],
    [
      'environment = ["A=", "DATABASE_URL=postgres://app:{phantom}@db/app?a=b"]'.replace('"A=", ', ''),
      { environment: [{ name: 'DATABASE_URL', template: 'postgres://app:{phantom}@db/app?a=b' }] },
    ],
    ['environment = ["A={phantom}{phantom}"]', { environment: [{ name: 'A', template: '{phantom}{phantom}' }] }],
    [
      'files = [{ path = "~/.npmrc", format = "npmrc" }, { path = "/etc/app.json", format = "json", claims = "masked" }]',
      {
        files: [
          { path: '/home/dev/.npmrc', format: 'npmrc', claims: 'kept' },
          { path: '/etc/app.json', format: 'json', claims: 'masked' },
        ],
      },
    ],
    [
      'base_urls = ["A", "B=/v1/x"]',
      {
        baseUrls: [
          { name: 'A', path: '' },
          { name: 'B', path: '/v1/x' },
        ],
      },
    ],
  ])('gives the box %s', (lines, expected) => {
    expect(credentialIn(tableText(lines)).delivery).toMatchObject(expected);
  });

  test('of AWS gives the box the parts beside its secret too', () => {
    const { delivery } = credentialIn(
      tableText(
        'inject = { kind = "sigv4" }\nenvironment = ["AWS_ACCESS_KEY_ID={phantom:accessKeyId}", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN={phantom:sessionToken}"]',
      ),
    );
    expect(delivery.environment.map(({ template }) => template)).toEqual([
      '{phantom:accessKeyId}',
      '{phantom}',
      '{phantom:sessionToken}',
    ]);
  });

  test.each([
    ['{}', { prefix: '', alphabet: 'base62', length: 40, checksum: 'none' }],
    [
      '{ prefix = "ghp_", alphabet = "base62", length = 36, checksum = "github-crc32" }',
      { prefix: 'ghp_', alphabet: 'base62', length: 36, checksum: 'github-crc32' },
    ],
    ['{ alphabet = "uuid" }', { prefix: '', alphabet: 'uuid', length: 36, checksum: 'none' }],
    [
      '{ alphabet = "upper-base32", prefix = "X" }',
      { prefix: 'X', alphabet: 'upper-base32', length: 32, checksum: 'none' },
    ],
  ])('has phantoms of the shape %s', (shape, expected) => {
    expect(credentialIn(tableText(`shape = ${shape}`))).toMatchObject({ shape: expected });
  });

  test('is used always where it says so, and then need not be seen', () => {
    const { use, delivery } = credentialIn(tableText('use = "always"', ['environment']));
    expect({ use, delivery }).toEqual({ use: 'always', delivery: { environment: [], files: [], baseUrls: [] } });
  });
});

describe('a table with a provider', () => {
  test('has everything but its source from there', () => {
    const [credential, ...others] = credentialsIn(provided('openai'));
    expect(others).toEqual([]);
    expect(credential).toMatchObject({
      name: 'example',
      group: 'example',
      provider: 'openai',
      injection: { kind: 'bearer' },
      use: 'phantom',
      usualShape: { prefix: 'sk-proj-' },
    });
    expect(credential?.shape).toBeUndefined();
    expect(credential?.delivery).toEqual({
      environment: [{ name: 'OPENAI_API_KEY', template: '{phantom}' }],
      files: [],
      baseUrls: [],
    });
  });

  test('with several ways becomes several credentials, the special ones first', () => {
    const [git, api] = credentialsIn(provided('github'));
    expect(git).toMatchObject({
      name: 'example.git',
      group: 'example',
      injection: { kind: 'git', user: 'x-access-token' },
      use: 'always',
      delivery: { environment: [], files: [], baseUrls: [] },
    });
    expect(api).toMatchObject({ name: 'example', group: 'example', injection: { kind: 'bearer' }, use: 'phantom' });
    expect(api?.delivery.environment.map(({ name }) => name)).toEqual(['GH_TOKEN', 'GITHUB_TOKEN']);
    expect(git?.source).toEqual(api?.source);
    expect([git, api].map((each) => (each === undefined ? '' : groupOf(each)))).toEqual(['example', 'example']);
  });

  test('may override its defaults', () => {
    const credential = credentialIn(
      provided(
        'openai',
        'methods = ["POST"]\npaths = ["/v1/*"]\nenvironment = ["CODEX_API_KEY"]\nuse = "always"\nshape = { prefix = "x-" }\nbase_urls = ["OPENAI_BASE_URL", "OTHER_URL=/v2", "UNKNOWN_URL"]',
      ),
    );
    expect(credential).toMatchObject({
      binding: { methods: ['POST'], paths: ['/v1/*'] },
      use: 'always',
      shape: { prefix: 'x-' },
    });
    expect(credential.delivery).toMatchObject({
      environment: [{ name: 'CODEX_API_KEY' }],
      baseUrls: [
        { name: 'OPENAI_BASE_URL', path: '/v1' },
        { name: 'OTHER_URL', path: '/v2' },
        { name: 'UNKNOWN_URL', path: '' },
      ],
    });
  });

  test('may put the secret in otherwise, once', () => {
    const all = credentialsIn(
      provided('github', 'inject = { kind = "header", name = "authorization", prefix = "token " }'),
    );
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ name: 'example', injection: { kind: 'header', prefix: 'token ' } });
    expect(all.flatMap(hostsOf)).toEqual(['api.github.com @443-443', 'uploads.github.com @443-443']);
  });

  test.each<[string, Readonly<Record<string, readonly string[]>>]>([
    ['hosts = ["api.github.com"]', { example: ['api.github.com @443-443'] }],
    ['hosts = ["github.com"]', { example: ['github.com @443-443'] }],
    [
      'hosts = ["github.com", "uploads.github.com"]',
      { 'example.git': ['github.com @443-443'], example: ['uploads.github.com @443-443'] },
    ],
    [
      'hosts = ["github.corp.example"]',
      { 'example.git': ['github.corp.example @443-443'], example: ['github.corp.example @443-443'] },
    ],
    [
      'hosts = ["github.corp.example:8443", "api.github.com"]',
      {
        'example.git': ['github.corp.example:8443 @8443-8443'],
        example: ['api.github.com @443-443', 'github.corp.example:8443 @8443-8443'],
      },
    ],
  ])('has each host for the way that knows it: %s', (lines, expected) => {
    expect(
      Object.fromEntries(
        credentialsIn(provided('github', lines)).map((credential) => [credential.name, hostsOf(credential)]),
      ),
    ).toEqual(expected);
  });

  test('gives the box its variables also where the one way that is left is a special one', () => {
    expect(credentialsIn(provided('github', 'hosts = ["github.com"]'))).toMatchObject([
      {
        name: 'example',
        injection: { kind: 'git' },
        delivery: { environment: [{ name: 'GH_TOKEN' }, { name: 'GITHUB_TOKEN' }] },
      },
    ]);
  });

  test('keeps the paths that its provider knows', () => {
    expect(credentialIn(provided('openrouter')).binding.paths).toEqual(['/api/*']);
    expect(credentialIn(provided('openrouter', 'paths = ["/api/v1/*"]')).binding.paths).toEqual(['/api/v1/*']);
  });

  test('takes the template of a variable that its provider knows', () => {
    const bedrock = provided('bedrock', 'hosts = ["bedrock-runtime.eu-west-1.amazonaws.com"]');
    expect(credentialIn(bedrock).delivery.environment).toEqual([
      { name: 'AWS_ACCESS_KEY_ID', template: '{phantom:accessKeyId}' },
      { name: 'AWS_SECRET_ACCESS_KEY', template: '{phantom}' },
    ]);
    expect(credentialIn(`${bedrock}environment = ["AWS_SESSION_TOKEN"]\n`).delivery.environment).toEqual([
      { name: 'AWS_SESSION_TOKEN', template: '{phantom:sessionToken}' },
    ]);
  });
});

describe('a login that is captured', () => {
  const login = (lines = ''): string =>
    tableText(`inject = { kind = "oauth2-login", token_url = "https://auth.example.com:8443/oauth/token" }${lines}`, [
      'source',
      'environment',
    ]);

  test('needs no source and no place in the box', () => {
    expect(credentialIn(login())).toMatchObject({
      name: 'example',
      source: { kind: 'capture' },
      use: 'phantom',
      delivery: { environment: [] },
    });
  });

  test('is seen at its URL, whatever the rest is bound to', () => {
    const [seen, own] = credentialsIn(login('\nmethods = ["GET"]\npaths = ["/v1/*"]'));
    expect(seen).toMatchObject({
      name: 'example.login',
      group: 'example',
      binding: { methods: ['POST'], paths: ['/oauth/token'], transport: 'tls' },
    });
    expect(seen === undefined ? [] : hostsOf(seen)).toEqual(['auth.example.com:8443 @8443-8443']);
    expect(own?.binding).toMatchObject({ methods: ['GET'], paths: ['/v1/*'] });
  });

  test('at a URL without a path is seen at the root, and with wildcards in it at that path alone', () => {
    const at = (path: string) =>
      credentialsIn(
        tableText(`inject = { kind = "oauth2-login", token_url = "https://auth.example.com${path}" }`, [
          'source',
          'environment',
        ]),
      )[0]?.binding.paths;
    expect(at('')).toEqual(['/']);
    expect(at('/a//b')).toEqual(['/a/b']);
  });
});

describe('a document that was put together by a program', () => {
  const document = (table: object) =>
    ({
      file: 'made.toml',
      value: {
        version: 1,
        credentials: [
          {
            name: 'x',
            source: { env: 'A' },
            hosts: ['a.test'],
            inject: { kind: 'bearer' },
            environment: ['A'],
            ...table,
          },
        ],
      },
      lines: new Map(),
    }) as const;

  test.each([
    [{ hosts: ['any'] }, /made\.toml: a credential for "any" host/],
    [{ source: undefined }, /does not say where its secret is/],
    [{ inject: { kind: 'header' } }, /"header" has no name/],
    [{ environment: ['LD_PRELOAD'] }, /LD_PRELOAD cannot hold a phantom/],
  ])('is refused rather than half understood: %j', (table, message) => {
    expect(() => userLayer(document(table) as never, places)).toThrow(
      expect.objectContaining({ code: 'HF_POLICY_INVALID', message: expect.stringMatching(message) }),
    );
  });

  test('is refused in a project', () => {
    expect(() => compileLayer(document({}) as never, { kind: 'project', ...places })).toThrow(
      /a project policy cannot hold credentials/,
    );
  });

  test('is taken when it is sound', () => {
    expect(userLayer(document({}) as never, places).credentials).toMatchObject([
      { name: 'x', credentials: [{ origin: { line: 0 } }] },
    ]);
  });
});

test('statements name source and purpose of a secret, and no value', () => {
  const user = `${openNetwork}${tableText('source = { command = ["gh", "auth", "token"] }\nmethods = ["GET"]\npaths = ["/v1/*"]\nhosts = ["a.test:8443", "b.test"]\nfiles = [{ path = "~/.npmrc", format = "npmrc" }]\nbase_urls = ["EXAMPLE_URL"]')}${tableText('name = "plain"\nuse = "always"\ntransport = "plain"\nprovider = "npm"', ['environment'])}`;
  const policy = policyFrom({ user });
  const lines = policy.layers.flatMap((layer) => layer.statements()).filter(({ subject }) => subject === 'credentials');
  expect(lines.map(({ value, origin }) => [value, origin.line])).toEqual([
    [
      'example from the command gh auth token, bearer to a.test:8443 b.test:443 for GET /v1/* as EXAMPLE_TOKEN /home/dev/.npmrc EXAMPLE_URL',
      4,
    ],
    [
      'plain (npm) from the environment variable EXAMPLE_TOKEN, bearer always to api.example.com:80 also in the clear as NPM_TOKEN',
      14,
    ],
  ]);
  expect(credentialsOf(policy)).toHaveLength(2);
});
