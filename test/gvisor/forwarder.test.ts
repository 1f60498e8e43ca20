import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../scripts/testing/processes.ts';
import { repository } from '../lib/holdfast.ts';

const launcher = join(repository, 'native/build/holdfast-launch');

/** Runs a script in place of gVisor's runtime, behind the forwarder, with a file as stdout and stderr. */
async function forward(script: string) {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-forwarder-'));
  const path = (name: string): string => join(directory, name);
  writeFileSync(path('runtime'), `#!/bin/sh\n[ "$1" = run ] || exit 0\n${script}\n`, { mode: 0o755 });
  const file = openSync(path('out'), 'w');
  const forwarder = spawn(launcher, ['forward', 'unlimited', path('runtime'), 'run', 'box'], {
    cwd: directory,
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const ended = once(forwarder, 'exit');
  onTestFinished(() => {
    forwarder.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  return { ended, path };
}

test('the forwarder ends with its runtime, even if a remaining process holds the streams', async () => {
  const { ended, path } = await forward('(exec sleep 600) & echo $! > pid; echo said; exit 3');
  expect(await ended).toEqual([3, null]);
  const orphan = Number(readFileSync(path('pid'), 'utf8'));
  expect(isRunning(orphan)).toBe(true);
  process.kill(orphan, 'SIGKILL');
  expect(readFileSync(path('out'), 'utf8')).toBe('said\n');
});

test('the forwarder ends with its runtime, even if a remaining process never stops writing', async () => {
  const { ended } = await forward('(exec yes) & exit 3');
  expect(await ended).toEqual([3, null]);
});

test('the forwarder passes on all output before the end', async () => {
  const { ended, path } = await forward('head -c 1000000 /dev/zero; echo last; exit 0');
  expect(await ended).toEqual([0, null]);
  expect(statSync(path('out')).size).toBe(1_000_005);
});
