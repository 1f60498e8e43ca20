import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../lib/holdfast.ts';

/** Loading the supervisor from its sources takes seconds on a busy machine. */
const patience = { timeout: 180_000 };

function sandboxOf(project: Project): Promise<Sandbox> {
  return Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, backend: 'landlock' });
}

async function stdoutOf(sandbox: Sandbox, script: string): Promise<string> {
  const { stdout, stderr, exitCode } = await sandbox.commands.run(['sh', '-c', script]);
  expect(exitCode, String(stderr)).toBe(0);
  return String(stdout).trim();
}

test('each command has a private directory of its own, which is removed afterwards', patience, async () => {
  using project = new Project();
  const sandbox = await sandboxOf(project);
  const places: string[] = [];
  for (let run = 0; run < 3; run += 1)
    places.push(await stdoutOf(sandbox, 'test -z "$(ls -A "$TMPDIR")" && echo x > "$TMPDIR/own" && echo "$TMPDIR"'));
  await sandbox.close();
  expect(new Set(places).size).toBe(3);
  expect(places.filter((place) => existsSync(place))).toEqual([]);
});

test('files that appeared after the box was built are protected and hidden', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  await stdoutOf(sandbox, 'true');
  project.write('.env', 'KEY=canary\n');
  project.write('late/.vscode/tasks.json', '{}');
  const { stdout, stderr } = await sandbox.commands.run([
    'sh',
    '-c',
    'cat .env; echo x >> late/.vscode/tasks.json; mv late moved; echo done',
  ]);
  expect(stdout.toString()).toBe('done\n');
  expect(stderr.toString()).toMatch(/\.env: Permission denied/u);
  expect(project.outside('cat', ['late/.vscode/tasks.json']).stdout).toBe('{}');
});

test('a file is hidden if a hidden link leads to it since the box was built', patience, async () => {
  using project = new Project();
  for (const name of ['one', 'two']) project.write(name, 'canary\n');
  project.outside('ln', ['-s', 'one', 'next']);
  project.outside('ln', ['-s', 'next', '.env']);
  await using sandbox = await sandboxOf(project);
  await stdoutOf(sandbox, 'true');
  await setTimeout(1000);
  project.outside('ln', ['-sfn', 'two', 'next']);
  expect(await stdoutOf(sandbox, 'cat .env two 2> /dev/null || echo refused')).toBe('refused');
});

test('a command of a waiting box starts in its own directory, and is found along its own PATH', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  await stdoutOf(sandbox, 'true');
  const tool = project.write('below/bin/tool', '#!/bin/sh\npwd\n');
  chmodSync(tool, 0o755);
  const other = project.write('other/tool', 'cannot be executed\n');
  const PATH = ['/none', dirname(other), 'below/bin', '', dirname(tool)].join(':');
  const run = (program: string, path: string, cwd = project.workspace) =>
    sandbox.commands.run([program], { cwd, environment: { PATH: path } });
  expect(String((await run('tool', PATH)).stdout)).toBe(`${project.workspace}\n`);
  expect(String((await run('tool', PATH, join(project.workspace, 'below'))).stdout)).toBe(
    `${project.workspace}/below\n`,
  );
  await expect(run('tool', `/none:${dirname(other)}`)).rejects.toThrow('tool: cannot be executed (EACCES)');
  await expect(run('ls', PATH)).rejects.toThrow('ls: command not found in the box');
  await expect(run('/bin/true', PATH, join(project.workspace, 'none'))).rejects.toThrow(/working directory/u);
});

test('the keeper of a held command has no capabilities left', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  await setTimeout(1000);
  const running = sandbox.commands.start(['sh', '-c', 'echo begun; read line']);
  for await (const { data } of running) if (String(data) === 'begun\n') break;
  const held = (): string =>
    readFileSync(`/proc/${running.pid}/status`, 'utf8')
      .match(/^Cap(?:Inh|Prm|Eff):.*$/gmu)
      ?.map((line) => line.split('\t')[1])
      .join(' ') ?? '';
  await expect.poll(held, { timeout: 20_000 }).toBe(Array.from({ length: 3 }, () => '0'.repeat(16)).join(' '));
  running.stdin.end();
  await running.ended;
});

test('a process that exits waits neither for a command nor for a waiting box', patience, async () => {
  using project = new Project();
  const script = `
    import { Sandbox } from ${JSON.stringify(join(import.meta.dirname, '../../src/sandbox/index.ts'))};
    const sandbox = await Sandbox.create({ workspace: process.cwd(), backend: 'landlock' });
    await sandbox.commands.run(['true']);
    const running = await sandbox.commands.start(['sh', '-c', 'echo begun; sleep 10000']);
    for await (const { data } of running) if (String(data) === 'begun\\n') process.exit(7);
  `;
  const file = project.write('../exits.mjs', script);
  expect(project.outside(process.execPath, [file])).toMatchObject({ status: 7, stderr: '' });
});

test('supervisors go from one box to the next, and keep no resource of it', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  const held = (): number => readdirSync('/proc/self/fd').length;
  const threads = (): number => readdirSync('/proc/self/task').length;
  const script = 'cat /etc/hostname; python3 -c "import os; [os.openpty() for _ in range(3)]"';
  for (let run = 0; run < 3; run += 1) await stdoutOf(sandbox, script);
  const before = [held(), threads()];
  for (let run = 0; run < 8; run += 1) await stdoutOf(sandbox, script);
  const [descriptors = 0, running = 0] = before;
  // A box under construction may have a few more.
  expect(held()).toBeLessThan(descriptors + 12);
  expect(threads()).toBeLessThan(running + 6);
  expect(process.exitCode).toBeUndefined();
});

test('twelve at once have a supervisor each', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, index) => stdoutOf(sandbox, `cat /etc/hostname > /dev/null; echo ${index}`)),
  );
  expect(results).toEqual(Array.from({ length: 12 }, (_, index) => String(index)));
});
