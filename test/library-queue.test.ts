import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, parentOf } from '../scripts/testing/processes.ts';
import { Sandbox, type CommandHandle } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

/** More than may start at once. */
const many = 4 * availableParallelism() + 6;

/** The number of started commands: the journal has each before it starts. */
function begun(project: Project): number {
  return readFileSync(join(project.state, 'journal.jsonl'), 'utf8').split('"session.start"').length - 1;
}

async function saidUp(handle: CommandHandle): Promise<void> {
  for await (const { data } of handle) {
    expect(data.toString()).toBe('up\n');
    return;
  }
}

test('with more commands than may start at once none is lost, all can run together, and commands ended before their turn never start', async () => {
  using project = new Project();
  await using sandbox = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
  const { commands } = sandbox;

  const results = await Promise.all(
    Array.from({ length: many }, (_, index) =>
      commands.run(['sh', '-c', `read word; echo $word >&1; echo ${index} >&2; exit ${index}`], {
        input: `in${index}\n`,
      }),
    ),
  );
  expect(results.map(({ exitCode, stdout, stderr }) => [exitCode, stdout.toString(), stderr.toString()])).toEqual(
    results.map((_, index) => [index, `in${index}\n`, `${index}\n`]),
  );

  const waiting = Array.from({ length: many }, () => commands.start(['sh', '-c', 'echo up; read line; exit 3']));
  await Promise.all(waiting.map(saidUp));
  expect(commands.list()).toHaveLength(many);
  for (const { stdin } of waiting) stdin.end('\n');
  expect(new Set((await Promise.all(waiting.map(({ ended }) => ended))).map(({ exitCode }) => exitCode))).toEqual(
    new Set([3]),
  );

  const leaving = new AbortController();
  const before = begun(project);
  const ahead = Array.from({ length: many }, () => commands.start(['true']));
  expect(begun(project) - before).toBe(Math.max(4, 2 * availableParallelism()));
  const ended = commands.start(['touch', 'killed']);
  const aborted = commands.run(['touch', 'aborted'], { signal: leaving.signal });
  const soon = commands.run(['sh', '-c', 'exit 5'], { timeoutMs: 60_000 });
  ended.kill();
  leaving.abort();
  expect(await ended.ended).toMatchObject({ exitCode: 143, signal: 15, ending: 'exited' });
  expect(await aborted).toMatchObject({ exitCode: 137, signal: 9, ending: 'aborted' });
  expect(await soon).toMatchObject({ exitCode: 5, ending: 'exited' });
  await Promise.all(ahead.map((handle) => handle.ended));
  expect(readdirSync(project.workspace).filter((name) => /^(killed|aborted)$/u.test(name))).toEqual([]);
  expect(commands.list()).toEqual([]);

  // Its launcher now comes from the nursery, and gets signals differently from a child.
  const orphan = commands.start(['sh', '-c', 'trap "echo caught" TERM; echo up; while :; do sleep 0.05; done']);
  await saidUp(orphan);
  await expect.poll(() => orphan.pid, { timeout: 20_000 }).toBeGreaterThan(1);
  const nursery = parentOf(parentOf(orphan.pid ?? 0));
  expect(parentOf(nursery)).toBe(process.pid);
  const caught = new Promise((resolve) => orphan.stdout.once('data', resolve));
  orphan.kill('SIGTERM');
  expect(String(await caught)).toBe('caught\n');
  process.kill(nursery, 'SIGKILL');
  expect(await orphan.ended).toMatchObject({ exitCode: 137 });
  // The spare box has ended with it.
  await expect
    .poll(async () => (await commands.run(['sh', '-c', 'echo on'])).stdout.toString(), { timeout: 20_000 })
    .toBe('on\n');

  const left = Array.from({ length: many }, (_, index) =>
    commands.start(['sh', '-c', `sleep 4914; touch ${index}.late`]),
  );
  const last = commands.start(['touch', 'late']);
  await sandbox.close();
  expect(
    new Set((await Promise.all([...left, last].map((handle) => handle.ended))).map(({ exitCode }) => exitCode)),
  ).toEqual(new Set([137]));
  expect(existsSync(join(project.workspace, 'late'))).toBe(false);
  expect(() => commands.start(['true'])).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
});

test('a killed program takes its children with it, even if launcher and nursery are stopped', async () => {
  using project = new Project();
  const program = `
    import { Sandbox } from ${JSON.stringify(join(import.meta.dirname, '../src/sandbox/index.ts'))};
    const sandbox = await Sandbox.create({ workspace: ${JSON.stringify(project.workspace)} });
    for (let box = 0; box < 4; box += 1) await sandbox.commands.run(['true']);
    const handle = sandbox.commands.start(['sh', '-c', 'sleep 4914 & echo up; wait']);
    for await (const chunk of handle) {
      while (handle.pid === undefined) await new Promise((resolve) => setImmediate(resolve));
      console.log(handle.pid);
    }
  `;
  const supervisor = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: project.libraryEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(supervisor.stdout, 'data');
  const init = Number(said);
  const launcher = parentOf(init);
  const nursery = parentOf(launcher);
  expect(parentOf(nursery)).toBe(supervisor.pid);
  for (const pid of [launcher, nursery]) process.kill(pid, 'SIGSTOP');
  supervisor.kill('SIGKILL');
  await expect.poll(() => [init, launcher, nursery].filter(isRunning), { timeout: 20_000 }).toEqual([]);
});
