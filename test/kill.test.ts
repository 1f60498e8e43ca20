import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Project } from './lib/holdfast.ts';

interface Tree {
  readonly supervisor: number;
  readonly outer: number;
  readonly init: number;
  readonly command: number;
}

function children(pid: number): number[] {
  return readIfThere(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

function commandLine(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`);
}

/** Processes of the wrapper script come and go while we look. */
function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Waits until the whole chain down to the command runs. */
async function processTree(supervisor: number, marker: string): Promise<Tree> {
  for (let tries = 0; tries < 2400; tries++) {
    for (const outer of children(supervisor).filter((pid) => commandLine(pid).includes('holdfast-launch'))) {
      for (const init of children(outer)) {
        const command = children(init).find((pid) => commandLine(pid).includes(marker));
        if (command !== undefined) return { supervisor, outer, init, command };
      }
    }
    await sleep(25);
  }
  throw new Error('the box did not start');
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s*Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

describe('kill -9 of each participant', () => {
  test.each(['supervisor', 'outer', 'init', 'command'] as const)('%s: everything ends, nothing is left', async (victim) => {
    using project = new Project();
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
    const marker = `marker${process.pid}${victim}`;
    const child = project.start(['run', '--', 'sh', '-c', `sleep 4913 & mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json; touch ready; : ${marker}; wait`]);
    const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
    const tree = await processTree(child.pid ?? 0, marker);
    while (!existsSync(join(project.workspace, 'ready'))) await sleep(20);
    const inside = [...children(tree.command), tree.command];
    process.kill(tree[victim], 'SIGKILL');
    await ended;
    for (let tries = 0; tries < 1000 && [tree.outer, tree.init, ...inside].some(isAlive); tries++) await sleep(20);
    expect([tree.outer, tree.init, ...inside].filter(isAlive)).toEqual([]);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(mounts);
    expect(spawnSync('find', ['/sys/fs/cgroup', '-name', `holdfast-*-${tree.supervisor.toString(36)}-*`], { encoding: 'utf8' }).stdout).toBe('');
    expect(existsSync(join(project.workspace, 'sub/.vscode'))).toBe(false);
  });

  test('SIGTERM, SIGINT and SIGHUP of the supervisor reach the command', async () => {
    for (const [signal, status] of [['SIGTERM', 143], ['SIGINT', 130], ['SIGHUP', 129], ['SIGUSR1', 138]] as const) {
      using project = new Project();
      const child = project.start(['run', '--', 'sh', '-c', 'echo up; exec sleep 4913']);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.kill(signal);
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(status);
      expect(readdirSync(project.workspace)).toEqual(['.git']);
    }
  });
});
