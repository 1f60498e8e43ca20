import { describe, expect, test } from 'vitest';
import { tableText, told } from './testing/credentials.ts';

interface Case {
  readonly lines: string;
  readonly without?: readonly string[];
  /** Line of the problem, counted from `[[credentials]]`, which is line 2. */
  readonly key: string;
  readonly message: RegExp;
  readonly remedy: RegExp;
}

/** The line of a key, or of the table. */
function lineOf(text: string, key: string): number {
  const lines = `version = 1\n${text}`.split('\n');
  return 1 + lines.findIndex((line) => (key === '' ? line === '[[credentials]]' : line.startsWith(`${key} =`)));
}

function expectOne(cases: Readonly<Record<string, Case>>): void {
  test.each(Object.entries(cases))('%s', (_, { lines, without, key, message, remedy }) => {
    const text = tableText(lines, without);
    const found = told(text, 'user');
    expect(found, JSON.stringify(found)).toHaveLength(1);
    expect(found[0]?.message).toMatch(message);
    expect(found[0]?.remedy).toMatch(remedy);
    expect(found[0]?.line).toBe(lineOf(text, key));
    for (const line of [found[0]?.message, found[0]?.remedy]) expect(line).toMatch(/^[^\p{Cc}]+$/u);
  });
}

describe('names', () => {
  const form = /up to 40 lower-case letters, digits and hyphens/;
  expectOne({
    'are there': { lines: '', without: ['name'], key: '', message: /"name" is missing/, remedy: /name = / },
    'have no capitals': { lines: 'name = "GitHub"', key: 'name', message: form, remedy: /./ },
    'have no dots, which tell the ways of a provider apart': {
      lines: 'name = "git.hub"',
      key: 'name',
      message: form,
      remedy: /./,
    },
    'have no underscores, which host names have not': {
      lines: 'name = "git_hub"',
      key: 'name',
      message: form,
      remedy: /./,
    },
    'begin with a letter': { lines: 'name = "1st"', key: 'name', message: form, remedy: /./ },
    'do not end in a hyphen': { lines: 'name = "a-"', key: 'name', message: form, remedy: /./ },
    'are no longer than a label': { lines: `name = "${'a'.repeat(41)}"`, key: 'name', message: form, remedy: /./ },
    'are not empty': { lines: 'name = ""', key: 'name', message: form, remedy: /./ },
  });

  test.each(['a', 'a1', 'open-ai-2', 'a'.repeat(40)])('may be "%s"', (name) => {
    expect(() => told(tableText(`name = "${name}"`))).toThrow('no problem was found');
  });

  test('are not used twice', () => {
    expect(told(tableText() + tableText('environment = ["OTHER"]'))).toEqual([
      {
        line: 9,
        message: 'the name "example" is already used by credentials[0]',
        remedy: 'give each credential a name of its own',
      },
    ]);
  });
});

describe('words of the language', () => {
  expectOne({
    'an unknown provider, with the one that was meant': {
      lines: 'provider = "githb"',
      key: 'provider',
      message: /unknown word "githb"/,
      remedy: /did you mean "github"\?/,
    },
    'a provider that is like none': {
      lines: 'provider = "zzzzzzzzzz"',
      key: 'provider',
      message: /unknown word/,
      remedy: /use one of: anthropic, /,
    },
    'an unknown key': {
      lines: 'hots = ["x"]',
      key: 'hots',
      message: /unknown key "hots"/,
      remedy: /did you mean "hosts"\?/,
    },
    'an unknown way in': {
      lines: 'inject = { kind = "baerer" }',
      key: 'inject',
      message: /inject\.kind: unknown word "baerer"/,
      remedy: /did you mean "bearer"\?/,
    },
    'an unknown use': {
      lines: 'use = "sometimes"',
      key: 'use',
      message: /unknown word "sometimes"/,
      remedy: /use one of: phantom, always/,
    },
    'an unknown transport': {
      lines: 'transport = "http"',
      key: 'transport',
      message: /unknown word "http"/,
      remedy: /use one of: tls, plain/,
    },
    'an unknown alphabet': {
      lines: 'shape = { alphabet = "base63" }',
      key: 'shape',
      message: /unknown word "base63"/,
      remedy: /did you mean "base62"\?/,
    },
    'an unknown format': {
      lines: 'files = [{ path = "~/.netrc", format = "netrcc" }]',
      key: 'files',
      message: /unknown word "netrcc"/,
      remedy: /did you mean "netrc"\?/,
    },
    'a number where a text belongs': {
      lines: 'inject = { kind = "header", name = 5 }',
      key: 'inject',
      message: /has to be a text$/,
      remedy: /schema/,
    },
    'a text where a list belongs': {
      lines: 'hosts = "api.example.com"',
      key: 'hosts',
      message: /has to be a list$/,
      remedy: /write a list/,
    },
    'no table where one belongs': {
      lines: 'inject = "bearer"',
      key: 'inject',
      message: /has to be a table$/,
      remedy: /schema/,
    },
    'an empty list of hosts': { lines: 'hosts = []', key: 'hosts', message: /hosts has to be at least 1/, remedy: /./ },
    'no rows': {
      lines: 'inject = { kind = "postgres", max_rows = 0 }',
      key: 'inject',
      message: /has to be at least 1/,
      remedy: /./,
    },
  });

  test('an unknown key in a source and in an injection', () => {
    expect(told(tableText('source = { evn = "A" }')).map(({ message }) => message)).toContain('unknown key "evn"');
    expect(
      told(tableText('inject = { kind = "header", nam = "x" }')).map(({ message, remedy }) => [message, remedy]),
    ).toContainEqual(['unknown key "nam"', 'did you mean "name"?']);
  });

  test('an unknown word of the network', () => {
    expect(told('[network]\nwatch = "no-host"')[0]?.message).toContain(
      'network.watch has to be "every-host" or "bound-hosts"',
    );
  });
});

describe('sources', () => {
  expectOne({
    'one is there': {
      lines: '',
      without: ['source'],
      key: '',
      message: /"example" does not say where its secret is/,
      remedy: /source = \{ env = "NAME" \}/,
    },
    'one that names no place': { lines: 'source = {}', key: 'source', message: /names no place/, remedy: /env = / },
    'one that names only how': {
      lines: 'source = { timeout = "5s" }',
      key: 'source',
      message: /names no place/,
      remedy: /env = /,
    },
    'one that names two places': {
      lines: 'source = { env = "A", keyring = "a/b" }',
      key: 'source',
      message: /two places, env and keyring/,
      remedy: /keep one/,
    },
    'a time-out of no command': {
      lines: 'source = { env = "A", timeout = "5s" }',
      key: 'source',
      message: /"timeout" is for sources of the kind "command"/,
      remedy: /leave it out/,
    },
    'a lifetime of no command': {
      lines: 'source = { file = "/a", lifetime = "5s" }',
      key: 'source',
      message: /"lifetime" is for sources of the kind "command"/,
      remedy: /leave it out/,
    },
    'a format of no file': {
      lines: 'source = { env = "A", format = "netrc" }',
      key: 'source',
      message: /"format" is for sources of the kind "file"/,
      remedy: /leave it out/,
    },
    'a variable that is none': {
      lines: 'source = { env = "A-B" }',
      key: 'source',
      message: /"env" is not the name of a variable/,
      remedy: /env = "GITHUB_TOKEN"/,
    },
    'a file in the workspace': {
      lines: 'source = { file = "token.txt" }',
      key: 'source',
      message: /"file" is not the path of one file/,
      remedy: /~/,
    },
    'a file that climbs': {
      lines: 'source = { file = "~/../token" }',
      key: 'source',
      message: /"file" is not the path/,
      remedy: /./,
    },
    'many files': {
      lines: 'source = { file = "~/.tokens/*" }',
      key: 'source',
      message: /"file" is not the path of one file/,
      remedy: /./,
    },
    'a file anywhere': {
      lines: 'source = { file = "**/token" }',
      key: 'source',
      message: /"file" is not the path of one file/,
      remedy: /./,
    },
    'the whole machine': {
      lines: 'source = { file = "/" }',
      key: 'source',
      message: /"file" is not the path of one file/,
      remedy: /./,
    },
    'no command': { lines: 'source = { command = [] }', key: 'source', message: /at least 1/, remedy: /./ },
    'a program of the working directory': {
      lines: 'source = { command = ["./token"] }',
      key: 'source',
      message: /relative to a directory/,
      remedy: /absolute path, or its bare name/,
    },
    'a program below the working directory': {
      lines: 'source = { command = ["bin/token"] }',
      key: 'source',
      message: /relative to a directory/,
      remedy: /absolute/,
    },
    'a program that is an option': {
      lines: 'source = { command = ["-c"] }',
      key: 'source',
      message: /relative to a directory/,
      remedy: /absolute/,
    },
    'a control character in a command': {
      lines: 'source = { command = ["x", "a\\u0000"] }',
      key: 'source',
      message: /control character/,
      remedy: /leave it out/,
    },
    'a time-out that never comes': {
      lines: 'source = { command = ["x"], timeout = "6m" }',
      key: 'source',
      message: /between "1ms" and "5m"/,
      remedy: /10s/,
    },
    'a time-out of nothing': {
      lines: 'source = { command = ["x"], timeout = "0s" }',
      key: 'source',
      message: /between "1ms" and "5m"/,
      remedy: /10s/,
    },
    'a time-out without a unit': {
      lines: 'source = { command = ["x"], timeout = "5" }',
      key: 'source',
      message: /a duration is written/,
      remedy: /./,
    },
    'no time-out': {
      lines: 'source = { command = ["x"], timeout = "none" }',
      key: 'source',
      message: /a duration is written/,
      remedy: /./,
    },
    'a lifetime of no use': {
      lines: 'source = { command = ["x"], lifetime = "5ms" }',
      key: 'source',
      message: /less than a second/,
      remedy: /10m/,
    },
    'a keyring without an account': {
      lines: 'source = { keyring = "service" }',
      key: 'source',
      message: /"keyring" is not a service and an account/,
      remedy: /SERVICE\/ACCOUNT/,
    },
    'a keyring without a service': {
      lines: 'source = { keyring = "/account" }',
      key: 'source',
      message: /"keyring" is not/,
      remedy: /./,
    },
    'a reference without a scheme': {
      lines: 'source = { onepassword = "vault/item/field" }',
      key: 'source',
      message: /"onepassword" is not a secret reference/,
      remedy: /op:\/\//,
    },
    'a reference without a field': {
      lines: 'source = { onepassword = "op://vault/item" }',
      key: 'source',
      message: /"onepassword" is not/,
      remedy: /./,
    },
    'an item without a field': {
      lines: 'source = { bitwarden = "item" }',
      key: 'source',
      message: /"bitwarden" is not an item and a field/,
      remedy: /item\/field/,
    },
    'an item that is an option': {
      lines: 'source = { bitwarden = "--session/field" }',
      key: 'source',
      message: /"bitwarden" is not/,
      remedy: /./,
    },
    'a path without a field': {
      lines: 'source = { vault = "secret/app" }',
      key: 'source',
      message: /"vault" is not a path and a field/,
      remedy: /secret\/app#token/,
    },
    'a path that is an option': {
      lines: 'source = { vault = "-address=http://evil.test#x" }',
      key: 'source',
      message: /"vault" is not/,
      remedy: /./,
    },
    'a source of what a login gives': {
      lines: 'inject = { kind = "oauth2-login", token_url = "https://auth.example.com/token" }',
      key: 'source',
      message: /captured from a login/,
      remedy: /leave source out/,
    },
  });
});

describe('secrets that were pasted in', () => {
  const key = 'ghp_EXAMPLEexample0123456789EXAMPLE';
  const cases: Readonly<Record<string, readonly [lines: string, at: string]>> = {
    'as the source': [`source = "${key}"`, 'source'],
    'as the name of a variable': [`source = { env = "${key}" }`, 'source'],
    'as the word of a command': [`source = { command = ["echo", "${key}"] }`, 'source'],
    'as a file': [`source = { file = "/${key}" }`, 'source'],
    'as the value of a variable': [`environment = ["EXAMPLE=${key}"]`, 'environment'],
    'as a variable': [`environment = ["${key}"]`, 'environment'],
    'beside the phantom': [`environment = ["EXAMPLE={phantom} ${key}"]`, 'environment'],
    'as the password of a URL': [
      'environment = ["DATABASE_URL=postgres://app:EXAMPLE-hunter2@db.example.com/app"]',
      'environment',
    ],
    'before the secret in a header': [
      `inject = { kind = "header", name = "authorization", prefix = "Bearer ${key}" }`,
      'inject',
    ],
    'as the user': [`inject = { kind = "basic", user = "${key}" }`, 'inject'],
    'as a host': [`hosts = ["${key}.example.com"]`, 'hosts'],
    'as a path': [`paths = ["/${key}/*"]`, 'paths'],
    'in the URL of tokens': [
      'inject = { kind = "oauth2-client", client_id = "x", token_url = "https://me:EXAMPLE-hunter2@auth.example.com/" }',
      'inject',
    ],
    'as a word of the language': [`use = "${key}"`, 'use'],
    'as a kind': [`inject = { kind = "${key}" }`, 'inject'],
    'as a list': [`environment = "${key}"`, 'environment'],
  };

  test.each(Object.entries(cases))('%s are named, and never repeated', (_, [lines, at]) => {
    const text = tableText(lines);
    const found = told(text);
    expect(found).toHaveLength(1);
    expect(found[0]?.line).toBe(lineOf(text, at));
    expect(JSON.stringify(found)).not.toMatch(/EXAMPLE(?:example|-hunter2)/);
  });

  test('say where secrets belong', () => {
    const [found] = told(tableText(`environment = ["EXAMPLE=${key}"]`));
    expect(found).toEqual({
      line: 7,
      message: 'environment[0] of the credential "example" looks like a secret, and secrets do not belong in a policy',
      remedy: expect.stringMatching(/source = \{ env = "…" \}, or `holdfast secrets add example`/),
    });
    expect(told(tableText(`source = "${key}"`))[0]).toMatchObject({
      message: 'source says where the secret is read, and never holds it',
      remedy: expect.stringContaining('source = { env = "NAME" }'),
    });
  });

  test('are all that is said about their table', () => {
    expect(told(tableText(`hosts = ["any"]\nenvironment = ["A=${key}"]`))).toHaveLength(1);
  });

  test.each([
    'inject = { kind = "sigv4", access_key_id = "AKIAIOSFODNN7EXAMPLE" }',
    'inject = { kind = "oauth2-client", client_id = "EXAMPLE0client1id2with3many4letters5AND6digits", token_url = "https://auth.example.com/token" }',
    'environment = ["DATABASE_URL=postgres://app:{phantom}@db.example.com/app"]',
  ])('exclude public values: %s', (lines) => {
    expect(() => told(tableText(lines))).toThrow('no problem was found');
  });
});

describe('hosts, methods and paths', () => {
  expectOne({
    'hosts are there': {
      lines: '',
      without: ['hosts'],
      key: '',
      message: /does not say where its secret is valid/,
      remedy: /hosts = \["api\.example\.com"\], or provider/,
    },
    'every host': {
      lines: 'hosts = ["any"]',
      key: 'hosts',
      message: /"any" host would go to every host/,
      remedy: /name the hosts/,
    },
    'every host at a port': {
      lines: 'hosts = ["any:443"]',
      key: 'hosts',
      message: /go to every host/,
      remedy: /name the hosts/,
    },
    'everything with a star': { lines: 'hosts = ["*"]', key: 'hosts', message: /open the whole network/, remedy: /./ },
    'a network': {
      lines: 'hosts = ["10.0.0.0/8"]',
      key: 'hosts',
      message: /"10\.0\.0\.0\/8" is a network/,
      remedy: /each host/,
    },
    'everybody in a top-level domain': {
      lines: 'hosts = ["*.com"]',
      key: 'hosts',
      message: /"\*\.com" covers hosts of anyone/,
      remedy: /\*\.example\.com/,
    },
    'a URL': { lines: 'hosts = ["https://api.example.com"]', key: 'hosts', message: /is a URL/, remedy: /host name/ },
    'a host that is none': {
      lines: 'hosts = ["api example com"]',
      key: 'hosts',
      message: /not a host name/,
      remedy: /./,
    },
    'a method that nobody knows': {
      lines: 'methods = ["GTE"]',
      key: 'methods',
      message: /an unknown HTTP method/,
      remedy: /did you mean "GET"\?/,
    },
    'a method that is a wildcard': {
      lines: 'methods = ["*"]',
      key: 'methods',
      message: /an unknown HTTP method/,
      remedy: /leave methods out/,
    },
    'a method that makes a tunnel': {
      lines: 'methods = ["CONNECT"]',
      key: 'methods',
      message: /an unknown HTTP method/,
      remedy: /./,
    },
    'a path without a slash': {
      lines: 'paths = ["v1/*"]',
      key: 'paths',
      message: /can never match/,
      remedy: /"\/v1\/\*"/,
    },
    'a path with a control character': {
      lines: 'paths = ["/a\\u0001"]',
      key: 'paths',
      message: /can never match/,
      remedy: /./,
    },
    'a path that is never written so': {
      lines: 'paths = ["/a//b/../c"]',
      key: 'paths',
      message: /can never match/,
      remedy: /write "\/a\/c"/,
    },
    'a path with a needless escape': {
      lines: 'paths = ["/%61"]',
      key: 'paths',
      message: /can never match/,
      remedy: /write "\/a"/,
    },
  });
});

describe('ways in', () => {
  const url = 'token_url = "https://auth.example.com/token"';
  expectOne({
    'one is there': {
      lines: '',
      without: ['inject'],
      key: '',
      message: /does not say how its secret is put into requests/,
      remedy: /inject = \{ kind = "bearer" \}/,
    },
    'a kind is named': { lines: 'inject = { name = "x" }', key: 'inject', message: /"kind" is missing/, remedy: /./ },
    'a header has a name': {
      lines: 'inject = { kind = "header" }',
      key: 'inject',
      message: /"header" has no name/,
      remedy: /add name/,
    },
    'a user is needed for basic': {
      lines: 'inject = { kind = "basic" }',
      key: 'inject',
      message: /"basic" has no user/,
      remedy: /add user/,
    },
    'a user is needed for git': {
      lines: 'inject = { kind = "git" }',
      key: 'inject',
      message: /"git" has no user/,
      remedy: /add user/,
    },
    'a user is needed for a registry': {
      lines: 'inject = { kind = "docker-registry" }',
      key: 'inject',
      message: /has no user/,
      remedy: /add user/,
    },
    'a parameter is needed': {
      lines: 'inject = { kind = "query" }',
      key: 'inject',
      message: /"query" has no parameter/,
      remedy: /add parameter/,
    },
    'a cookie has a name': {
      lines: 'inject = { kind = "cookie" }',
      key: 'inject',
      message: /"cookie" has no name/,
      remedy: /add name/,
    },
    'tokens come from somewhere': {
      lines: 'inject = { kind = "oauth2-client", client_id = "x" }',
      key: 'inject',
      message: /has no token_url/,
      remedy: /add token_url/,
    },
    'a client has an ID': {
      lines: `inject = { kind = "oauth2-refresh", ${url} }`,
      key: 'inject',
      message: /has no client_id/,
      remedy: /add client_id/,
    },
    'an App has an ID': {
      lines: 'inject = { kind = "github-app", installation_id = "1" }',
      key: 'inject',
      message: /has no app_id/,
      remedy: /add app_id/,
    },
    'a service account has scopes': {
      lines: 'inject = { kind = "service-account" }',
      key: 'inject',
      message: /has no scopes/,
      remedy: /add scopes/,
    },
    'a key of another kind': {
      lines: 'inject = { kind = "bearer", user = "x" }',
      key: 'inject',
      message: /"user" means nothing to the injection "bearer"/,
      remedy: /^leave it out$/,
    },
    'a key of another kind, beside its own': {
      lines: 'inject = { kind = "header", name = "x", user = "y" }',
      key: 'inject',
      message: /"user" means nothing/,
      remedy: /this kind has name, prefix/,
    },
    'a name with a line break': {
      lines: 'inject = { kind = "header", name = "x\\r\\ny" }',
      key: 'inject',
      message: /name is not a name that HTTP allows/,
      remedy: /./,
    },
    'a name with a colon': {
      lines: 'inject = { kind = "header", name = "x:" }',
      key: 'inject',
      message: /name is not a name that HTTP allows/,
      remedy: /before the colon/,
    },
    'a cookie with a semicolon': {
      lines: 'inject = { kind = "cookie", name = "a;b" }',
      key: 'inject',
      message: /name is not a name/,
      remedy: /./,
    },
    'a prefix with a line break': {
      lines: 'inject = { kind = "header", name = "x", prefix = "a\\n" }',
      key: 'inject',
      message: /printable ASCII/,
      remedy: /./,
    },
    'a user with a colon': {
      lines: 'inject = { kind = "basic", user = "a:b" }',
      key: 'inject',
      message: /user is not a user without colons/,
      remedy: /alone/,
    },
    'tokens in the clear': {
      lines: 'inject = { kind = "oauth2-client", client_id = "x", token_url = "http://auth.example.com/token" }',
      key: 'inject',
      message: /token_url is not an https URL/,
      remedy: /https:/,
    },
    'tokens from a query': {
      lines: 'inject = { kind = "oauth2-client", client_id = "x", token_url = "https://auth.example.com/token?x=1" }',
      key: 'inject',
      message: /token_url is not an https URL/,
      remedy: /./,
    },
    'tokens from anybody': {
      lines: 'inject = { kind = "oauth2-client", client_id = "x", token_url = "https://any/token" }',
      key: 'inject',
      message: /token_url is not an https URL/,
      remedy: /./,
    },
    'tokens from nobody': {
      lines: 'inject = { kind = "oauth2-client", client_id = "x", token_url = "https://-..-/token" }',
      key: 'inject',
      message: /token_url is not an https URL/,
      remedy: /./,
    },
    'an API in the clear': {
      lines: 'inject = { kind = "github-app", app_id = "1", installation_id = "2", api = "http://ghe.example.com" }',
      key: 'inject',
      message: /api is not an https URL/,
      remedy: /./,
    },
    'an installation that leads elsewhere': {
      lines: 'inject = { kind = "github-app", app_id = "1", installation_id = "2/../3" }',
      key: 'inject',
      message: /installation_id is not one word/,
      remedy: /./,
    },
    'an access key that is none': {
      lines: 'inject = { kind = "sigv4", access_key_id = "key" }',
      key: 'inject',
      message: /access_key_id is not an access key ID/,
      remedy: /does not belong in a policy/,
    },
    'a region that is none': {
      lines: 'inject = { kind = "sigv4", region = "eu/west" }',
      key: 'inject',
      message: /region is not one word/,
      remedy: /./,
    },
    'bytes of nothing': {
      lines: 'inject = { kind = "postgres", max_bytes = "0B" }',
      key: 'inject',
      message: /max_bytes is not a byte or more/,
      remedy: /64MiB/,
    },
    'bytes without a unit': {
      lines: 'inject = { kind = "postgres", max_bytes = "5" }',
      key: 'inject',
      message: /a size is written/,
      remedy: /./,
    },
    'a command of Redis that is none': {
      lines: 'inject = { kind = "redis", commands = ["GET\\r\\nSET"] }',
      key: 'inject',
      message: /commands is not a list of commands/,
      remedy: /CONFIG GET/,
    },
    'rows of Redis': {
      lines: 'inject = { kind = "redis", max_rows = 5 }',
      key: 'inject',
      message: /"max_rows" means nothing/,
      remedy: /user, mode, tls, commands/,
    },
  });
});

describe('values for the box', () => {
  expectOne({
    'is something': {
      lines: '',
      without: ['environment'],
      key: '',
      message: /"example" does not reach the box/,
      remedy: /environment = \["NAME"\]/,
    },
    'is more than where to go': {
      lines: 'base_urls = ["EXAMPLE_URL"]',
      without: ['environment'],
      key: '',
      message: /"example" does not reach the box/,
      remedy: /use = "always"/,
    },
    'a variable that is none': {
      lines: 'environment = ["MY-TOKEN"]',
      key: 'environment',
      message: /does not start with the name of a variable/,
      remedy: /"NAME"/,
    },
    'a variable without a name': {
      lines: 'environment = ["={phantom}"]',
      key: 'environment',
      message: /does not start with the name/,
      remedy: /./,
    },
    'a variable that is the same in every box': {
      lines: 'environment = ["EXAMPLE=fixed"]',
      key: 'environment',
      message: /EXAMPLE holds no \{phantom\}/,
      remedy: /environment\.set/,
    },
    'an empty variable': {
      lines: 'environment = ["EXAMPLE="]',
      key: 'environment',
      message: /EXAMPLE holds no \{phantom\}/,
      remedy: /./,
    },
    'a placeholder that is none': {
      lines: 'environment = ["EXAMPLE={phantom:other}"]',
      key: 'environment',
      message: /holds no \{phantom\}/,
      remedy: /./,
    },
    'what does not come with one secret': {
      lines: 'environment = ["EXAMPLE={phantom:accessKeyId}"]',
      key: 'environment',
      message: /has one secret/,
      remedy: /write \{phantom\}/,
    },
    'a control character': {
      lines: 'environment = ["EXAMPLE={phantom}\\u0000"]',
      key: 'environment',
      message: /control character/,
      remedy: /./,
    },
    'a variable that loads code': {
      lines: 'environment = ["LD_PRELOAD"]',
      key: 'environment',
      message: /LD_PRELOAD cannot hold a phantom/,
      remedy: /another variable/,
    },
    'a variable of git': {
      lines: 'environment = ["GIT_CONFIG_VALUE_0=x {phantom}"]',
      key: 'environment',
      message: /GIT_CONFIG_VALUE_0 cannot hold/,
      remedy: /./,
    },
    'a variable of npm': {
      lines: 'environment = ["npm_config_token"]',
      key: 'environment',
      message: /npm_config_token cannot hold/,
      remedy: /file/,
    },
    'a variable twice': {
      lines: 'environment = ["A", "A=x{phantom}"]',
      key: 'environment',
      message: /A is delivered twice/,
      remedy: /one of them/,
    },
    'a variable and a base URL of one name': {
      lines: 'base_urls = ["EXAMPLE_TOKEN"]',
      key: 'base_urls',
      message: /EXAMPLE_TOKEN is delivered twice/,
      remedy: /./,
    },
    'a file in the workspace': {
      lines: 'files = [{ path = ".npmrc", format = "npmrc" }]',
      key: 'files',
      message: /outside of the workspace/,
      remedy: /~/,
    },
    'a file anywhere': {
      lines: 'files = [{ path = "**/.npmrc", format = "npmrc" }]',
      key: 'files',
      message: /not one file outside/,
      remedy: /./,
    },
    'many files': {
      lines: 'files = [{ path = "~/*", format = "npmrc" }]',
      key: 'files',
      message: /not one file outside/,
      remedy: /./,
    },
    'a file that is the home': {
      lines: 'files = [{ path = "~", format = "npmrc" }]',
      key: 'files',
      message: /not one file outside/,
      remedy: /./,
    },
    'a file of no format': {
      lines: 'files = [{ path = "~/.npmrc" }]',
      key: 'files',
      message: /"format" is missing/,
      remedy: /./,
    },
    'a file twice': {
      lines: 'files = [{ path = "~/.npmrc", format = "npmrc" }, { path = "~/./.npmrc", format = "text" }]',
      key: 'files',
      message: /\.npmrc is delivered twice/,
      remedy: /./,
    },
    'a base URL with a scheme': {
      lines: 'base_urls = ["A=http://x/"]',
      key: 'base_urls',
      message: /the text after A is no path/,
      remedy: /A=\/v1/,
    },
    'a base URL with a slash at its end': {
      lines: 'base_urls = ["A=/v1/"]',
      key: 'base_urls',
      message: /no path, or ends with a slash/,
      remedy: /./,
    },
    'a base URL that loads code': {
      lines: 'base_urls = ["NODE_OPTIONS"]',
      key: 'base_urls',
      message: /NODE_OPTIONS cannot hold/,
      remedy: /./,
    },
    'a base URL to a host in the clear': {
      lines: 'hosts = ["api.example.com"]\nbase_urls = ["A"]\ntransport = "plain"',
      key: 'base_urls',
      message: /without encryption/,
      remedy: /leave transport/,
    },
    'a base URL to many hosts': {
      lines: 'hosts = ["*.example.com"]\nbase_urls = ["A"]',
      key: 'base_urls',
      message: /names no single host/,
      remedy: /into hosts/,
    },
  });

  test('a variable that two credentials deliver', () => {
    const found = told(tableText() + tableText('name = "other"'));
    expect(found).toEqual([
      {
        line: 12,
        message: 'EXAMPLE_TOKEN is already delivered by "example"',
        remedy: 'let one of the two name its variables: environment = […]',
      },
    ]);
  });

  test('a variable that a provider delivers as well, at the line of the table', () => {
    const openai = tableText('name = "b"\nprovider = "openai"', ['environment', 'hosts', 'inject']);
    expect(told(tableText('environment = ["OPENAI_API_KEY"]') + openai)).toEqual([
      { line: 8, message: 'OPENAI_API_KEY is already delivered by "example"', remedy: expect.any(String) },
    ]);
  });
});

describe('shapes', () => {
  expectOne({
    'a UUID of another length': {
      lines: 'shape = { alphabet = "uuid", length = 40 }',
      key: 'shape',
      message: /36 characters/,
      remedy: /leave length out/,
    },
    'a checksum in another alphabet': {
      lines: 'shape = { alphabet = "hex", checksum = "github-crc32" }',
      key: 'shape',
      message: /in base62/,
      remedy: /alphabet = "base62"/,
    },
    'a prefix with a blank': {
      lines: 'shape = { prefix = "a b" }',
      key: 'shape',
      message: /without blanks/,
      remedy: /./,
    },
    'too few characters to be a secret': {
      lines: 'shape = { length = 8 }',
      key: 'shape',
      message: /at least 16/,
      remedy: /./,
    },
    'too many': { lines: 'shape = { length = 5000 }', key: 'shape', message: /at most 4096/, remedy: /./ },
    'half a character': {
      lines: 'shape = { length = 20.5 }',
      key: 'shape',
      message: /shape\.length has to be/,
      remedy: /./,
    },
  });
});

describe('contradictions', () => {
  const always = (inject: string): string => `inject = { ${inject} }\nuse = "always"`;
  expectOne({
    'a path always': {
      lines: always('kind = "path"'),
      key: 'use',
      message: /"path" replaces a value of the client/,
      remedy: /leave use out/,
    },
    'a signature always': {
      lines: always('kind = "sigv4"'),
      key: 'use',
      message: /"sigv4" replaces/,
      remedy: /leave use out/,
    },
    'a database always': {
      lines: always('kind = "postgres"'),
      key: 'use',
      message: /"postgres" replaces/,
      remedy: /leave use out/,
    },
    'methods of Postgres': {
      lines: 'inject = { kind = "postgres" }\nmethods = ["GET"]',
      key: 'methods',
      message: /"methods" is about HTTP, and "example" speaks Postgres/,
      remedy: /leave it out/,
    },
    'paths of Redis': {
      lines: 'inject = { kind = "redis" }\npaths = ["/a"]',
      key: 'paths',
      message: /"paths" is about HTTP, and "example" speaks Redis/,
      remedy: /leave it out/,
    },
    'transport of Redis': {
      lines: 'inject = { kind = "redis" }\ntransport = "plain"',
      key: 'transport',
      message: /"transport" is about HTTP/,
      remedy: /leave it out/,
    },
    'a base URL of Postgres': {
      lines: 'inject = { kind = "postgres" }\nbase_urls = ["A"]',
      key: 'base_urls',
      message: /"base_urls" is about HTTP/,
      remedy: /leave it out/,
    },
    'a provider whose hosts are regional': {
      lines: 'provider = "bedrock"',
      without: ['hosts', 'inject', 'environment'],
      key: '',
      message: /"example" has no hosts: those of Amazon Bedrock are regional/,
      remedy: /bedrock-runtime\.us-east-1\.amazonaws\.com/,
    },
    'a provider whose hosts are of one customer': {
      lines: 'provider = "azure-openai"',
      without: ['hosts', 'inject', 'environment'],
      key: '',
      message: /Azure OpenAI/,
      remedy: /NAME\.openai\.azure\.com/,
    },
  });

  test('everything that is wrong is said at once', () => {
    const found = told(
      tableText(
        'source = { env = "A-B" }\nhosts = ["any", "10.0.0.0/8"]\nmethods = ["GTE"]\npaths = ["a"]\nenvironment = ["A=b"]\nshape = { alphabet = "uuid", length = 20 }\ninject = { kind = "header" }',
      ),
    );
    expect(found).toHaveLength(8);
    expect(found.map(({ line }) => line)).toEqual(found.map(({ line }) => line).toSorted((a, b) => a - b));
  });

  test('of every table are found', () => {
    expect(
      told(tableText('hosts = ["any"]') + tableText('name = "b"\nhosts = ["any"]\nenvironment = ["B"]')).map(
        ({ line }) => line,
      ),
    ).toEqual([7, 12]);
  });
});

describe('where tables may stand', () => {
  test('a project cannot name secrets', () => {
    expect(told(tableText(), 'project')).toEqual([
      {
        line: 2,
        message:
          'a project policy cannot hold credentials: it would choose which secrets are read, by which commands, and who gets them',
        remedy: 'move [[credentials]] to the user policy',
      },
    ]);
  });

  test.each(['user', 'managed', 'session'] as const)('a %s policy may', (kind) => {
    expect(() => told(tableText(), kind)).toThrow('no problem was found');
  });

  test('a proposal has none', () => {
    expect(told('[[propose]]\nname = "a"\nreason = "b"\ncredentials = []')[0]?.message).toBe(
      'unknown key "credentials"',
    );
  });
});
