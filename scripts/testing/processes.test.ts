import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { allProcesses, childrenOf, commandLineOf, isRunning, parentOf, processFile } from './processes.ts';

test('a running process is seen with its words, parent and children', async () => {
  const child = spawn('sh', ['-c', 'sleep 4913 & echo up; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const pid = child.pid ?? 0;
  await once(child.stdout, 'data');
  const [inner = 0] = childrenOf(pid);
  expect([isRunning(pid), isRunning(inner), parentOf(inner), parentOf(pid)]).toEqual([true, true, pid, process.pid]);
  expect(commandLineOf(pid)).toBe('sh\0-c\0sleep 4913 & echo up; wait\0');
  expect(allProcesses()).toEqual(expect.arrayContaining([pid, inner, process.pid]));
  process.kill(-pid, 'SIGKILL');
  await once(child, 'exit');
});

test('an ended process that was not reaped does not run', async () => {
  // A shell collects its children between two commands. So the child ends only when its parent is no longer a shell.
  const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 4913'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [said] = (await once(parent.stdout as Readable, 'data')) as [Buffer];
  const zombie = Number(said.toString());
  await expect.poll(() => commandLineOf(parent.pid ?? 0)).toMatch(/^sleep/u);
  (parent.stdio[3] as Writable).end();
  await expect.poll(() => /^State:\s+Z/mu.test(processFile(zombie, 'status'))).toBe(true);
  expect([isRunning(zombie), commandLineOf(zombie), parentOf(zombie)]).toEqual([false, '', parent.pid]);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
});

test('a missing process causes no error', () => {
  const { pid } = spawnSync('true');
  expect([isRunning(pid), commandLineOf(pid), parentOf(pid), childrenOf(pid), processFile(pid, 'stat')]).toEqual([
    false,
    '',
    NaN,
    [],
    '',
  ]);
});
