import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Project, repository } from '../lib/holdfast.ts';

const program = join(repository, 'native/build/holdfast-hook');

/** Replaces Node after the handover, as a program that starts while the time runs. */
function handOver(script: string, settings = '|| exit 2') {
  using project = new Project();
  const file = project.write('late.py', `#!/usr/bin/python3\n${script}`);
  chmodSync(file, 0o755);
  return spawnSync('sh', ['-c', `trap '' ALRM; '${program}' '${file}' /any hook codex ${settings}`], {
    cwd: project.workspace,
    env: project.environment,
    input: '{}',
    encoding: 'utf8',
  });
}

// Codex 0.169 and Gemini CLI 0.61 run the tool if a hook has not answered after the `timeout` of its settings, which is
// a minute.
test('a late hook is ended before the agent stops waiting, and counts as a refusal', () => {
  expect(existsSync(program)).toBe(true);
  const { stdout } = handOver('import signal\nprint(signal.alarm(0))\n');
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(60);
  const late = handOver('import signal, time\nsignal.alarm(1)\nprint("begun", flush=True)\ntime.sleep(20)\n');
  expect(late).toMatchObject({ status: 2, stdout: 'begun\n' });
});

/** Whether the process runs whose number the script wrote. */
function isThere(pid: number): boolean {
  try {
    return !/^State:\t[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('Node’s reported status ends the hook, without waiting for Node’s own end', () => {
  const begin = performance.now();
  expect(
    handOver(
      'import os, time\nos.write(1, b"said"); os.close(1); os.close(2); os.write(3, bytes([2])); time.sleep(20)\n',
    ),
  ).toMatchObject({ status: 2, stdout: 'said' });
  expect(
    handOver('import os, time\nos.close(1); os.close(2); os.write(3, bytes([0])); time.sleep(20)\n'),
  ).toMatchObject({ status: 0 });
  expect(performance.now() - begin).toBeLessThan(15_000);
});

test.each([
  ['nothing, and ends well', '', 0],
  ['nothing, and ends with any other status', 'sys.exit(1)', 2],
  ['nothing, and is killed', 'os.kill(os.getpid(), 9)', 2],
  ['a status that no agent takes for a refusal', 'os.write(3, bytes([1]))', 2],
  ['a refusal, and ends well', 'os.write(3, bytes([2]))', 2],
] as const)('the hook has a safe status if Node says %s', (_, script, status) => {
  expect(handOver(`import os, sys\n${script}\n`, '')).toMatchObject({ status });
});

test('a hook that the agent ends leaves no deciding Node behind', async () => {
  using project = new Project();
  const file = project.write(
    'slow.py',
    '#!/usr/bin/python3\nimport os, time\nos.write(1, b"%d\\n" % os.getpid())\ntime.sleep(60)\n',
  );
  chmodSync(file, 0o755);
  const hook = spawn(program, [file, '/any', 'hook', 'codex'], {
    cwd: project.workspace,
    env: project.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  hook.stdin.end('{}');
  const [line] = (await once(hook.stdout, 'data')) as [Buffer];
  expect(isThere(Number(line))).toBe(true);
  hook.kill('SIGTERM');
  await vi.waitFor(() => expect(isThere(Number(line))).toBe(false), { timeout: 5000 });
});
