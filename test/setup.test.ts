import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, Project } from './lib/holdfast.ts';

const rules = '{\n  "permissions": {"deny": ["Bash(curl:*)"]}\n}\n';
const key = 'sk-ant-api03-EXAMPLEexampleEXAMPLEexampleEXAMPLE00';

/** A machine with Claude Code, whose settings deny something. */
function machine(project: Project) {
  const settings = project.write('../home/.claude/settings.json', rules);
  const program = project.write('../home/bin/claude', '#!/bin/sh\necho "key:$ANTHROPIC_API_KEY"\n');
  project.write('../home/bin/package.json', '{"name": "claude"}');
  chmodSync(program, 0o755);
  const policy = join(project.home, '.config/holdfast/policy.toml');
  const environment = { PATH: `${project.home}/bin:/usr/bin:/bin`, ANTHROPIC_API_KEY: key };
  const run = (...words: readonly string[]) => project.holdfast(words, { environment });
  const setup = (...words: readonly string[]) => run('setup', '--no-prove', ...words);
  return { settings, policy, environment, run, setup };
}

const read = (file: string) => readFileSync(file, 'utf8');

test('without a terminal it shows its steps, and performs them only with --yes', () => {
  using project = new Project();
  const { settings, policy, run, setup } = machine(project);
  for (const [words, status] of [
    [['--import', '--hooks'], 125],
    [['--import', '--hooks', '--dry-run'], 0],
  ] as const) {
    const shown = setup(...words);
    expect(shown.status).toBe(status);
    expect(shown.stdout).toContain(`found Claude Code: ${project.home}/bin/claude`);
    expect(shown.stdout).toContain('+  "curl", # ~/.claude/settings.json permissions.deny[0]');
    expect([existsSync(policy), read(settings)]).toEqual([false, rules]);
  }
  const done = setup('--import', '--hooks', '--key', 'ANTHROPIC_API_KEY', '--yes');
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: '' });
  expect(done.stdout).toMatch(/\nnext: holdfast run claude\n/u);
  expect(read(settings)).toContain('holdfast-hook');
  const agent = run('run', 'claude');
  expect(agent.stdout).toMatch(/^key:sk-ant-api03-/u);
  expect(agent.stdout).not.toContain(key);
  expect(run('run', '--', 'curl', '--version').status).not.toBe(0);
});

test('--undo brings every file back, and refuses if one has changed', () => {
  using project = new Project();
  const { settings, policy, setup } = machine(project);
  setup('--import', '--hooks', '--yes');
  const written = read(policy);
  project.write(policy, `${written}# mine\n`);
  expect(setup('--undo', '--yes')).toMatchObject({
    status: 125,
    stderr: expect.stringContaining(`${policy} changed since the setup; nothing was undone`) as string,
  });
  expect(read(settings)).toContain('holdfast-hook');
  project.write(policy, written);
  expect(setup('--undo').status).toBe(125);
  expect(setup('--undo', '--yes', '--json')).toMatchObject({ status: 0, stderr: '' });
  expect([existsSync(policy), read(settings)]).toEqual([false, rules]);
  expect(setup('--undo', '--yes').stderr).toContain('there is no setup to undo');
});

test('can start in the home, which is not a workspace', () => {
  using project = new Project();
  const { policy, environment } = machine(project);
  const at = { cwd: project.home, environment };
  expect(project.holdfast(['setup', '--no-prove', '--import', '--yes'], at)).toMatchObject({ status: 0, stderr: '' });
  expect(read(policy)).toContain('"curl"');
  expect(project.holdfast(['setup', '--undo', '--yes'], at).status).toBe(0);
  expect(existsSync(policy)).toBe(false);
});

test('an existing policy is not replaced without a request, and comes back', () => {
  using project = new Project();
  const { policy, setup } = machine(project);
  project.write(policy, 'version = 1\n# mine\n');
  expect(setup('--yes')).toMatchObject({
    status: 125,
    stdout: expect.stringMatching(/^--- \S+policy\.toml\n\+\+\+ .*\n@@ [^]*^-# mine$/mu) as string,
    stderr: expect.stringContaining('already exists with other content; nothing was changed') as string,
  });
  expect(setup('--yes').stdout).not.toContain('====');
  expect(read(policy)).toBe('version = 1\n# mine\n');
  expect(setup('--yes', '--replace').status).toBe(0);
  expect(read(policy)).toContain('Written by `holdfast setup`');
  expect(setup('--yes').status).toBe(0);
  setup('--undo', '--yes');
  expect(read(policy)).toBe('version = 1\n# mine\n');
});

test('a key goes into the keyring, and an undo takes it out again', () => {
  using project = new Project();
  const { policy, environment, setup } = machine(project);
  const store = join(project.root, 'store');
  chmodSync(
    project.write(
      '../home/bin/secret-tool',
      `#!/bin/sh\ncase $1 in store) cat > ${store};; lookup) cat ${store};; clear) rm ${store};; esac\n`,
    ),
    0o755,
  );
  expect(setup('--keyring', 'ANTHROPIC_API_KEY', '--yes')).toMatchObject({ status: 0, stderr: '' });
  expect(read(store)).toBe(key);
  expect(read(policy)).not.toContain(key);
  const { ANTHROPIC_API_KEY: _, ...without } = environment;
  const agent = project.holdfast(['run', 'claude'], { environment: without });
  expect(agent.stdout).toMatch(/^key:sk-ant-api03-/u);
  expect(agent.stderr).toContain('key ANTHROPIC_API_KEY as a phantom');
  setup('--undo', '--yes');
  expect(existsSync(store)).toBe(false);
});

describe('impossible requests', () => {
  test.each([
    [['--agent', 'codex'], /there is no agent "codex" on this machine[^]*name one of: claude/u],
    [['--key', 'OPENAI_API_KEY'], /no chosen agent has a key "OPENAI_API_KEY"[^]*ANTHROPIC_API_KEY/u],
    [['--json'], /--json cannot ask for confirmation/u],
  ] as const)('%j is refused', (words, message) => {
    using project = new Project();
    expect(machine(project).setup(...words)).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(message) as string,
    });
  });

  test('unreadable rules are not silently left out', () => {
    using project = new Project();
    const { settings, policy, setup } = machine(project);
    project.write(settings, '{"permissions": {"deny": [');
    expect(setup('--import', '--yes')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining(`${settings} cannot be imported`) as string,
    });
    expect(existsSync(policy)).toBe(false);
    expect(setup('--yes').status).toBe(0);
  });

  test('the lack of an agent is reported, with the features that work without one', () => {
    using project = new Project();
    const { status, stderr } = project.holdfast(['setup', '--yes'], { environment: { PATH: '/usr/bin:/bin' } });
    expect(status).toBe(125);
    expect(stderr).toMatch(/no known agent is on this machine: looked for claude[^]*holdfast run -- COMMAND/u);
  });
});

test.skipIf(spawnSync('expect', ['-v']).error !== undefined)(
  'a person at a terminal gets questions, and answers',
  () => {
    using project = new Project();
    const { settings, policy, environment } = machine(project);
    const script = `
    set timeout 60
    spawn -noecho ${binary} setup --no-prove
    expect {*(e) or copied to the keyring (k)? *} { send "e\\r" }
    expect {*import the rules of *} { send "y\\r" }
    expect {*install hooks in *} { send "\\r" }
    expect {*write it? *} { send "y\\r" }
    expect {*next: holdfast run claude} {}
    expect eof
    lassign [wait] pid spawn os value
    exit $value`;
    const { status, stdout } = spawnSync('expect', ['-c', script], {
      cwd: project.workspace,
      env: { ...project.environment, ...environment, TERM: 'xterm' },
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(status, stdout).toBe(0);
    expect(read(policy)).toContain('source = { env = "ANTHROPIC_API_KEY" }');
    expect(read(policy)).toContain('"curl"');
    expect(read(settings)).toBe(rules);
  },
);

test.skipIf(spawnSync('expect', ['-v']).error !== undefined)(
  'a person who stores a key in the keyring can type it, and hears of a missing keyring',
  () => {
    using project = new Project();
    const { environment } = machine(project);
    const script = `
    set timeout 60
    spawn -noecho ${binary} setup --no-prove --no-import --no-hooks --keyring CLAUDE_CODE_OAUTH_TOKEN
    expect {*write it? *} { send "y\\r" }
    expect {*secret of CLAUDE_CODE_OAUTH_TOKEN: *} { send "sk-ant-oat01-example\\r" }
    expect eof`;
    const { stdout } = spawnSync('expect', ['-c', script], {
      cwd: project.workspace,
      env: { ...project.environment, ...environment, TERM: 'xterm' },
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(stdout).toMatch(/HF_KEYRING_FAILED|next: holdfast run claude/u);
    expect(stdout).not.toContain('sk-ant-oat01-example');
  },
);

test('proves that the sandbox holds, with any command rules of the policy', { timeout: 240_000 }, () => {
  using project = new Project();
  const { run } = machine(project);
  const { status, stdout, stderr } = run('setup', '--import', '--yes');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+ escape attempts: the sandbox holds the guarantees of the default policy$/mu);
});
