import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { binary, has, Project } from './lib/holdfast.ts';

const isRoot = process.getuid?.() === 0;
const pidsGroup = isRoot && existsSync('/sys/fs/cgroup/pids');

function withLimits(project: Project, limits: string): void {
  project.write('holdfast.toml', `version = 1\n[limits]\n${limits}\n`);
}

describe('limits end with the session', () => {
  test('wall time: SIGTERM, then SIGKILL for programs that ignore it', () => {
    using project = new Project();
    withLimits(project, 'wall = "500ms"');
    // Beats of at least a tenth of a second, because a slow machine has fewer of them in the half second.
    const result = project.inside('while echo beat; do sleep 0.1; done');
    expect(result).toMatchObject({ status: 143, stderr: expect.stringContaining('time limit') as string });
    expect(result.stdout.split('beat').length).toBeLessThan(25);
  });

  test('memory: a command beyond the limit is stopped', () => {
    using project = new Project();
    withLimits(project, 'memory = "200MiB"');
    const hog = 'python3 -c "x = bytearray(600 << 20); print(len(x))"';
    expect(project.outside('sh', ['-c', hog]).stdout).toContain('629145600');
    const result = project.inside(hog);
    expect(result.stdout).not.toContain('629145600');
    expect(result.status).not.toBe(0);
  });

  test.runIf(!isRoot || pidsGroup)('processes: a fork bomb stays small', () => {
    using project = new Project();
    withLimits(project, 'processes = 40');
    const bomb = 'n=0; while [ $n -lt 100 ]; do sleep 5 & n=$((n+1)); done; jobs -p | wc -l';
    const result = project.inside(bomb);
    expect(`${result.stdout}${result.stderr}`).toMatch(/[Rr]esource temporarily unavailable|[Cc]annot fork/u);
  });

  test.runIf(!isRoot || pidsGroup)('processes: names are still guarded without room for a thread of the guard', () => {
    using project = new Project();
    withLimits(project, 'processes = 2');
    const result = project.inside(
      'exec 2>/dev/null; while read -r line; do case $line in Threads:*) echo "$line";; esac; done < /proc/1/status; echo x > .envrc; echo x > envrc; echo ran',
    );
    expect(result.stdout).toMatch(/^Threads:\s+1\nran\n$/u);
    expect(readdirSync(project.workspace)).toContain('envrc');
    expect(readdirSync(project.workspace)).not.toContain('.envrc');
  });

  test('file size and the private /tmp', () => {
    using project = new Project();
    withLimits(project, 'file_size = "1MiB"\ntmp = "2MiB"');
    const result = project.inside(
      'head -c 3000000 /dev/zero > big; for i in 1 2 3; do head -c 900000 /dev/zero > /tmp/f$i || echo full; done',
    );
    expect(result.stdout).toContain('full');
    expect(readdirSync(project.workspace)).toContain('big');
  });

  test('CPU time of a process', () => {
    using project = new Project();
    withLimits(project, 'cpu_time = "1s"');
    expect(project.inside('while :; do :; done').status).toBeGreaterThan(128);
  });

  test('a limit of the caller stays where the policy has none', () => {
    using project = new Project();
    const command = `ulimit -S -t 4321; exec ${binary} run -- sh -c 'ulimit -S -t; ulimit -H -t'`;
    const [inside, hard] = [command, 'ulimit -H -t'].map((words) => project.outside('sh', ['-c', words]).stdout);
    expect(inside).toBe(`4321\n${hard}`);
  });

  test.runIf(isRoot && has('find'))('no control group is left', async () => {
    using project = new Project();
    withLimits(project, 'memory = "200MiB"\nprocesses = 40\ncpus = 1.0');
    const child = project.start(['run', '--', 'true']);
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    const own = `holdfast-*-${(child.pid ?? 0).toString(36)}-*`;
    expect(project.outside('find', ['/sys/fs/cgroup', '-name', own]).stdout).toBe('');
  });
});
