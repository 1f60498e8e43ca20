import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPlace, type Place } from '../place.ts';
import { SupervisorThreads } from './supervisor-threads.ts';

function placeIn(): Place {
  const root = mkdtempSync('/var/tmp/holdfast-threads-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'ws'));
  return readPlace({ cwd: join(root, 'ws'), workspace: join(root, 'ws'), environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') } });
}

const ended = (worker: { once: (event: 'exit', hear: () => void) => unknown; postMessage: (message: unknown, transfer: []) => void }): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', resolve);
    worker.postMessage({ kind: 'end' }, []);
  });

test('a thread that was prepared is the next one, once', async () => {
  const threads = new SupervisorThreads(placeIn());
  threads.prepare();
  threads.prepare();
  const [first, second] = [threads.take(), threads.take()];
  expect(first.wake).not.toBe(second.wake);
  expect(first.worker.threadId).toBeLessThan(second.worker.threadId);
  await Promise.all([ended(first.worker), ended(second.worker), threads.close()]);
});

test('one that could not load the policy is not kept, and ends nothing', async () => {
  const threads = new SupervisorThreads({ ...placeIn(), sources: [{ kind: 'user', file: '/policy.toml', text: 'no = policy' }] });
  threads.prepare();
  const { worker } = threads.take();
  const failed = new Promise((resolve) => worker.once('error', resolve));
  expect(await failed).toBeInstanceOf(Error);
  threads.prepare();
  await threads.close();
});

test('none is prepared once it is closed', async () => {
  const threads = new SupervisorThreads(placeIn());
  threads.prepare();
  await threads.close();
  threads.prepare();
  const { worker } = threads.take();
  expect(worker.threadId).toBeGreaterThan(0);
  await ended(worker);
});
