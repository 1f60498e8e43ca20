import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { backends, Project, repository } from './lib/holdfast.ts';

/** Each value holds the mark, so that the test finds it under any name. */
const mark = 'zq7mark';

const injections = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'GCONV_PATH',
  'MALLOC_TRACE',
  'NODE_PATH',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PYTHONHOME',
  'PERL5OPT',
  'PERL5LIB',
  'RUBYOPT',
  'RUBYLIB',
  'LUA_INIT',
  'PHPRC',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'DOTNET_STARTUP_HOOKS',
  'CLASSPATH',
  'BASH_ENV',
  'ENV',
  'PROMPT_COMMAND',
  'PS1',
  'PS4',
  'IFS',
  'ZDOTDIR',
  'SHELLOPTS',
  'CDPATH',
  'BASH_FUNC_x%%',
  'BASH_FUNC_ls()',
  'GIT_SSH_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_CONFIG_COUNT',
  'GIT_DIR',
  'GIT_EXEC_PATH',
  'SSH_ASKPASS',
  'LESSOPEN',
  'MANPAGER',
  'RUSTC_WRAPPER',
  'MAKEFLAGS',
  'GOFLAGS',
  'npm_config_script_shell',
];
const secretNames = [
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'MY_PASSWORD',
  'DATABASE_URL',
  'SSH_AUTH_SOCK',
  'npm_token',
  'STRIPE_KEY',
  'KUBECONFIG',
];
/** Below names that would otherwise pass. */
const secretShapes: Readonly<Record<string, string>> = {
  LC_MEASUREMENT: `ghp_${mark}0123456789abcdefghijABCDEFGHIJ`,
  LC_PAPER: `https://dev:${mark}-password@example.com/`,
  LC_NAME: `-----BEGIN RSA PRIVATE KEY-----\n${mark}`,
  LC_ADDRESS: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ${mark}.c2ln`,
  LC_TELEPHONE: `Zm9vYmFy${mark}9PqRsTuVwXyZ3kLmNoB5cD`,
};
const others = ['UNHEARD_OF', 'HTTP_PROXY_SECRETLY', '__proto__', 'constructor'];

const hostile: Readonly<Record<string, string>> = Object.assign(
  Object.create(null) as Record<string, string>,
  Object.fromEntries(
    [...injections, ...secretNames, ...others].map((name) => [
      name,
      name.startsWith('BASH_FUNC') ? `() { echo ${mark}; }` : `/${mark}/${name}`,
    ]),
  ),
  secretShapes,
);
/** Names that pass by default, so that the absence of the others proves something. */
const harmless = { LC_COLLATE: 'C', NO_COLOR: '1' };

function environmentOf(project: Project): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null) as NodeJS.ProcessEnv, project.environment, hostile, harmless);
}

/** All processes of the box: the command, and its launcher and init. */
const everyProcess = ['sh', '-c', 'for file in /proc/[0-9]*/environ; do cat "$file"; done | tr "\\0" "\\n"'] as const;

function holdfast(
  project: Project,
  words: readonly string[],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(repository, 'dist/holdfast.cjs'), ...words], {
    cwd: project.workspace,
    env: environmentOf(project),
    encoding: 'utf8',
    timeout: 60_000,
  });
}

describe('a hostile variable of a shell', () => {
  test('reaches a program that starts without Holdfast', () => {
    using project = new Project();
    const { stdout } = spawnSync('/bin/cat', ['/proc/self/environ'], { env: environmentOf(project), encoding: 'utf8' });
    const seen = stdout.split('\0');
    for (const [name, value] of Object.entries(hostile)) expect(seen).toContain(`${name}=${value}`);
  });

  test.each(backends)('reaches no process in a box of the %s backend', (backend) => {
    using project = new Project();
    const { status, stdout } = holdfast(project, ['run', '--backend', backend, '--', ...everyProcess]);
    expect(status).toBe(0);
    const seen = stdout.split('\n');
    expect(seen).toEqual(expect.arrayContaining(['LC_COLLATE=C', 'NO_COLOR=1', `HOME=${project.home}`]));
    expect(seen.filter((line) => line.includes(mark))).toEqual([]);
    expect(seen.filter((line) => Object.keys(hostile).some((name) => line.startsWith(`${name}=`)))).toEqual([]);
  });

  test('reaches no command of the library, nor one in a waiting box', async () => {
    using project = new Project();
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: { ...environmentOf(project), ...project.libraryEnvironment },
    });
    for (const _ of [1, 2]) {
      const { stdout, exitCode } = await sandbox.commands.run(everyProcess);
      expect(exitCode).toBe(0);
      expect(stdout.toString()).toContain('LC_COLLATE=C\n');
      expect(stdout.toString()).not.toContain(mark);
    }
  });

  test('is not allowed by wildcards, and a variable that loads code is not allowed even by its name', () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[environment]\npass = ["*"]\n');
    const { stdout, status } = holdfast(project, ['run', '--', ...everyProcess]);
    expect(status).toBe(0);
    expect(stdout).toContain(`UNHEARD_OF=/${mark}/UNHEARD_OF\n`);
    const names = new Set([
      ...injections.filter((name) => name !== 'CLASSPATH'),
      ...secretNames,
      ...Object.keys(secretShapes),
    ]);
    expect(stdout.split('\n').filter((line) => names.has(line.slice(0, line.indexOf('='))))).toEqual([]);
    expect(holdfast(project, ['run', '--env', 'LD_PRELOAD', '--', 'true']).status).toBe(125);
  });

  test('enters under its exact name, with a notice', () => {
    using project = new Project();
    const { stdout, stderr } = holdfast(project, ['run', '--env', 'GITHUB_TOKEN', '--', ...everyProcess]);
    expect(stdout.split('\n').filter((line) => line.includes(mark))).toEqual(
      expect.arrayContaining([`GITHUB_TOKEN=/${mark}/GITHUB_TOKEN`]),
    );
    expect(new Set(stdout.split('\n').filter((line) => line.includes(mark))).size).toBe(1);
    expect(stderr).toMatch(/^holdfast: GITHUB_TOKEN enters the box \(--env GITHUB_TOKEN, command line\)$/mu);
  });

  test('an empty or relative entry of PATH is removed', () => {
    using project = new Project();
    const run = spawnSync(
      process.execPath,
      [join(repository, 'dist/holdfast.cjs'), 'run', '--', 'sh', '-c', 'echo "$PATH"'],
      {
        cwd: project.workspace,
        env: { ...project.environment, PATH: `:.:bin:${project.environment['PATH'] ?? ''}:` },
        encoding: 'utf8',
      },
    );
    expect(
      run.stdout
        .trim()
        .split(':')
        .filter((entry) => !entry.startsWith('/')),
    ).toEqual([]);
    expect(run.stdout.trim()).toBe(
      project.environment['PATH']
        ?.split(':')
        .filter((entry) => entry.startsWith('/'))
        .join(':'),
    );
  });
});
