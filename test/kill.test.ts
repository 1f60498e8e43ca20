import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childrenOf, commandLineOf, isRunning } from '../scripts/testing/processes.ts';
import { Project } from './lib/holdfast.ts';

interface Tree {
  readonly supervisor: number;
  readonly outer: number;
  readonly init: number;
  readonly command: number;
}

/**
 * Waits until the whole chain down to the command runs. The test has started the launcher. Node, which serves it, is
 * its child.
 */
async function processTree(outer: number, marker: string): Promise<Tree> {
  for (let tries = 0; tries < 2400; tries++) {
    const children = childrenOf(outer);
    const supervisor = children.find((pid) => commandLineOf(pid).includes('holdfast.cjs'));
    for (const init of children) {
      const command = childrenOf(init).find((pid) => commandLineOf(pid).includes(marker));
      if (command !== undefined && supervisor !== undefined && supervisor !== init)
        return { supervisor, outer, init, command };
    }
    await sleep(25);
  }
  throw new Error('the box did not start');
}

describe('kill -9 of each participant', () => {
  test.each(['supervisor', 'outer', 'init', 'command'] as const)(
    '%s: everything ends, and nothing is left',
    async (victim) => {
      using project = new Project();
      const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
      const marker = `marker${process.pid}${victim}`;
      const child = project.start([
        'run',
        '--',
        'sh',
        '-c',
        `sleep 4913 & mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json; touch ready; : ${marker}; wait`,
      ]);
      const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
      const tree = await processTree(child.pid ?? 0, marker);
      while (!existsSync(join(project.workspace, 'ready'))) await sleep(20);
      const inside = [...childrenOf(tree.command), tree.command];
      process.kill(tree[victim], 'SIGKILL');
      await ended;
      const all = [tree.supervisor, tree.outer, tree.init, ...inside];
      for (let tries = 0; tries < 1000 && all.some(isRunning); tries++) await sleep(20);
      expect(all.filter(isRunning)).toEqual([]);
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(mounts);
      expect(
        spawnSync('find', ['/sys/fs/cgroup', '-name', `holdfast-*-${tree.supervisor.toString(36)}-*`], {
          encoding: 'utf8',
        }).stdout,
      ).toBe('');
      expect(existsSync(join(project.workspace, 'sub/.vscode'))).toBe(false);
    },
  );

  test('a front that is killed during a question leaves no question behind', async () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[commands]\nask = ["git --version"]\n');
    const child = project.start(['run', '--', 'git', '--version']);
    const serving = (): readonly number[] =>
      childrenOf(child.pid ?? 0).filter((pid) => commandLineOf(pid).includes('holdfast.cjs'));
    await expect.poll(() => project.holdfast(['approvals', 'list', '--json']).stdout).toContain('git --version');
    const [node = 0] = serving();
    expect(isRunning(node)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => isRunning(node)).toBe(false);
  });

  test('SIGTERM, SIGINT and SIGHUP of the supervisor reach the command', async () => {
    for (const [signal, status] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
      ['SIGUSR1', 138],
    ] as const) {
      using project = new Project();
      const child = project.start(['run', '--', 'sh', '-c', 'echo up; exec sleep 4913']);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.kill(signal);
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(status);
      expect(readdirSync(project.workspace)).toEqual(['.git']);
    }
  });
});
