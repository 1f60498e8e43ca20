import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { copyInstallation } from '../../attacks/runner/installation.ts';
import { binary, repository } from '../lib/holdfast.ts';
import { allProcesses, isRunning } from '../../scripts/testing/processes.ts';
import { Begun, programOf, ResidentProject } from '../lib/resident.ts';

function projectOf(): ResidentProject {
  const project = new ResidentProject();
  onTestFinished(() => project[Symbol.dispose]());
  return project;
}

/** Processes with the workspace as their directory: everything in a box of this project, and its starter. */
function inWorkspace(project: ResidentProject): readonly string[] {
  return allProcesses()
    .filter((pid) => {
      try {
        return isRunning(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark(project));
      } catch {
        return false;
      }
    })
    .map(programOf);
}

/** A duration that no other process sleeps for. */
const mark = (project: ResidentProject): string => `60.${parseInt(project.root.slice(-6), 36)}`;

/** Control groups of this process's sessions: their names contain its number. */
function controlGroups(pid: number): readonly string[] {
  const all = existsSync('/sys/fs/cgroup') ? readdirSync('/sys/fs/cgroup', { recursive: true, encoding: 'utf8' }) : [];
  return all.filter((name) => name.includes('/holdfast-') && name.includes(`-${pid.toString(36)}-`));
}

/** Waits until a supervisor answers a run again. */
async function untilWarm(project: ResidentProject): Promise<void> {
  await expect.poll(() => project.counted(['run', '--', 'true']).nodes).toBe(0);
}

test('kill -9 during twenty boxes ends them all with one line each, leaves nothing, and the next run works', async () => {
  const project = projectOf();
  const mounts = readFileSync('/proc/self/mounts', 'utf8');
  const resident = project.serve();
  const flags = (index: number): readonly string[] =>
    index === 0 ? ['--host', 'example.org'] : index === 1 ? ['--forward', '9'] : [];
  const runs: Begun[] = [];
  // In turn: a supervisor that answers twenty at once leaves some to Node on a busy machine.
  for (let index = 0; index < 20; index += 1)
    runs.push(
      await project
        .begin(['run', ...flags(index), '--', 'sh', '-c', `echo ready; sleep ${mark(project)}`])
        .said('ready'),
    );
  expect(new Set(runs.map(({ way }) => way))).toEqual(new Set(['warm']));
  expect(inWorkspace(project).length).toBeGreaterThan(19);
  const begun = Date.now();
  process.kill(resident, 'SIGKILL');
  const ends = await Promise.all(runs.map(({ ended }) => ended));
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(ends).toEqual(runs.map(() => ({ status: 125, signal: null })));
  for (const { stderr } of runs) expect(stderr.match(/HF_SUPERVISOR_LOST/gu)).toHaveLength(1);
  await expect.poll(() => inWorkspace(project)).toEqual([]);
  expect(readFileSync('/proc/self/mounts', 'utf8')).toBe(mounts);
  expect(controlGroups(resident)).toEqual([]);
  const next = project.counted(['run', '--', 'sh', '-c', 'exit 6']);
  expect({ nodes: next.nodes, status: next.result.status, stderr: next.result.stderr }).toEqual({
    nodes: 1,
    status: 6,
    stderr: '',
  });
  await untilWarm(project);
  // A supervisor that another run has started meanwhile finds that it is not needed.
  await expect.poll(() => project.residents.length).toBe(1);
  expect(project.sockets).toHaveLength(2);
});

test('kill -9 of a front ends its box, and its supervisor continues', async () => {
  const project = projectOf();
  const resident = project.serve();
  const runs = await Promise.all(
    [1, 2].map(() =>
      project
        .begin(['run', '--host', 'example.org', '--', 'sh', '-c', `echo ready; sleep ${mark(project)}; true`])
        .said('ready'),
    ),
  );
  const [killed, other] = runs as [Begun, Begun];
  const all = inWorkspace(project).length;
  killed.process.kill('SIGKILL');
  expect(await killed.ended).toEqual({ status: null, signal: 'SIGKILL' });
  await expect.poll(() => inWorkspace(project).length).toBe(all / 2);
  expect([isRunning(other.pid), project.residents]).toEqual([true, [resident]]);
  expect(project.counted(['run', '--', 'true']).nodes).toBe(0);
  other.process.kill('SIGTERM');
  expect(await other.ended).toEqual({ status: 143, signal: null });
  await expect.poll(() => inWorkspace(project)).toEqual([]);
});

test('ten first runs at once leave one supervisor', async () => {
  const project = projectOf();
  const runs = Array.from({ length: 10 }, () => project.begin(['run', '--', 'sh', '-c', 'exit 3']));
  for (const run of runs) expect(await run.ended).toEqual({ status: 3, signal: null });
  await untilWarm(project);
  await expect.poll(() => project.residents.length).toBe(1);
  expect(project.sockets).toHaveLength(2);
});

function serveWith(project: ResidentProject, words: readonly string[] = []): Promise<unknown> {
  const child = new Begun(
    spawn(binary, ['serve', '--resident', ...words], {
      cwd: '/',
      env: project.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  return child.ended.then((end) => ({ ...end, stdout: child.stdout, stderr: child.stderr }));
}
const quietEnd = { status: 0, signal: null, stdout: '', stderr: '' };

test('ends when unused, but not during a run, and removes its sockets', async () => {
  const project = projectOf();
  const ended = serveWith(project, ['--idle', '1']);
  await expect.poll(() => project.sockets.length).toBe(2);
  const run = await project.begin(['run', '--', 'sh', '-c', 'echo ready; sleep 3; echo slept']).said('ready');
  expect(run.way).toBe('warm');
  expect(await run.ended).toEqual({ status: 0, signal: null });
  expect(await ended).toEqual(quietEnd);
  expect(project.sockets).toEqual([]);
});

test('ends when its directory is gone, and on request, with the last of its runs', async () => {
  const project = projectOf();
  const gone = serveWith(project);
  await expect.poll(() => project.sockets.length).toBe(2);
  rmSync(project.runtime, { recursive: true });
  expect(await gone).toEqual(quietEnd);
  const asked = serveWith(project);
  await expect.poll(() => project.sockets.length).toBe(2);
  const run = await project.begin(['run', '--', 'sh', '-c', 'echo ready; cat; exit 5']).said('ready');
  process.kill(project.residents[0] ?? 0, 'SIGTERM');
  await expect.poll(() => project.sockets).toEqual([]);
  expect(project.counted(['run', '--', 'true'])).toMatchObject({ nodes: 1, result: { status: 0 } });
  run.process.stdin?.end();
  expect(await run.ended).toEqual({ status: 5, signal: null });
  expect(await asked).toEqual(quietEnd);
});

test('a second one leaves at once', async () => {
  const project = projectOf();
  const resident = project.serve();
  expect(await serveWith(project)).toEqual(quietEnd);
  expect(project.residents).toEqual([resident]);
});

test('an update is another version at once, and the old one ends with its last run', async () => {
  const project = projectOf();
  const copy = copyInstallation(repository);
  onTestFinished(() => copy.remove());
  const script = join(dirname(dirname(copy.holdfast)), 'dist/holdfast.cjs');
  const run = (text: string): Begun =>
    new Begun(
      spawn(copy.holdfast, ['run', '--', 'sh', '-c', text], { cwd: project.workspace, env: project.environment }),
    );
  const isWarm = async (): Promise<boolean> => {
    const one = await run('echo ready; cat').said('ready');
    const warm = one.way === 'warm';
    one.process.stdin?.end();
    expect(await one.ended).toEqual({ status: 0, signal: null });
    return warm;
  };
  expect(await isWarm()).toBe(false);
  await expect.poll(isWarm).toBe(true);
  // Two cold runs in a row start two supervisors, and one of them leaves.
  await expect.poll(() => project.residents.length).toBe(1);
  const [before] = project.residents;
  const long = await run('echo ready; cat; exit 8').said('ready');
  copyFileSync(script, `${script}.new`);
  renameSync(`${script}.new`, script);
  expect(await isWarm()).toBe(false);
  await expect.poll(isWarm).toBe(true);
  expect(project.residents).toContain(before);
  long.process.stdin?.end();
  expect(await long.ended).toEqual({ status: 8, signal: null });
  await expect.poll(() => project.residents).not.toContain(before);
  expect(project.residents).toHaveLength(1);
});

test('a supervisor that an update overtook before it listened never takes the new name', async () => {
  const project = projectOf();
  expect(await serveWith(project, ['--of', 'front-0123456789abcdef.sock'])).toEqual(quietEnd);
  expect(project.sockets).toEqual([]);
  // Runs look for the name that they give.
  expect(project.counted(['run', '--', 'true']).result.status).toBe(0);
  await untilWarm(project);
  const [pid = 0] = project.residents;
  const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
  expect(project.sockets).toContain(words[words.indexOf('--of') + 1]);
});
