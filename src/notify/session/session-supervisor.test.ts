import { EventEmitter } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kernelCall } from '../../kernel/index.ts';
import { readPlace, type Place } from '../../place/place.ts';
import { startSupervisor } from './session-supervisor.ts';
import { atExit } from './supervisor-threads.ts';

function placeIn(): Place {
  const root = mkdtempSync('/var/tmp/holdfast-supervisor-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'ws'));
  return readPlace({
    cwd: join(root, 'ws'),
    workspace: join(root, 'ws'),
    environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') },
  });
}

const start = (place: Place, endBox: () => void) =>
  startSupervisor(
    { id: 'test', place, approvals: { ask: () => expect.unreachable() } },
    { mounts: [], groups: ['opens'], programs: [], settled: [], pinned: [], endBox },
  );

describe('a supervisor that fails', () => {
  test('because it cannot load the policy ends the box, and says so', async () => {
    const place = placeIn();
    let ended = 0;
    const supervisor = start(
      { ...place, sources: [{ kind: 'user', file: '/policy.toml', text: 'no = policy' }] },
      () => (ended += 1),
    );
    await supervisor.take(process.pid, 0, []);
    expect((await supervisor.close()).error).toMatchObject({ code: 'HF_NOTIFY_FAILED' });
    expect(ended).toBeGreaterThan(0);
  });

  test('because its descriptor is no listener ends the box too', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const garbage = kernelCall('eventfd2', 1, 0);
    const supervisor = start(placeIn(), end);
    await supervisor.take(process.pid, garbage, []).catch(() => undefined);
    await ended;
    expect((await supervisor.close()).error).toMatchObject({ code: 'HF_NOTIFY_FAILED' });
  });
});

test('while it ends gets no more messages: its descriptor may belong to someone else', async () => {
  const wake = kernelCall('eventfd2', 0, 0);
  const worker = Object.assign(new EventEmitter(), { postMessage: () => undefined, ref: () => undefined, threadId: 1 });
  worker.once('exit', () => closeSync(wake));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const session = {
    id: 'test',
    place: placeIn(),
    approvals: { ask: () => expect.unreachable() },
    threads: { take: () => ({ worker: worker as unknown as Worker, wake }), giveBack: () => expect.unreachable() },
  };
  const supervisor = startSupervisor(session, {
    mounts: [],
    groups: ['opens'],
    programs: [],
    settled: [],
    pinned: [],
    endBox: end,
  });
  const closed = ended.then(() => supervisor.close());
  worker.emit('error', new Error('broken'));
  worker.emit('exit', 1);
  expect((await closed).error).toMatchObject({ code: 'HF_NOTIFY_FAILED' });
});

test('a box that ends before its command begins is no failure', async () => {
  const supervisor = start(placeIn(), () => expect.unreachable());
  await supervisor.take(0x3f_ffff, 3, []);
  expect(await supervisor.close()).toEqual({ refusals: [], error: undefined });
});

test('any number of boxes may wait for the exit, and none leaves a listener', () => {
  const before = [process.listenerCount('exit'), process.getMaxListeners()];
  const acted: number[] = [];
  const forget = Array.from({ length: 30 }, (_, index) => atExit(() => void acted.push(index)));
  expect(process.listenerCount('exit')).toBe(Number(before[0]) + 30);
  expect(process.getMaxListeners()).toBeGreaterThanOrEqual(30);
  for (const each of forget) each();
  expect([process.listenerCount('exit'), process.getMaxListeners()]).toEqual(before);
  expect(acted).toEqual([]);
});
