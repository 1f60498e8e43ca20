import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SecretSource } from '../../../policy/credentials/types.ts';
import { clearFromKeyring, storeInKeyring } from '../keyring-programs.ts';
import { context, credential, directory, standIn } from '../testing/scene.ts';
import type { SourceAnswer, SourceFailure, SourceContext } from '../types.ts';
import { readSecretSource } from './index.ts';

function read(source: SecretSource, parts: Partial<SourceContext> = {}): Promise<SourceAnswer | SourceFailure> {
  return readSecretSource(credential(source), context(parts));
}

/** With a directory of stand-ins in front of the system's programs. */
function reading(
  source: SecretSource,
  bin: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<SourceAnswer | SourceFailure> {
  return read(source, { environment: { PATH: `${bin}:/usr/bin:/bin`, ...environment } });
}

const answer = (value: string) => ({ kind: 'answer', value, fields: {} });

describe('a variable', () => {
  test('of the supervisor is read', async () => {
    expect(await read({ kind: 'env', variable: 'TOKEN' }, { environment: { TOKEN: 'EXAMPLE' } })).toEqual(
      answer('EXAMPLE'),
    );
  });

  test.each(['__proto__', 'constructor', 'toString'])('that only objects have is missing: %s', async (variable) => {
    expect(await read({ kind: 'env', variable }, { environment: {} })).toMatchObject({
      kind: 'missing',
      why: `the environment variable ${variable} is not set`,
    });
  });

  test.each([[{}], [{ TOKEN: '' }], [{ TOKEN: undefined }]])('that is not set is missing: %j', async (environment) => {
    expect(await read({ kind: 'env', variable: 'TOKEN' }, { environment })).toEqual({
      kind: 'missing',
      why: 'the environment variable TOKEN is not set',
      remedy: 'set TOKEN where holdfast is started',
    });
  });
});

describe('a file', () => {
  function file(content: string | Buffer, mode = 0o600): string {
    const path = join(directory(), 'secret');
    writeFileSync(path, content, { mode });
    return path;
  }

  test.each([['EXAMPLE'], ['EXAMPLE\n'], ['\n EXAMPLE \r\n\n'], ['\uFEFFEXAMPLE']])(
    'with %j is read without blanks around',
    async (content) => {
      expect(await read({ kind: 'file', path: file(content) })).toEqual(answer('EXAMPLE'));
      expect(await read({ kind: 'file', path: file(content), format: 'text' })).toEqual(answer('EXAMPLE'));
    },
  );

  test('of a format returns the secret for the credential’s hosts', async () => {
    const asked: unknown[] = [];
    const extract: SourceContext['extract'] = (format, text, { hosts, user }) => {
      asked.push([format, text, hosts.map(({ source }) => source), user]);
      return { value: 'EXAMPLE', fields: { accessKeyId: 'AKIA' } };
    };
    expect(await read({ kind: 'file', path: file('[default]\n'), format: 'aws' }, { extract })).toEqual({
      kind: 'answer',
      value: 'EXAMPLE',
      fields: { accessKeyId: 'AKIA' },
    });
    expect(asked).toEqual([['aws', '[default]\n', ['api.example.com:443'], undefined]]);
  });

  test('of a format without these hosts has no secret', async () => {
    const path = file('EXAMPLE');
    expect(await read({ kind: 'file', path, format: 'netrc' })).toMatchObject({
      kind: 'missing',
      why: `${path} holds no secret for these hosts, or is not a netrc file`,
    });
  });

  test('that is not there is missing', async () => {
    const path = join(directory(), 'nothing');
    expect(await read({ kind: 'file', path })).toMatchObject({ kind: 'missing', why: `${path} does not exist` });
    expect(await read({ kind: 'file', path: `${path}/below` })).toMatchObject({ kind: 'missing' });
  });

  test.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a device without end', (path: string) => symlinkSync('/dev/zero', path)],
  ])('that is %s is refused at once', async (_, make) => {
    const path = join(directory(), 'secret');
    make(path);
    expect(await read({ kind: 'file', path })).toMatchObject({
      kind: 'unavailable',
      why: `${path} is not a regular file`,
    });
  });

  test('that is too long is refused', async () => {
    expect(await read({ kind: 'file', path: file('x'.repeat(65_536)) })).toMatchObject({ kind: 'answer' });
    expect(await read({ kind: 'file', path: file('x'.repeat(65_537)) })).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('is longer than 64 KiB') as string,
    });
    expect(await read({ kind: 'file', path: file('x'.repeat(1_048_577)), format: 'json' })).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('is longer than 1024 KiB') as string,
    });
  });

  test('that is no UTF-8 is refused', async () => {
    expect(await read({ kind: 'file', path: file(Buffer.from([0x45, 0xff])) })).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('it is not UTF-8') as string,
    });
  });

  test('where a box can write is refused, however it is reached', async () => {
    const root = directory();
    const [home, workspace] = [join(root, 'home'), join(root, 'workspace')];
    for (const place of [home, workspace]) mkdirSync(place);
    writeFileSync(join(workspace, 'secret'), 'EXAMPLE');
    writeFileSync(join(home, 'secret'), 'EXAMPLE');
    symlinkSync(join(workspace, 'secret'), join(home, 'into'));
    symlinkSync(join(home, 'secret'), join(workspace, 'out'));
    symlinkSync(join(workspace, 'out'), join(home, 'through'));
    symlinkSync('secret', join(home, 'mine'));
    const at = (path: string) => read({ kind: 'file', path: join(root, path) }, { writableRoots: [workspace] });
    for (const path of ['workspace/secret', 'home/into', 'home/through', 'workspace/out', 'home/../workspace/secret'])
      expect(await at(path)).toMatchObject({
        kind: 'unavailable',
        why: `${join(root, path).replace('home/../', '')} is where a box can write`,
      });
    for (const path of ['home/secret', 'home/mine'])
      expect(await at(path)).toEqual(expect.objectContaining({ kind: 'answer', value: 'EXAMPLE' }));
  });

  test.each([
    [0o600, false],
    [0o640, false],
    [0o644, true],
    [0o604, true],
  ])('of mode %o that everybody may read is reported: %s', async (mode, told) => {
    const path = file('EXAMPLE');
    chmodSync(path, mode);
    expect('notice' in (await read({ kind: 'file', path }))).toBe(told);
  });
});

describe('a command', () => {
  test('prints the secret, in a session of its own and without the rest of the environment', async () => {
    const said = await read(
      { kind: 'command', argv: ['sh', '-c', 'printf "EXAMPLE-%s" "$TOKEN$HOME"'], timeout: 5000 },
      { environment: { PATH: '/usr/bin:/bin', TOKEN: 'EXAMPLE-other', HOME: '/home/dev' } },
    );
    expect(said).toEqual(answer('EXAMPLE-/home/dev'));
  });

  test('that fails reports its status, and none of its output', async () => {
    const said = await read({
      kind: 'command',
      argv: ['sh', '-c', 'echo EXAMPLE-secret >&2; echo EXAMPLE-secret; exit 7'],
      timeout: 5000,
    });
    expect(said).toMatchObject({ kind: 'unavailable', why: 'sh failed with exit status 7' });
    expect(JSON.stringify(said)).not.toContain('EXAMPLE');
  });

  test('that asks for a password fails', async () => {
    expect(
      await read({
        kind: 'command',
        argv: ['sh', '-c', 'printf "password: " > /dev/tty && read -r word < /dev/tty && echo "$word"'],
        timeout: 5000,
      }),
    ).toMatchObject({ kind: 'unavailable', why: expect.stringMatching(/^sh failed with exit status/u) as string });
  });

  test('says when its answer expires; else its policy does', async () => {
    const argv = ['echo', '{"access_token":"EXAMPLE","expires_in":60}'];
    expect(await read({ kind: 'command', argv, timeout: 5000, lifetime: 5 })).toEqual({
      ...answer('EXAMPLE'),
      expires: 60_000,
    });
    expect(await read({ kind: 'command', argv: ['echo', 'EXAMPLE'], timeout: 5000, lifetime: 5 })).toEqual({
      ...answer('EXAMPLE'),
      expires: 5,
    });
  });

  test('that is a file of the workspace does not run', async () => {
    const bin = standIn('helper', 'require("node:fs").writeFileSync(__filename + ".ran", ""); console.log("EXAMPLE")');
    expect(
      await read({ kind: 'command', argv: [join(bin, 'helper')], timeout: 5000 }, { writableRoots: [bin] }),
    ).toMatchObject({ kind: 'unavailable', why: expect.stringContaining('is where a box can write') as string });
    expect(existsSync(join(bin, 'helper.ran'))).toBe(false);
  });
});

test('a login has nothing to read before it is captured', async () => {
  expect(await read({ kind: 'capture' })).toMatchObject({ kind: 'missing', why: 'nobody has logged in yet' });
});

describe('1Password, by a stand-in for `op read` as it is documented', () => {
  // `op read REFERENCE` prints the field with a line break, without one where `--no-newline` is given; 1 and `[ERROR]
  // …` otherwise.
  const body = `if (process.env.OP_SERVICE_ACCOUNT_TOKEN === undefined) fail(1, '[ERROR] EXAMPLE: account is not signed in');
if (argv[0] !== 'read' || argv.at(-1) !== 'op://dev/github/token') fail(1, '[ERROR] could not read secret');
process.stdout.write('EXAMPLE' + (argv.includes('--no-newline') ? '' : '\\n'));`;
  const source = { kind: 'onepassword', reference: 'op://dev/github/token' } as const;

  test('is asked for the reference', async () => {
    expect(await reading(source, standIn('op', body), { OP_SERVICE_ACCOUNT_TOKEN: 'EXAMPLE' })).toEqual(
      answer('EXAMPLE'),
    );
  });

  test('that is not signed in names the next step', async () => {
    expect(await reading(source, standIn('op', body))).toEqual({
      kind: 'unavailable',
      why: 'op failed with exit status 1',
      remedy: 'sign in with `op signin`, or set OP_SERVICE_ACCOUNT_TOKEN, and try `op read` with this reference',
    });
  });

  test('is asked for nothing but references', async () => {
    expect(await reading({ ...source, reference: '--help' }, standIn('op', body))).toMatchObject({
      kind: 'unavailable',
      why: 'its reference does not begin with op://',
    });
  });

  test('that is not installed is missed', async () => {
    expect(await reading(source, directory())).toMatchObject({ kind: 'unavailable', why: 'there is no program op' });
  });
});

describe('Bitwarden, by a stand-in for `bw get item` as it is documented', () => {
  const item = {
    object: 'item',
    id: '99ee88d2-6046-4ea7-92c2-acac464b1412',
    type: 1,
    name: 'GitHub',
    notes: 'EXAMPLE-notes',
    fields: [
      { name: 'token', value: 'EXAMPLE-token', type: 1 },
      { name: 'twice', value: 'EXAMPLE-1', type: 0 },
      { name: 'twice', value: 'EXAMPLE-2', type: 0 },
      { name: 'empty', value: null, type: 1 },
    ],
    login: {
      uris: [{ match: null, uri: 'https://github.com' }],
      username: 'dev',
      password: 'EXAMPLE-password',
      totp: 'EXAMPLE-seed',
    },
  };
  const body = `if (process.env.BW_SESSION === undefined) fail(1, 'Vault is locked.');
if (argv.join(' ') !== '--nointeraction get item -- GitHub') fail(1, 'Not found.');
console.log(JSON.stringify(${JSON.stringify(item)}));`;
  const source = (field: string, name = 'GitHub') => ({ kind: 'bitwarden', item: name, field }) as const;
  const unlocked = { BW_SESSION: 'EXAMPLE' };

  test.each([
    ['password', 'EXAMPLE-password'],
    ['username', 'dev'],
    ['notes', 'EXAMPLE-notes'],
    ['token', 'EXAMPLE-token'],
  ])('the field %s', async (field, value) => {
    expect(await reading(source(field), standIn('bw', body), unlocked)).toEqual(answer(value));
  });

  test.each([
    ['absent', 'missing', 'the item has no field named absent'],
    ['empty', 'missing', 'the item has no field named empty'],
    ['totp', 'missing', 'the item has no field named totp'],
    ['__proto__', 'missing', 'the item has no field named __proto__'],
    ['twice', 'unavailable', 'the item has several fields named twice'],
  ])('the field %s is %s', async (field, kind, why) => {
    expect(await reading(source(field), standIn('bw', body), unlocked)).toMatchObject({ kind, why });
  });

  test.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['a list', '[]'],
    ['a number', '5'],
    ['null', 'null'],
  ])('that answers with %s has no item', async (_, text) => {
    expect(
      await reading(source('password'), standIn('bw', `console.log(${JSON.stringify(text)})`), unlocked),
    ).toMatchObject({ kind: 'unavailable', why: 'bw did not answer with an item' });
  });

  test.each([
    '{}',
    '{"login":null,"fields":null,"notes":null}',
    '{"login":5,"fields":5,"notes":5}',
    '{"login":[],"fields":[null,5,{}]}',
  ])('an item that is %s has no fields', async (text) => {
    for (const field of ['password', 'notes', 'token'])
      expect(
        await reading(source(field), standIn('bw', `console.log(${JSON.stringify(text)})`), unlocked),
      ).toMatchObject({ kind: 'missing' });
  });

  test('that is locked names the next step', async () => {
    expect(await reading(source('password'), standIn('bw', body))).toEqual({
      kind: 'unavailable',
      why: 'bw failed with exit status 1',
      remedy: 'unlock it with `bw unlock`, set BW_SESSION, and try `bw get item` with this item',
    });
  });

  test('takes the name of an item for no option', async () => {
    expect(
      await reading(
        source('password', '--raw'),
        standIn(
          'bw',
          `if (argv.indexOf('--raw') < argv.indexOf('--')) fail(1, ''); console.log(JSON.stringify({ login: { password: 'EXAMPLE' } }));`,
        ),
        unlocked,
      ),
    ).toEqual(answer('EXAMPLE'));
  });
});

describe('Vault, by a stand-in for `vault kv get` as it is documented', () => {
  // Prints the field without a line break; 2 where there is no such secret or the server refuses.
  const body = `if (process.env.VAULT_ADDR === undefined || process.env.VAULT_TOKEN === undefined) fail(2, 'permission denied');
if (argv.slice(0, 2).join(' ') !== 'kv get' || argv[2] !== '-field=token' || argv[3] !== 'secret/app') fail(2, 'No value found at secret/data/app');
process.stdout.write('EXAMPLE');`;
  const source = { kind: 'vault', path: 'secret/app', field: 'token' } as const;
  const server = { VAULT_ADDR: 'https://vault.example', VAULT_TOKEN: 'EXAMPLE' };

  test('is asked for the field', async () => {
    expect(await reading(source, standIn('vault', body), server)).toEqual(answer('EXAMPLE'));
  });

  test.each([
    [source, {}],
    [{ ...source, field: 'other' }, server],
    [{ ...source, path: 'secret/other' }, server],
  ])('that refuses names the next step', async (of, environment) => {
    expect(await reading(of, standIn('vault', body), environment)).toMatchObject({
      kind: 'unavailable',
      why: 'vault failed with exit status 2',
      remedy: expect.stringContaining('vault login') as string,
    });
  });

  test('takes a path for no option', async () => {
    expect(
      await reading({ ...source, path: '-address=https://evil.example' }, standIn('vault', body), server),
    ).toMatchObject({ kind: 'unavailable', why: 'its path begins with a dash' });
  });
});

/** Beside `test/secrets.test.ts`, which asks a real keyring. */
describe('libsecret, by a stand-in for secret-tool(1)', () => {
  const body = `const fs = require('node:fs');
const file = __dirname + '/store';
const [verb, ...words] = argv;
const key = words.slice(words.indexOf('--') + 1).join(' ');
fs.appendFileSync(__dirname + '/log', argv.join(' ') + '\\n');
if (verb === 'store') fs.writeFileSync(file, JSON.stringify([key, fs.readFileSync(0, 'utf8')]));
const [stored, secret] = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
if (verb !== 'store' && stored !== key) process.exit(1);
if (verb === 'lookup') process.stdout.write(secret);
if (verb === 'clear') fs.rmSync(file);`;
  const entry = { service: 'holdfast', account: 'github' };
  const at = (bin: string) => context({ environment: { PATH: `${bin}:/usr/bin:/bin` } });

  test('keeps a secret that no argument shows', async () => {
    const bin = standIn('secret-tool', body);
    expect(await storeInKeyring(entry, 'EXAMPLE-secret', at(bin))).toEqual({ kind: 'stored' });
    expect(await reading({ kind: 'keyring', ...entry }, bin)).toEqual(answer('EXAMPLE-secret'));
    expect(readFileSync(join(bin, 'log'), 'utf8')).not.toContain('EXAMPLE');
    expect(await clearFromKeyring(entry, at(bin))).toEqual({ kind: 'cleared' });
    expect(await reading({ kind: 'keyring', ...entry }, bin)).toMatchObject({
      kind: 'missing',
      why: 'secret-tool failed with exit status 1',
    });
    expect(await clearFromKeyring(entry, at(bin))).toMatchObject({ kind: 'missing' });
  });

  test('takes names for no options', async () => {
    const bin = standIn('secret-tool', body);
    await storeInKeyring({ service: '--label=x', account: '-a' }, 'EXAMPLE', at(bin));
    expect(readFileSync(join(bin, 'log'), 'utf8').split('\n')[1]).toBe('lookup -- service --label=x account -a');
  });

  test('that gives back something else has stored nothing', async () => {
    const bin = standIn('secret-tool', `if (argv[0] === 'lookup') process.stdout.write('EXAM');`);
    expect(await storeInKeyring(entry, 'EXAMPLE', at(bin))).toMatchObject({
      kind: 'unavailable',
      why: 'the keyring returns a different value than was stored',
    });
  });

  test.each([['store'], ['lookup']])('whose %s fails has stored nothing', async (verb) => {
    const bin = standIn('secret-tool', `if (argv[0] === '${verb}') process.exit(1);`);
    expect(await storeInKeyring(entry, 'EXAMPLE', at(bin))).not.toMatchObject({ kind: 'stored' });
  });
});

describe('another system', () => {
  test.each(['win32', 'freebsd'] as const)('%s has no keyring that can be read', async (platform) => {
    const why = `Holdfast cannot read the keyring of ${platform}`;
    expect(await read({ kind: 'keyring', service: 's', account: 'a' }, { platform })).toEqual({
      kind: 'unavailable',
      why,
      remedy: 'use a source with `command` that prints the secret',
    });
    expect(await storeInKeyring({ service: 's', account: 'a' }, 'EXAMPLE', context({ platform }))).toMatchObject({
      why,
    });
    expect(await clearFromKeyring({ service: 's', account: 'a' }, context({ platform }))).toMatchObject({ why });
  });
});
