import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { release } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { binary, has, Project } from '../lib/holdfast.ts';
import { buildState } from './image.ts';

const qemu = has('qemu-system-x86_64');
const state = qemu ? buildState() : undefined;
const problem = qemu ? state?.problem : 'qemu is not installed (Debian: apt-get install qemu-system-x86)';
if (problem !== undefined) console.warn(`SKIPPED: everything about microVMs: ${problem}`);
afterAll(() => state?.remove());

const patience = 150_000;
const environment = (project: Project): NodeJS.ProcessEnv => ({
  ...project.environment,
  XDG_STATE_HOME: state?.directory,
});
const run = (project: Project, words: readonly string[], input: string | Buffer = '') =>
  spawnSync(binary, ['run', '--backend', 'microvm', ...words], {
    cwd: project.workspace,
    env: environment(project),
    input,
    timeout: patience,
    maxBuffer: 64 << 20,
  });
const script = (project: Project, text: string, flags: readonly string[] = []) => {
  const { status, stdout, stderr } = run(project, [...flags, '--', 'sh', '-c', text]);
  return { status, stdout: String(stdout), stderr: String(stderr) };
};

/** The qemu that `holdfast` with this PID has started, once it is there. */
function qemuBelow(pid: number): number {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const found = descendants(pid).find((each) => commandName(each) === 'qemu-system-x86');
    if (found !== undefined) return found;
  }
  throw new Error('no qemu was started');
}

function descendants(pid: number): readonly number[] {
  const children = readOr(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

const commandName = (pid: number): string => readOr(`/proc/${pid}/comm`).trim();

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function said(child: ChildProcess, text: string): Promise<void> {
  let seen = '';
  while (!seen.includes(text)) seen += String((await once(child.stdout!, 'data'))[0]);
}

describe.skipIf(problem !== undefined)('in a microVM', { timeout: 2 * patience }, () => {
  test('a command has another kernel, the box’s files, its own devices, the time, no capabilities and its exit status', () => {
    using project = new Project();
    project.write('.env', 'KEY=1');
    project.write('text', 'old\n');
    const before = Date.now();
    const { status, stdout, stderr } = script(
      project,
      `
      uname -r; date +%s%3N; pwd; cat text; echo new > text; cat .env; mkdir .vscode; echo x >> .git/config; echo x > /etc/hosts
      grep -E 'CapBnd|CapEff|NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\\n\\t '; echo; ls /dev | tr '\\n' ' '; echo; ls /sys/class/net 2>&1 || cat /proc/net/dev | tail -n +3; unshare -U true && echo escaped; exit 41`,
    );
    const [kernel = '', time, ...lines] = stdout.split('\n');
    expect(status, stderr).toBe(41);
    expect(kernel).not.toBe(release());
    expect(Number(time)).toBeGreaterThanOrEqual(before);
    expect(Number(time)).toBeLessThanOrEqual(Date.now());
    expect(lines.slice(0, 2)).toEqual([project.workspace, 'old']);
    expect(lines[2]).toBe('CapEff:0000000000000000CapBnd:0000000000000000NoNewPrivs:1Seccomp:2');
    expect(lines[3]?.trim()).toBe('core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero');
    expect(stdout).not.toContain('eth0');
    expect(stdout).not.toContain('escaped');
    expect(readFileSync(join(project.workspace, 'text'), 'utf8')).toBe('new\n');
    expect(existsSync(join(project.workspace, '.vscode'))).toBe(false);
    for (const refused of ['.env is refused', '.vscode is refused', '.git/config is refused', '/etc/hosts is refused'])
      expect(stderr).toContain(refused);
  });

  test('10 MB of any bytes come through stdin, stdout and stderr', () => {
    using project = new Project();
    const bytes = randomBytes(10_000_000);
    const { status, stdout, stderr } = run(project, ['--', 'tee', '/dev/stderr'], bytes);
    expect(status).toBe(0);
    expect([stdout.equals(bytes), stderr.equals(bytes)]).toEqual([true, true]);
  });

  test('staged changes wait, and the network has its usual names', () => {
    using project = new Project();
    const { status, stdout, stderr } = script(
      project,
      'echo x > staged; for host in granted.test refused.test; do curl -sS -m 20 -o /dev/null -w "%{http_code}\\n" http://$host/; done; kill -SEGV $$',
      ['--staged', '--host', 'granted.test:80'],
    );
    expect({ status, stdout }, stderr).toEqual({ status: 139, stdout: '502\n403\n' });
    expect(existsSync(join(project.workspace, 'staged'))).toBe(false);
  });

  test('limits hold inside', () => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[limits]\nmemory = "300MiB"\nprocesses = 20\nopen_files = 30\n',
    );
    const { stdout } = script(
      project,
      "ulimit -n; awk '/MemTotal/ { print ($2 < 307200) }' /proc/meminfo; (for i in $(seq 40); do sleep 5 & done; wait) 2>&1 | grep -o 'Cannot fork'",
    );
    expect(stdout).toBe('30\n1\nCannot fork\n');
  });

  test('rules about commands apply inside', () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[commands]\ndeny = ["sort --reverse"]\n');
    project.write('in', '1\n2\n');
    project.write(
      'go',
      `sort in; cp /usr/bin/sort /tmp/s; /tmp/s in
      exec 9</usr/bin/sort; /proc/self/fd/9 in; /proc/self/exe -c "echo itself"
      sort -r in; echo "argument $?"; ln -s /usr/bin/sort l; ./l -r in; echo "link $?"; /proc/self/fd/9 -r in; echo "descriptor $?"
      cp /usr/bin/sort /dev/shm/s; /dev/shm/s in; echo "memory $?"
      ln -s /proc/self/cwd/l x; ./x in; echo "process $?"
      ln -s /usr/bin/cat /dev/shm/c; printf '#!/dev/shm/c\\nran' > i; chmod +x i; ./i; echo "interpreter $?"
      printf '#!l -r\\n1\\n' > r; chmod +x r; ./r; echo "relative $?"
      sort $(seq 5000); echo "words $?"; no-such-command; echo "absent $?"`,
    );
    const { status, stdout, stderr } = run(project, ['--', 'bash', 'go']);
    expect([status, String(stdout)], String(stderr)).toEqual([
      0,
      `${'1\n2\n'.repeat(3)}itself\nargument 126\nlink 126\ndescriptor 126\nmemory 126\nprocess 126\ninterpreter 126\nrelative 126\nwords 126\nabsent 127\n`,
    ]);
    expect(String(stderr)).toContain('running /usr/bin/sort -r in is refused');
  });

  test('a list of commands excludes all others inside', () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[commands]\nallow = ["bash", "cat", "cp"]\n');
    project.write('in', 'text\n');
    project.write('go', 'cat in; base64 in; echo $?; cp /usr/bin/cat c; ./c in; echo $?');
    const { stdout, stderr } = run(project, ['--', 'bash', 'go']);
    expect(String(stdout), String(stderr)).toBe('text\n126\n126\n');
    expect(String(stderr)).toContain('running /usr/bin/base64 is refused');
  });

  test('signals reach the command or its placeholder; a missing command is reported', async () => {
    using project = new Project();
    const child = spawn(
      binary,
      ['run', '--backend', 'microvm', '--', 'sh', '-c', 'trap "exit 5" TERM; echo ready; while :; do sleep 0.1; done'],
      { cwd: project.workspace, env: environment(project) },
    );
    const early = spawn(binary, ['run', '--backend', 'microvm', '--', 'true'], {
      cwd: project.workspace,
      env: environment(project),
    });
    const ended = Promise.all([once(child, 'exit'), once(early, 'exit')]);
    qemuBelow(early.pid ?? 0);
    early.kill('SIGTERM');
    await said(child, 'ready');
    child.kill('SIGTERM');
    expect(await ended).toEqual([
      [5, null],
      [143, null],
    ]);
    expect(run(project, ['--', 'no-such-command']).status).toBe(127);
  });

  test('a dead machine is a failure, and leaves nothing', async () => {
    using project = new Project();
    const child = spawn(binary, ['run', '--backend', 'microvm', '--', 'sleep', '100'], {
      cwd: project.workspace,
      env: environment(project),
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const machine = qemuBelow(child.pid ?? 0);
    process.kill(machine, 'SIGKILL');
    expect((await once(child, 'exit'))[0]).toBe(125);
    expect(stderr).toMatch(/the virtual machine has ended before its command.*HF_LAUNCHER_FAILED/su);
    expect(existsSync(`/proc/${machine}`)).toBe(false);
    expect(readdirSync(project.workspace)).toEqual(['.git']);
  });

  test('a command at a terminal has a terminal of the same size', () => {
    using project = new Project();
    const command = `stty rows 33 columns 77; ${binary} run --backend microvm -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size'`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: project.workspace,
      env: environment(project),
      encoding: 'utf8',
      timeout: patience,
    });
    expect(stdout).toContain('33 77');
  });

  test('Ctrl-D ends the input if the output goes elsewhere', () => {
    using project = new Project();
    const command = `{ ${binary} run --backend microvm -- sh -c "echo ready >&2; cat"; echo status=$? >&2; } | cat`;
    const person = `set timeout ${patience / 1000}\nspawn -noecho sh -c {${command}}\nexpect ready {send "hello\\r\\x04"} timeout {exit 1}\nexpect status=0 {exit 0} timeout {exit 1}`;
    const { status, stdout } = spawnSync('expect', ['-c', person], {
      cwd: project.workspace,
      env: environment(project),
      encoding: 'utf8',
      timeout: 2 * patience,
    });
    expect([status, stdout], stdout).toEqual([0, expect.stringContaining('hello') as string]);
  });
});
