import { existsSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from 'vitest';
import { Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../lib/holdfast.ts';

/** Loading the supervisor from its sources takes seconds where everything else works too. */
const patience = { timeout: 180_000 };

function sandboxOf(project: Project): Promise<Sandbox> {
  return Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, backend: 'landlock' });
}

async function stdoutOf(sandbox: Sandbox, script: string): Promise<string> {
  const { stdout, stderr, exitCode } = await sandbox.commands.run(['sh', '-c', script]);
  expect(exitCode, String(stderr)).toBe(0);
  return String(stdout).trim();
}

test('each command has a private directory of its own, which is gone afterwards', patience, async () => {
  using project = new Project();
  const sandbox = await sandboxOf(project);
  const places: string[] = [];
  for (let run = 0; run < 3; run += 1) places.push(await stdoutOf(sandbox, 'test -z "$(ls -A "$TMPDIR")" && echo x > "$TMPDIR/own" && echo "$TMPDIR"'));
  await sandbox.close();
  expect(new Set(places).size).toBe(3);
  expect(places.filter((place) => existsSync(place))).toEqual([]);
});

test('what appeared since the box was built is protected and hidden', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  await stdoutOf(sandbox, 'true');
  project.write('.env', 'KEY=canary\n');
  project.write('late/.vscode/tasks.json', '{}');
  const { stdout, stderr } = await sandbox.commands.run(['sh', '-c', 'cat .env; echo x >> late/.vscode/tasks.json; mv late moved; echo done']);
  expect(stdout.toString()).toBe('done\n');
  expect(stderr.toString()).toMatch(/\.env: Permission denied/u);
  expect(project.outside('cat', ['late/.vscode/tasks.json']).stdout).toBe('{}');
});

test('supervisors go from one box to the next, and hold on to nothing of it', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  const held = (): number => readdirSync('/proc/self/fd').length;
  const threads = (): number => readdirSync('/proc/self/task').length;
  const script = 'cat /etc/hostname; python3 -c "import os; [os.openpty() for _ in range(3)]"';
  for (let run = 0; run < 3; run += 1) await stdoutOf(sandbox, script);
  const before = [held(), threads()];
  for (let run = 0; run < 8; run += 1) await stdoutOf(sandbox, script);
  const [descriptors = 0, running = 0] = before;
  // A box that is being built ahead may have a few more.
  expect(held()).toBeLessThan(descriptors + 12);
  expect(threads()).toBeLessThan(running + 6);
  expect(process.exitCode).toBeUndefined();
});

test('twelve at once have a supervisor each', patience, async () => {
  using project = new Project();
  await using sandbox = await sandboxOf(project);
  const results = await Promise.all(Array.from({ length: 12 }, (_, index) => stdoutOf(sandbox, `cat /etc/hostname > /dev/null; echo ${index}`)));
  expect(results).toEqual(Array.from({ length: 12 }, (_, index) => String(index)));
});
