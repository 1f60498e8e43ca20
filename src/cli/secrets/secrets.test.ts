import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToStatus } from '../main.ts';
import { scene, type Scene } from '../testing/run.ts';
import { secretsCommand } from './index.ts';

const policy = `# mine
version = 1

[network]
hosts = ["api.example.com", "api.github.com"] # open
`;
const table = `
[[credentials]]
name = "example"
source = { env = "EXAMPLE_TOKEN" }
hosts = ["api.example.com"]
inject = { kind = "bearer" }
environment = ["TOKEN"]
`;
const canary = 'EXAMPLE-canary';

function withPolicy(text: string, environment: Readonly<Record<string, string>> = {}): Scene {
  const at = scene(environment);
  mkdirSync(dirname(at.policy), { recursive: true });
  writeFileSync(at.policy, text);
  return at;
}

const add = ['add', 'example', '--host', 'api.example.com', '--from', 'env:EXAMPLE_TOKEN', '--env', 'TOKEN'] as const;

describe('holdfast secrets add', () => {
  test('writes a table at the end of the policy, and touches nothing else', async () => {
    const { run, policy: file } = withPolicy(policy);
    expect(await run(secretsCommand, ...add)).toEqual({
      status: 0,
      stdout: `added example to ${file}: see \`holdfast secrets test example\`\n`,
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toBe(`${policy}${table}`);
    expect(readdirSync(dirname(file))).toEqual(['policy.toml']);
  });

  test.each([
    [
      'a provider',
      ['--provider', 'github', '--from', 'env:GITHUB_TOKEN'],
      'provider = "github"\nsource = { env = "GITHUB_TOKEN" }',
    ],
    [
      'a command',
      ['--provider', 'github', '--from', 'command', '--timeout', '5s', '--', 'gh', 'auth', 'token'],
      'provider = "github"\nsource = { command = ["gh", "auth", "token"], timeout = "5s" }',
    ],
    [
      'a file of a format',
      ['--provider', 'github', '--from', 'file:/home/dev/.netrc', '--format', 'netrc'],
      'provider = "github"\nsource = { file = "/home/dev/.netrc", format = "netrc" }',
    ],
    [
      'a header',
      ['--host', 'api.example.com', '--from', 'vault:secret/app#key', '--inject', 'header:X-Api-Key', '--env', 'KEY'],
      'source = { vault = "secret/app#key" }\nhosts = ["api.example.com"]\ninject = { kind = "header", name = "X-Api-Key" }\nenvironment = ["KEY"]',
    ],
    [
      'limits',
      ['--host', 'api.example.com', '--from', 'op://dev/example/key', '--method', 'GET', '--path', '/v1/*', '--always'],
      'source = { onepassword = "op://dev/example/key" }\nhosts = ["api.example.com"]\nmethods = ["GET"]\npaths = ["/v1/*"]\ninject = { kind = "bearer" }\nuse = "always"',
    ],
  ])('%s', async (_, words, written) => {
    const { run, policy: file } = withPolicy(policy);
    const { status, stderr } = await run(secretsCommand, 'add', 'new', ...words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(`${policy}\n[[credentials]]\nname = "new"\n${written}\n`);
  });

  test.each([
    [
      'a host that the network rules do not allow',
      ['--host', 'other.example.com', '--from', 'env:A', '--env', 'B'],
      'which the network rules do not allow',
    ],
    ['a provider that nobody knows', ['--provider', 'githbu', '--from', 'env:A'], 'github'],
    [
      'an injection that nobody knows',
      ['--host', 'api.example.com', '--from', 'env:A', '--inject', 'magic', '--env', 'B'],
      'magic',
    ],
    [
      'an injection with too many words',
      ['--host', 'api.example.com', '--from', 'env:A', '--inject', 'bearer:x', '--env', 'B'],
      'means nothing to the injection',
    ],
    [
      'a program of the repository',
      ['--host', 'api.example.com', '--from', 'command', '--env', 'B', '--', './token.sh'],
      'relative to a directory',
    ],
    [
      'nothing that reaches the box',
      ['--host', 'api.example.com', '--from', 'env:A'],
      'no variable and no file holds its phantom',
    ],
    [
      'a variable that loads code',
      ['--host', 'api.example.com', '--from', 'env:A', '--env', 'NODE_OPTIONS'],
      'cannot hold a phantom',
    ],
  ])('refuses %s, and writes nothing', async (_, words, why) => {
    const { run, policy: file } = withPolicy(policy);
    const { status, stderr } = await run(secretsCommand, 'add', 'new', ...words);
    expect(status).toBe(125);
    expect(stderr).toContain('nothing was written');
    expect(stderr).toContain(why);
    expect(readFileSync(file, 'utf8')).toBe(policy);
  });

  test.each([
    ['no place', ['--from', 'env:A'], 'the hosts of the secret are missing'],
    ['no source', ['--host', 'api.example.com'], 'the source of the secret is missing'],
    [
      'two sources',
      ['--host', 'api.example.com', '--from', 'env:A', '--keyring'],
      'the source of the secret is missing',
    ],
    ['a secret for a source', ['--host', 'api.example.com', '--from', canary], 'the source after --from is unknown'],
  ])('wants to know more: %s', async (_, words, why) => {
    const { run } = withPolicy(policy);
    const { status, stderr } = await run(secretsCommand, 'add', 'new', ...words);
    expect(status).toBe(125);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain(canary);
  });

  test('refuses a name that is taken', async () => {
    const { run, policy: file } = withPolicy(policy + table);
    expect((await run(secretsCommand, ...add)).stderr).toContain('"example"');
    expect(readFileSync(file, 'utf8')).toBe(policy + table);
  });

  test('leaves a policy alone that does not hold already', async () => {
    const { run, policy: file } = withPolicy('version = 1\nnetwrok = 1\n');
    expect((await run(secretsCommand, ...add)).stderr).toContain('netwrok');
    expect(readFileSync(file, 'utf8')).toBe('version = 1\nnetwrok = 1\n');
  });

  test('makes no policy that does not hold', async () => {
    const { run, policy: file } = scene();
    expect((await run(secretsCommand, ...add)).status).toBe(125);
    expect(existsSync(file)).toBe(false);
  });

  test('does not ask a project: it only narrows', async () => {
    const { run, workspace } = withPolicy(policy);
    writeFileSync(join(workspace, 'holdfast.toml'), 'version = 1\n[network]\nhosts = []\n');
    expect((await run(secretsCommand, ...add)).status).toBe(0);
  });

  test('asks for no secret before it is known that it could be added', async () => {
    const { run } = withPolicy(policy);
    expect(
      (await run(secretsCommand, 'add', 'new', '--host', 'closed.example.com', '--env', 'A', '--keyring')).stderr,
    ).toContain('which the network rules do not allow');
  });
});

describe('holdfast secrets list', () => {
  test('has one line for each table', async () => {
    const { run } = withPolicy(
      `${policy}${table}\n[[credentials]]\nname = "gh"\nprovider = "github"\nsource = { command = ["gh", "auth", "token"] }\n`,
    );
    expect(await run(secretsCommand, 'list')).toEqual({
      status: 0,
      stderr: '',
      stdout:
        'example  api.example.com  phantom  the environment variable EXAMPLE_TOKEN\ngh       github           phantom  the command gh auth token\n',
    });
  });

  test('is JSON for programs', async () => {
    const { run, policy: file } = withPolicy(policy + table);
    expect(JSON.parse((await run(secretsCommand, 'list', '--json')).stdout)).toEqual([
      {
        name: 'example',
        hosts: ['api.example.com'],
        source: 'the environment variable EXAMPLE_TOKEN',
        use: 'phantom',
        file,
        line: 7,
      },
    ]);
  });

  test('reports an empty list', async () => {
    const { run } = withPolicy(policy);
    expect((await run(secretsCommand, 'list')).stdout).toBe(
      'No credentials yet. Add one: holdfast secrets add NAME --host HOST --from SOURCE\n',
    );
    expect((await run(secretsCommand, 'list', '--json')).stdout).toBe('[]\n');
  });

  test('reads no secret', async () => {
    const { run, workspace } = withPolicy(
      `${policy}\n[[credentials]]\nname = "gh"\nprovider = "github"\nsource = { command = ["touch", "/tmp/../${scene().workspace}/read"] }\n`,
    );
    await run(secretsCommand, 'list');
    expect(readdirSync(workspace)).toEqual([]);
  });
});

describe('holdfast secrets test', () => {
  test('says that a secret can be read, and nothing of it', async () => {
    const { run } = withPolicy(policy + table, { EXAMPLE_TOKEN: canary });
    expect(await run(secretsCommand, 'test', 'example')).toEqual({
      status: 0,
      stdout: 'example can be read\n',
      stderr: '',
    });
    expect(JSON.parse((await run(secretsCommand, 'test', 'example', '--json')).stdout)).toEqual({
      name: 'example',
      kind: 'readable',
      notices: [],
    });
  });

  test('says why it cannot, and exits with 1', async () => {
    const { run } = withPolicy(policy + table);
    expect(await run(secretsCommand, 'test', 'example')).toEqual({
      status: 1,
      stderr: '',
      stdout:
        'the secret of the credential "example" cannot be read: the environment variable EXAMPLE_TOKEN is not set\n  set EXAMPLE_TOKEN where holdfast is started\n',
    });
    expect(JSON.parse((await run(secretsCommand, 'test', 'example', '--json')).stdout)).toMatchObject({
      name: 'example',
      kind: 'unavailable',
    });
  });

  test('says when it expires', async () => {
    const { run } = withPolicy(
      policy +
        table.replace(
          '{ env = "EXAMPLE_TOKEN" }',
          `{ command = ["echo", '{"token":"${canary}","expiration":"2100-01-01T00:00:00Z"}'] }`,
        ),
    );
    expect(await run(secretsCommand, 'test', 'example')).toEqual({
      status: 0,
      stdout: 'example can be read, and expires at 2100-01-01T00:00:00Z\n',
      stderr: '',
    });
  });

  test('tells the owner of problems', async () => {
    const { run } = withPolicy(policy + table.replace('env = "EXAMPLE_TOKEN"', 'file = "/etc/hostname"'));
    expect((await run(secretsCommand, 'test', 'example')).stdout).toBe(
      'example can be read\n  every user of this machine can read /etc/hostname: prevent this with `chmod 600`\n',
    );
  });

  test('takes no program of the workspace, by whatever way it leads there', async () => {
    const at = withPolicy(policy);
    const link = join(dirname(at.policy), 'token');
    writeFileSync(join(at.workspace, 'token'), `#!/bin/sh\ntouch ${at.workspace}/ran\necho ${canary}\n`, {
      mode: 0o755,
    });
    symlinkSync(join(at.workspace, 'token'), link);
    writeFileSync(at.policy, policy + table.replace('env = "EXAMPLE_TOKEN"', `command = ["${link}"]`));
    expect(await at.run(secretsCommand, 'test', 'example')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('is where a box can write') as string,
    });
    expect(readdirSync(at.workspace)).toEqual(['token']);
  });

  test('knows no other names', async () => {
    const { run } = withPolicy(policy + table);
    expect((await run(secretsCommand, 'test', 'other')).stderr).toContain('there is no credential "other"');
  });
});

describe('holdfast secrets remove', () => {
  test('takes out its additions, to the byte', async () => {
    const { run, policy: file } = withPolicy(policy);
    await run(secretsCommand, ...add);
    expect(await run(secretsCommand, 'remove', 'example')).toEqual({
      status: 0,
      stdout: `removed example from ${file}\n`,
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toBe(policy);
  });

  test('takes out a broken entry by itself', async () => {
    const { run, policy: file } = withPolicy(`${policy}\n[[credentials]]\nname = "broken"\nsecret = "${canary}"\n`);
    expect(await run(secretsCommand, 'remove', 'broken')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(policy);
  });

  test('takes out what makes the policy not hold', async () => {
    const { run, policy: file } = withPolicy(`version = 1\n${table}`);
    expect((await run(secretsCommand, 'list')).status).toBe(125);
    expect((await run(secretsCommand, 'remove', 'example')).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('version = 1\n');
  });

  /** Removes the example, with this directory first in `PATH`. */
  async function removeWith(
    at: Scene,
    bin: string,
  ): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
    const written = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
    const environment = {
      PATH: `${bin}:/usr/bin:/bin`,
      XDG_CONFIG_HOME: dirname(dirname(at.policy)),
      XDG_STATE_HOME: dirname(dirname(at.journal)),
    };
    const status = await runToStatus(secretsCommand, ['remove', 'example'], {
      cwd: at.workspace,
      environment,
      stdout: stream('stdout'),
      stderr: stream('stderr'),
    });
    return { status, ...written };
  }

  /** A fake keyring that runs this script. */
  function keyringOf(at: Scene, script: string): string {
    const bin = join(dirname(at.policy), 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'secret-tool'), `#!/bin/sh\necho "$@" >> ${bin}/asked\n${script}\n`, { mode: 0o755 });
    return bin;
  }

  test.each([
    ['stored it', 'exit 0', { status: 0, stderr: '' }, ', and its secret from the keyring'],
    [
      'has lost it, or cannot be reached',
      'exit 1',
      {
        status: 1,
        stderr: expect.stringContaining(
          'holdfast: its secret may still be in the keyring: secret-tool failed with exit status 1',
        ) as string,
      },
      '',
    ],
    [
      'fails',
      'exit 9',
      {
        status: 1,
        stderr: expect.stringContaining(
          'holdfast: its secret may still be in the keyring: secret-tool failed with exit status 9',
        ) as string,
      },
      '',
    ],
  ])('clears what --keyring put into a keyring that %s', async (...[, script, ended, words]) => {
    const at = scene();
    mkdirSync(dirname(at.policy), { recursive: true });
    const bin = keyringOf(at, script);
    writeFileSync(at.policy, policy + table.replace('env = "EXAMPLE_TOKEN"', 'keyring = "holdfast/example"'));
    const said = await removeWith(at, bin);
    expect(said).toMatchObject({ ...ended, stdout: `removed example from ${at.policy}${words}\n` });
    expect(readFileSync(at.policy, 'utf8')).toBe(policy);
    expect(readFileSync(join(bin, 'asked'), 'utf8')).toBe('clear -- service holdfast account example\n');
  });

  test.each(['keyring = "other/example"', 'keyring = "holdfast/other"', 'env = "EXAMPLE_TOKEN"'])(
    'leaves a secret alone that it did not store: %s',
    async (source) => {
      const at = withPolicy(policy + table.replace('env = "EXAMPLE_TOKEN"', source));
      const bin = keyringOf(at, 'exit 0');
      expect(await removeWith(at, bin)).toEqual({
        status: 0,
        stderr: '',
        stdout: `removed example from ${at.policy}\n`,
      });
      expect(existsSync(join(bin, 'asked'))).toBe(false);
    },
  );

  test.each([
    ['a name that is not there', policy + table, 'other', 'has no credential "other"'],
    ['a policy that is not there', undefined, 'example', 'has no credential "example"'],
    [
      'a table in a list',
      `version = 1\ncredentials = [{ name = "example", source = { env = "A" } }]\n`,
      'example',
      'not written as a table on separate lines',
    ],
    ['a text that is not TOML', 'version = \n', 'example', 'is not valid TOML'],
    [
      'a table in pieces',
      `version = 1\n[[credentials]]\nname = "example"\n[files]\nread = []\n[credentials.source]\nenv = "A"\n`,
      'example',
      'not written as a table on separate lines',
    ],
  ])('leaves %s alone', async (...[, text, name, why]) => {
    const { run, policy: file } = text === undefined ? scene() : withPolicy(text);
    const { status, stderr } = await run(secretsCommand, 'remove', name);
    expect(status).toBe(125);
    expect(stderr).toContain(why);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(text);
  });
});

test.each([
  [['lists'], 'secrets has no action'],
  [['show'], 'secrets has no action'],
  [['add'], 'secrets add takes one name'],
  [['test', 'a', 'b'], 'secrets test takes one name'],
  [['list', 'a'], 'secrets list takes nothing'],
])('usage: %j', async (words, why) => {
  const { status, stderr } = await scene().run(secretsCommand, ...words);
  expect(status).toBe(125);
  expect(stderr).toContain(why);
});
