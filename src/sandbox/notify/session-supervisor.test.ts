import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kernelCall } from '../../kernel/index.ts';
import { readPlace, type Place } from '../place.ts';
import { startSupervisor } from './session-supervisor.ts';

function placeIn(): Place {
  const root = mkdtempSync('/var/tmp/holdfast-supervisor-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'ws'));
  return readPlace({ cwd: join(root, 'ws'), workspace: join(root, 'ws'), environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') } });
}

const start = (place: Place, endBox: () => void) => startSupervisor({ id: 'test', place, approvals: { ask: () => expect.unreachable() } }, { mounts: [], groups: ['opens'], programs: [], settled: [], pinned: [], endBox });

describe('a supervisor that fails', () => {
  test('because it cannot load the policy ends the box, and says so', async () => {
    const place = placeIn();
    let ended = 0;
    const supervisor = start({ ...place, sources: [{ kind: 'user', file: '/policy.toml', text: 'no = policy' }] }, () => (ended += 1));
    await supervisor.take(process.pid, 0, []);
    expect((await supervisor.close()).error).toMatchObject({ code: 'HF_NOTIFY_FAILED' });
    expect(ended).toBeGreaterThan(0);
  });

  test('because what it was given is no listener does too', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const garbage = kernelCall('eventfd2', 1, 0);
    const supervisor = start(placeIn(), end);
    await supervisor.take(process.pid, garbage, []).catch(() => undefined);
    await ended;
    expect((await supervisor.close()).error).toMatchObject({ code: 'HF_NOTIFY_FAILED' });
  });
});

test('a box that is gone before its command began is no failure', async () => {
  const supervisor = start(placeIn(), () => expect.unreachable());
  await supervisor.take(0x3f_ffff, 3, []);
  expect(await supervisor.close()).toEqual({ refusals: [], error: undefined });
});
