import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { type Place, readPlace } from '../../place/place.ts';
import { leave, startThread, type SupervisorThread, SupervisorThreads } from './supervisor-threads.ts';

function placeIn(): Place {
  const root = mkdtempSync('/var/tmp/holdfast-threads-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'ws'));
  return readPlace({
    cwd: join(root, 'ws'),
    workspace: join(root, 'ws'),
    environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') },
  });
}

const obedient =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', ({ kind }) => kind === 'leave' && parentPort.close())";

/** A session's own thread loads the policy first, which this test does not need. */
async function one(): Promise<SupervisorThread> {
  const worker = new Worker(obedient, { eval: true });
  await new Promise((resolve) => worker.once('online', resolve));
  return { worker, wake: -1 };
}

const leaving = async (thread: SupervisorThread): Promise<void> => {
  const exited = new Promise((resolve) => thread.worker.once('exit', resolve));
  leave(thread);
  await exited;
};

const unwanted = (): never => expect.unreachable();

test('a returned thread is the next one, once', async () => {
  const threads = new SupervisorThreads();
  const [given, other] = [await one(), await one()];
  const first = threads.take(() => given);
  const heard = given.worker.listenerCount('exit');
  threads.giveBack(first);
  expect(threads.take(unwanted)).toBe(first);
  expect(given.worker.listenerCount('exit')).toBe(heard);
  expect(threads.take(() => other)).toBe(other);
  await Promise.all([leaving(first), leaving(other), threads.close()]);
});

test('an ended thread is never the next one', async () => {
  const threads = new SupervisorThreads();
  const [gone, idle, other] = [await one(), await one(), await one()];
  await leaving(gone);
  threads.giveBack(gone);
  threads.giveBack(idle);
  await leaving(idle);
  expect(threads.take(() => other)).toBe(other);
  await leaving(other);
  await threads.close();
});

test('a thread that could not load the policy ends nothing while it waits', async () => {
  const thread = startThread({ ...placeIn(), sources: [{ kind: 'user', file: '/policy.toml', text: 'no = policy' }] });
  const threads = new SupervisorThreads();
  threads.giveBack(thread);
  await new Promise((resolve) => thread.worker.once('exit', resolve));
  await threads.close();
});

test('threads beyond a few are released, and so are all once it is closed', async () => {
  const threads = new SupervisorThreads();
  const all = await Promise.all(Array.from({ length: 5 }, () => one()));
  const exits = all.map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)));
  for (const thread of all) threads.giveBack(thread);
  await exits[4];
  await threads.close();
  await Promise.all(exits);
  const late = await one();
  const exited = new Promise((resolve) => late.worker.once('exit', resolve));
  threads.giveBack(late);
  await exited;
});
