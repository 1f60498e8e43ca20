import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, has, Project } from './lib/holdfast.ts';

const canary = 'EXAMPLE-canary-of-secrets';
const policy = 'version = 1\n\n[network]\nhosts = ["api.example.com"]\n';
const add = ['secrets', 'add', 'example', '--host', 'api.example.com', '--env', 'EXAMPLE_TOKEN', '--keyring'];

function projectWithPolicy(text = policy): { readonly project: Project; readonly file: string } & Disposable {
  const project = new Project();
  const file = project.write('../home/.config/holdfast/policy.toml', text);
  return { project, file, [Symbol.dispose]: () => project[Symbol.dispose]() };
}

const keyringPrograms = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'];
const noKeyring = keyringPrograms.filter((program) => !has(program));
if (noKeyring.length > 0)
  console.warn(
    `SKIPPED: secrets in a real keyring, because these are not installed: ${noKeyring.join(' ')} (Debian: apt-get install dbus gnome-keyring libsecret-tools)`,
  );

/** A shell script in its own session, with an unlocked and empty keyring. `$holdfast` is the program. */
function withKeyring(project: Project, script: string): SpawnSyncReturns<string> {
  const runtime = join(project.root, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  const unlock =
    'printf EXAMPLE-login | gnome-keyring-daemon --unlock --components=secrets --control-directory="$XDG_RUNTIME_DIR" > /dev/null 2>&1';
  return spawnSync('dbus-run-session', ['--', 'sh', '-e', '-c', `${unlock}\n${script}`], {
    cwd: project.workspace,
    env: { ...project.environment, XDG_RUNTIME_DIR: runtime, holdfast: binary },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

describe.skipIf(noKeyring.length > 0)('the keyring of the desktop', { timeout: 120_000 }, () => {
  test('stores a secret from stdin, gives it to no one else, and drops it with the credential', () => {
    using scene = projectWithPolicy();
    const { project, file } = scene;
    const { status, stdout, stderr } = withKeyring(
      project,
      `printf '${canary}\\n' | $holdfast ${add.join(' ')}
echo "kept: $(secret-tool lookup service holdfast account example)"
$holdfast secrets list
$holdfast secrets test example
$holdfast secrets remove example
secret-tool lookup service holdfast account example || echo gone`,
    );
    expect({ status, stdout }, stderr).toEqual({
      status: 0,
      stdout: [
        `added example to ${file}: see \`holdfast secrets test example\``,
        `kept: ${canary}`,
        'example  api.example.com  phantom  example of holdfast in the keyring',
        'example can be read',
        `removed example from ${file}, and its secret from the keyring`,
        'gone',
        '',
      ].join('\n'),
    });
    expect(readFileSync(file, 'utf8')).toBe(policy);
    expect(stderr).not.toContain(canary);
  });

  test('without such an entry says so', () => {
    using scene = projectWithPolicy(
      `${policy}\n[[credentials]]\nname = "example"\nsource = { keyring = "holdfast/example" }\nhosts = ["api.example.com"]\ninject = { kind = "bearer" }\nenvironment = ["EXAMPLE_TOKEN"]\n`,
    );
    const { status, stdout } = withKeyring(scene.project, '$holdfast secrets test example');
    expect(status).toBe(1);
    expect(stdout).toContain(
      'the secret of the credential "example" cannot be read: secret-tool failed with exit status 1',
    );
  });
});

test('without a keyring nothing is added, and no part of the secret is printed', () => {
  using scene = projectWithPolicy();
  const { project, file } = scene;
  const { status, stdout, stderr } = project.holdfast(add, {
    input: canary,
    environment: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/no/such/bus' },
  });
  expect(status).toBe(125);
  expect(stderr).toContain('[HF_KEYRING_FAILED]');
  expect(stdout + stderr).not.toContain(canary);
  expect(readFileSync(file, 'utf8')).toBe(policy);
});

test.each([
  ['', 'the secret is empty'],
  ['\n', 'the secret is empty'],
  [`${canary}\n${canary}\n`, 'control character'],
  [`${canary}\0`, 'control character'],
])('%j is not a secret', (input, why) => {
  using scene = projectWithPolicy();
  const { status, stderr } = scene.project.holdfast(add, { input });
  expect(status).toBe(125);
  expect(stderr).toContain(why);
  expect(stderr).not.toContain(canary);
  expect(readFileSync(scene.file, 'utf8')).toBe(policy);
});

test('the policy keeps its mode, and no file is left beside it', () => {
  using scene = projectWithPolicy();
  const { project, file } = scene;
  const before = statSync(file).mode;
  expect(
    project.holdfast([
      'secrets',
      'add',
      'example',
      '--host',
      'api.example.com',
      '--env',
      'EXAMPLE_TOKEN',
      '--from',
      'env:EXAMPLE_TOKEN',
    ]).status,
  ).toBe(0);
  expect(statSync(file).mode).toBe(before);
  expect(readdirSync(join(file, '..'))).toEqual(['policy.toml']);
});

test('parallel additions lose no entry', async () => {
  using scene = projectWithPolicy();
  const { project, file } = scene;
  const names = ['one', 'two', 'three', 'four'];
  const ended = names.map((name) => {
    const child = project.start([
      'secrets',
      'add',
      name,
      '--host',
      'api.example.com',
      '--env',
      `TOKEN_${name.toUpperCase()}`,
      '--from',
      'env:A',
    ]);
    return new Promise<number | null>((resolve) => child.once('close', resolve));
  });
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
  for (const name of names) expect(readFileSync(file, 'utf8')).toContain(`name = "${name}"`);
});

const terminal = ['expect', 'bash'].filter((program) => !has(program));
if (terminal.length > 0)
  console.warn(
    `SKIPPED: a secret that is typed at a terminal, because these are not installed: ${terminal.join(' ')} (Debian: apt-get install ${terminal.join(' ')})`,
  );

/** A stand-in keyring, which shows the typed text, and a person at a terminal who types `keys`. */
function typed(project: Project, keys: string): { readonly screen: string; readonly stored: string | undefined } {
  const store = join(project.root, 'stored');
  project.write('../bin/secret-tool', `#!/bin/sh\ncase $1 in store) cat > ${store};; lookup) cat ${store};; esac\n`);
  spawnSync('chmod', ['755', join(project.root, 'bin/secret-tool')]);
  const script = `set timeout 20\nspawn -noecho ${[binary, ...add].join(' ')}\nexpect "secret of example: "\nsend -- "${keys}"\nexpect eof\nputs "status [lindex [wait] 3]"\n`;
  const { stdout } = spawnSync('expect', ['-c', script], {
    cwd: project.workspace,
    env: {
      ...project.environment,
      LC_ALL: 'C.UTF-8',
      PATH: `${join(project.root, 'bin')}:${project.environment['PATH'] ?? ''}`,
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return {
    screen: stdout,
    stored: readdirSync(project.root).includes('stored') ? readFileSync(store, 'utf8') : undefined,
  };
}

describe.skipIf(terminal.length > 0)('at a terminal', { timeout: 120_000 }, () => {
  test.each([
    ['ends with Return', `${canary}\\r`, canary],
    ['ends with ^D', `${canary}\\004`, canary],
    ['is corrected', `x\\025${canary}xy\\177\\010\\r`, canary],
    ['is in any script', 'Schlüssel-\\u00e9😀x\\177\\r', 'Schlüssel-é😀'],
  ])('a secret that %s is kept, and never shown', (_, keys, secret) => {
    using scene = projectWithPolicy();
    const { screen, stored } = typed(scene.project, keys);
    expect(screen).toContain('added example');
    expect(screen).toContain('status 0');
    expect(screen).not.toContain(secret);
    expect(stored).toBe(secret);
  });

  test.each([
    ['^C', `${canary}\\003`],
    ['an arrow key', `${canary}\\033\\[A\\r`],
    ['nothing', '\\r'],
  ])('%s adds nothing', (_, keys) => {
    using scene = projectWithPolicy();
    const { screen, stored } = typed(scene.project, keys);
    expect(screen).toContain('status 125');
    expect(screen).not.toContain(canary);
    expect(stored).toBeUndefined();
    expect(readFileSync(scene.file, 'utf8')).toBe(policy);
  });
});
