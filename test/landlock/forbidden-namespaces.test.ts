import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { binary, has, Project, repository } from '../lib/holdfast.ts';

const filtered = [process.execPath, join(repository, 'test/landlock/fixtures/without-namespaces.ts')] as const;
const counted = ['unshare', '-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', 'sh'] as const;

/** Here, no process can make a user namespace, nor any other. */
const hosts = { 'by a seccomp filter': filtered, 'by user.max_user_namespaces': counted } as const;

function run(project: Project, host: readonly string[], words: readonly string[]): SpawnSyncReturns<string> {
  const [program = '', ...before] = host;
  return spawnSync(program, [...before, binary, ...words], {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
    input: '',
    timeout: 60_000,
  });
}

function leftovers(): readonly string[] {
  return readdirSync('/tmp').filter((name) => /^holdfast-\d+-.*\..*/u.test(name));
}

describe.each(Object.keys(hosts) as (keyof typeof hosts)[])('where namespaces are forbidden %s', (how) => {
  const host = hosts[how];

  test.each(['native', ...(has('bwrap') ? ['bubblewrap'] : [])])('%s refuses, and nothing runs', (backend) => {
    using project = new Project();
    const { status, stderr } = run(project, host, ['run', '--backend', backend, '--', 'touch', 'ran']);
    expect([status, existsSync(join(project.workspace, 'ran'))]).toEqual([125, false]);
    expect(stderr).toMatch(/guarantee|bubblewrap/u);
  });

  test('landlock runs, confines, and gives the exit status', () => {
    using project = new Project();
    project.write('.env', 'TOKEN=secret\n');
    project.write('../home/private', 'secret\n');
    const before = leftovers();
    const script = `echo in > written; cat written; cat .env; cat ${project.home}/private; echo x > ${project.home}/planted; echo x > /etc/holdfast-planted; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; (setsid sleep 97.3 &) ; exit 9`;
    const { status, stdout, stderr } = run(project, host, ['run', '--backend', 'landlock', '--', 'sh', '-c', script]);
    expect({ status, stdout }, stderr).toEqual({ status: 9, stdout: 'in\n' });
    expect([
      existsSync(join(project.home, 'planted')),
      existsSync('/etc/holdfast-planted'),
      existsSync(join(project.workspace, '.git/hooks/pre-commit')),
    ]).toEqual([false, false, false]);
    expect(statSync(join(project.workspace, 'written')).uid).toBe(process.getuid?.());
    expect(leftovers()).toEqual(before);
    expect(spawnSync('pgrep', ['-f', 'sleep 97.3']).status).toBe(1);
  });

  test('the launcher’s own processes are not the box’s, under any additional filter', () => {
    using project = new Project();
    const script = 'head -1 /proc/$$/status; head -1 /proc/$PPID/status 2>&1; echo 1000 > /proc/$PPID/oom_score_adj';
    const { stdout, stderr } = run(project, host, ['run', '--backend', 'landlock', '--', 'sh', '-c', script]);
    expect(stdout, stderr).toMatch(/^Name:\tsh\nhead: [^\n]*Permission denied\n$/u);
  });
});
