import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { allProcesses, commandLineOf } from '../../scripts/testing/processes.ts';
import { probePlatform } from '../../src/backends/gvisor/probe.ts';
import { Sandbox } from '../../src/sandbox/index.ts';
import { findRuntime } from '../../src/backends/gvisor/gvisor.ts';
import { binary, has, Project, repository } from '../lib/holdfast.ts';
import { webServer } from '../network/lib/servers.ts';
import { users, World } from '../network/lib/world.ts';

const present = has('/usr/bin/runsc');
if (!present)
  console.warn('SKIPPED: boxes with gVisor, because runsc is not installed (Debian: apt-get install runsc)');
const backend = 'gvisor';
const launcher = join(repository, 'native/build/holdfast-launch');
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-gvisor-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The remains of processes with this name. A name there has at most 15 characters. */
function running(): readonly number[] {
  return allProcesses().filter((pid) => commandLineOf(pid).split('\0')[0]?.split('/').at(-1)?.startsWith('runsc'));
}

describe.skipIf(!present)('a box with gVisor', { timeout: 120_000 }, () => {
  test('has another kernel, the planned workspace and environment, and leaves nothing behind', () => {
    using project = new Project();
    project.write('.env', 'SECRET=1\n');
    const before = new Set(running());
    const script =
      'cat /proc/version; pwd; echo "term=$TERM"; echo err >&2; cat .env; echo bad > .git/hooks/pre-commit; mkdir -p sub/.git/hooks; echo bad > sub/.git/hooks/post-checkout; (setsid sleep 1000 > /dev/null 2>&1 &); echo made > made; exit 7';
    const { status, stdout, stderr } = project.inside(script, ['--backend', backend]);
    expect(stdout).toContain(`${project.workspace}\nterm=dumb\n`);
    expect(stdout).toContain('Linux version ');
    expect([status, stdout.includes(release()), stdout.includes('SECRET')]).toEqual([7, false, false]);
    expect(stderr).toMatch(/^err$/mu);
    expect(stderr).toMatch(/creating \S+\/sub\/\.git\/hooks\/post-checkout is refused/u);
    expect(readFileSync(join(project.workspace, 'made'), 'utf8')).toBe('made\n');
    expect([
      existsSync(join(project.workspace, '.git/hooks/pre-commit')),
      existsSync(join(project.workspace, 'sub/.git/hooks/post-checkout')),
    ]).toEqual([false, false]);
    expect(running().filter((pid) => !before.has(pid))).toEqual([]);
  });

  test('staged changes wait, and a missing command is reported', () => {
    using project = new Project();
    expect(project.inside('echo new > staged; cat staged', ['--backend', backend, '--staged'])).toMatchObject({
      status: 0,
      stdout: 'new\n',
    });
    expect(existsSync(join(project.workspace, 'staged'))).toBe(false);
    expect(project.holdfast(['review', '--stat']).stdout).toContain('A staged');
    expect(project.holdfast(['run', '--backend', backend, '--', 'no-such-command'])).toMatchObject({
      status: 127,
      stderr: expect.stringContaining('command not found in the box') as string,
    });
  });

  test('a waiting box gets the words, environment and directory of its command, and new names are hidden', async () => {
    using project = new Project();
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      backend,
    });
    const run = async (script: string, options = {}) =>
      String((await sandbox.commands.run(['sh', '-c', script, 'x'.repeat(100_000)], options)).stdout);
    expect(await run('echo ${#0} $OWN')).toBe('100000\n');
    project.write('below/.env', 'SECRET=1\n');
    expect(
      await run('echo $OWN; pwd; cat .env; ls /run/holdfast/gvisor; cat /run/holdfast/gvisor/config.json', {
        environment: { OWN: 'mine' },
        cwd: join(project.workspace, 'below'),
      }),
    ).toBe(`mine\n${project.workspace}/below\n`);
    expect(await run('cat /proc/version; echo "<$OWN>"; pwd')).toMatch(
      new RegExp(`^Linux version (?!${release()}).*\n<>\n${project.workspace}\n$`, 'u'),
    );
  });

  test('a signal for the command reaches it', async () => {
    using project = new Project();
    const child = project.start([
      'run',
      '--backend',
      backend,
      '--',
      'sh',
      '-c',
      'trap "echo caught; exit 9" TERM; echo ready; while :; do sleep 0.1; done',
    ]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === 'ready\n') child.kill('SIGTERM');
    });
    expect(await once(child, 'close')).toEqual([9, null]);
    expect(output).toBe('ready\ncaught\n');
  });

  test('Ctrl-C of a terminal ends it, and a file receives appended data', () => {
    using project = new Project();
    const command = `${binary} run --backend ${backend} -- sh -c 'test -t 0 && test -t 2 && echo terminal; echo waits; sleep 60'`;
    const person = `set timeout 60\nspawn -noecho sh -c {${command}; echo status=$?}\nexpect waits {send "\\x03"} timeout {exit 1}\nexpect status=130 {exit 0} timeout {exit 1}`;
    expect(
      spawnSync('expect', ['-c', person], {
        cwd: project.workspace,
        env: project.environment,
        encoding: 'utf8',
        timeout: 100_000,
      }),
    ).toMatchObject({ status: 0, stdout: expect.stringContaining('terminal') as string });
    const file = project.write('log', 'first\n');
    spawnSync(
      'sh',
      ['-c', `${binary} run --backend ${backend} -- sh -c 'echo out; echo err >&2; echo last' >> ${file} 2>&1`],
      { cwd: project.workspace, env: project.environment },
    );
    expect(readFileSync(file, 'utf8')).toBe('first\nout\nerr\nlast\n');
  });

  test('limits hold', () => {
    using project = new Project();
    project.write('holdfast.toml', 'version = 1\n[limits]\nwall = "20s"\nfile_size = "1MiB"\nopen_files = 40\n');
    const { stdout } = project.inside('ulimit -n; head -c 3000000 /dev/zero > big; wc -c < big', [
      '--backend',
      backend,
    ]);
    expect(stdout).toBe('40\n1048576\n');
    const out = join(project.root, 'out');
    spawnSync('sh', ['-c', `${binary} run --backend ${backend} -- head -c 3000000 /dev/zero > ${out}`], {
      cwd: project.workspace,
      env: project.environment,
    });
    expect(statSync(out).size, 'a file that is stdout').toBe(1 << 20);
    project.write('holdfast.toml', 'version = 1\n[limits]\nwall = "2s"\n');
    expect(project.inside('sleep 60', ['--backend', backend])).toMatchObject({
      status: 143,
      stderr: expect.stringContaining('time limit') as string,
    });
  });

  test('rules that only its kernel could enforce are refused', () => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[[signal]]\nname = "keep"\ndecision = "deny"\nsignals = ["SIGKILL"]\n',
    );
    expect(project.inside('echo ran', ['--backend', backend])).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringMatching(/\(guarantee: signals\)[^]*HF_GUARANTEE_MISSING/u) as string,
    });
  });

  test.each(users)('the network leads only to granted hosts, for %s', async (user) => {
    const { port } = await webServer();
    const world = new World({
      policy: `[network]\nhosts = ["web.example", "127.0.0.1:${port}"]`,
      names: ['web.example', 'other.example'],
      user,
    });
    const urls = `for name in web other; do curl -sS -m 20 -w ' %{http_code}\\n' http://$name.example:${port}/read/me; done; id -u; echo mine > file; cat file`;
    const { stdout } = await world.run(['sh', '-c', urls], { backend });
    expect(stdout).toMatch(
      new RegExp(
        `^GET web\\.example /read/me\\s+200\\nHoldfast refused this request: connecting to other\\.example:${port} is refused[^]* 403\\n0\\nmine\\n$`,
        'u',
      ),
    );
  });
});

describe.skipIf(!present)('the probe', { timeout: 60_000 }, () => {
  const found = () => findRuntime({ launcher, directory: join(scratch, 'state') });

  test('finds a platform with another kernel, and remembers it', () => {
    rmSync(join(scratch, 'state'), { recursive: true, force: true });
    const probing = performance.now();
    const known = found();
    const probed = performance.now() - probing;
    expect(known.runsc.path).toMatch(/runsc$/u);
    const began = performance.now();
    expect(found()).toEqual(known);
    expect((performance.now() - began) * 3).toBeLessThan(probed);
  });

  test.each([
    ['exits 0 at once', 'exit 0', 'without running'],
    [
      'runs the command on the kernel of the host',
      'for word; do config="$word"; case $word in --bundle=*) bundle=${word#--bundle=};; esac; done; word=$(sed "s/.*kernel\\",\\"\\([0-9a-f]*\\)\\".*/\\1/" "$bundle/config.json"); exec /run/holdfast/launch kernel "$word"',
      'the kernel of the host',
    ],
    ['hangs', 'exec sleep 100', 'no answer within'],
  ])('recognises a runsc that %s', (name, script, reason) => {
    const path = join(scratch, name.replaceAll(' ', '-'));
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const result = probePlatform({
      runsc: { path, version: 'release-20240930.0', date: 20240930 },
      platform: 'systrap',
      launcher,
      patience: 1500,
    });
    expect(result).toMatchObject({ kind: 'fails', reason: expect.stringContaining(reason) as string });
  });
});
