import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childrenOf, isRunning, parentOf } from '../../../scripts/testing/processes.ts';
import { ForkedLauncher } from './forked-launcher.ts';
import { Nursery } from './nursery.ts';

const launcher = join(import.meta.dirname, '../../../native/build/holdfast-launch');

/** The kernel closes the streams of a process, by which its end is heard of, a moment before it has ended. */
async function allEnded(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

/** A launcher waits for its plan when it has set itself up. */
function isAsleep(pid: number): boolean {
  return /^State:\s+S/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** A nursery that has begun. */
async function begun(program = launcher, idleMs?: number): Promise<Nursery> {
  const nursery = new Nursery(program, idleMs === undefined ? {} : { idleMs });
  onTestFinished(() => nursery.close());
  for (let box = 0; box < 3; box += 1) expect(nursery.take()).toBeUndefined();
  return nursery;
}

async function next(nursery: Nursery): Promise<ForkedLauncher> {
  await nursery.ready();
  const taken = nursery.take();
  if (taken === undefined) throw new Error('the nursery had none');
  return taken;
}

test('it starts nothing for the first boxes, and gives each launcher once, which is a child of its own', async () => {
  const nursery = await begun();
  const taken = [];
  for (let box = 0; box < 12; box += 1) taken.push(await next(nursery));
  expect(new Set(taken.map(({ pid }) => pid)).size).toBe(12);
  const parents = new Set(taken.map(({ pid }) => parentOf(pid)));
  expect([parents.size, parents.has(process.pid), parentOf([...parents][0] as number)]).toEqual([
    1,
    false,
    process.pid,
  ]);
  await Promise.all(taken.map((each) => each.dismiss()));
  expect(taken.filter(({ exitCode }) => exitCode === null)).toEqual([]);
});

test('a launcher holds its own four descriptors and nothing of the nursery or of another', async () => {
  const nursery = await begun();
  const [first, second] = [await next(nursery), await next(nursery)];
  const ends = [first, second].flatMap(({ pid }) =>
    [0, 1, 2, 3].map(
      (descriptor) => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8').match(/^ino:\s+(\d+)$/mu)?.[1],
    ),
  );
  expect(new Set(ends).size).toBe(8);
  // It is handed out when it was forked, and closes the others' then.
  for (const { pid } of [first, second])
    await expect.poll(() => existsSync(`/proc/${pid}/fd/4`) || existsSync(`/proc/${pid}/fd/5`)).toBe(false);
  await Promise.all([first, second].map((each) => each.dismiss()));
});

test('when it has closed, its launchers and it have ended, also where someone had stopped them', async () => {
  const nursery = await begun();
  const taken = await next(nursery);
  const own = parentOf(taken.pid);
  // One that is stopped before it has asked to die with the nursery would not.
  await expect.poll(() => childrenOf(own).every(isAsleep)).toBe(true);
  const children = childrenOf(own);
  expect(children).toContain(taken.pid);
  await taken.dismiss();
  for (const pid of [own, ...children.filter(isRunning)]) process.kill(pid, 'SIGSTOP');
  await nursery.close();
  await allEnded([own, ...children]);
  expect(nursery.take()).toBeUndefined();
});

test('when no box has been started for a while it keeps one launcher', async () => {
  const nursery = await begun(launcher, 50);
  const taken = await next(nursery);
  const own = parentOf(taken.pid);
  await taken.dismiss();
  await expect.poll(() => childrenOf(own), { timeout: 20_000 }).toHaveLength(1);
  await (await next(nursery)).dismiss();
});

test('a nursery that dies, cannot start or answers wrongly is dropped without a wait', async () => {
  const killed = await begun();
  const taken = await next(killed);
  process.kill(parentOf(taken.pid), 'SIGKILL');
  const last = [taken];
  for (let more: ForkedLauncher | undefined = taken; more !== undefined; more = killed.take()) {
    last.push(more);
    await killed.ready();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(last.map((each) => each.dismiss()));
  await allEnded(last.map(({ pid }) => pid));

  const absent = await begun('/nowhere/holdfast-launch');
  await absent.ready();
  expect(absent.take()).toBeUndefined();

  const directory = mkdtempSync(join(tmpdir(), 'holdfast-nursery-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const other = join(directory, 'launch');
  writeFileSync(other, `#!/bin/sh\necho '{"launcher":1,"pipes":[1,2,3]}' >&4; cat <&3 >/dev/null\n`, { mode: 0o755 });
  const wrong = await begun(other);
  await wrong.ready();
  expect(wrong.take()).toBeUndefined();
});

test('where it cannot make any more it stays, for the boxes of its launchers would end with it', async () => {
  const nursery = await begun();
  const taken = await next(nursery);
  const own = parentOf(taken.pid);
  expect(spawnSync('prlimit', ['--pid', String(own), '--nofile=6:6']).status).toBe(0);
  const last = [taken];
  for (let more: ForkedLauncher | undefined = taken; more !== undefined; more = nursery.take()) {
    last.push(more);
    await nursery.ready();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([isRunning(own), parentOf(taken.pid), taken.exitCode]).toEqual([true, own, null]);
  await Promise.all(last.map((each) => each.dismiss()));
  await nursery.close();
  expect(isRunning(own)).toBe(false);
});

test('pipes that are not those that the nursery made are not taken', async () => {
  const nursery = await begun();
  const { pid, ...taken } = await next(nursery);
  const control = { close: (): void => undefined };
  expect(() => new ForkedLauncher({ pid, pipes: [1, 2, 3], control })).toThrow('is not the pipe');
  expect(() => new ForkedLauncher({ pid: process.pid, pipes: [1, 2, 3], control })).toThrow();
  taken.stdio[3].destroy();
});
