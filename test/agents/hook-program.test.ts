import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Project, repository } from '../lib/holdfast.ts';

const program = join(repository, 'native/build/holdfast-hook');

/** What is handed over to, in the place of Node: it has what a program has that is started with the time running. */
function handOver(script: string) {
  using project = new Project();
  const file = project.write('late.py', `#!/usr/bin/python3\n${script}`);
  chmodSync(file, 0o755);
  return spawnSync('sh', ['-c', `trap '' ALRM; '${program}' '${file}' /any hook codex || exit 2`], { cwd: project.workspace, env: project.environment, input: '{}', encoding: 'utf8' });
}

// Codex 0.169 and Gemini CLI 0.61 run the tool when a hook has not answered after the `timeout` of its settings, which is a minute.
test('a hook that is late is ended before the agent stops waiting, and that is a refusal', () => {
  expect(existsSync(program)).toBe(true);
  const { stdout } = handOver('import signal\nprint(signal.alarm(0))\n');
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(60);
  const late = handOver('import signal, time\nsignal.alarm(1)\nprint("begun", flush=True)\ntime.sleep(20)\n');
  expect(late).toMatchObject({ status: 2, stdout: 'begun\n' });
});
