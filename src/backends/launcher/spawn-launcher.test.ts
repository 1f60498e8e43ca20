import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { fullPlan } from '../testing/plan.ts';
import { notStarted, startKeeper } from './spawn-launcher.ts';

/**
 * Starts a launcher in these words, in a process that has opened all that it may, and prints what comes of it, also
 * later.
 */
function withoutDescriptors(start: string): string {
  const module = (name: string): string => JSON.stringify(join(import.meta.dirname, name));
  const script = `
    import { openSync } from 'node:fs';
    import { launch } from ${module('launch.ts')};
    import { Nursery } from ${module('nursery.ts')};
    process.on('uncaughtException', (error) => console.log('uncaught', error.message));
    console.log('begins');
    const nursery = new Nursery('/bin/true');
    try { for (;;) openSync('/dev/null'); } catch {}
    try { ${start} } catch (error) { console.log(error.code, error.remedy); }
    await new Promise((resolve) => setTimeout(resolve, 50));`;
  return spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '--no-warnings', '-e', script],
    { encoding: 'utf8', timeout: 60_000 },
  ).stdout;
}

test.each([
  [
    'a launcher',
    "launch({ launcher: '/bin/true', arguments: [], encodedPlan: Buffer.from('plan'), stdio: ['pipe', 'pipe', 'pipe'] })",
  ],
  ['a nursery', 'for (;;) nursery.take();'],
])('without a descriptor for its streams %s is not started, which is said, and the supervisor lives', (_, start) => {
  expect(withoutDescriptors(start)).toMatch(/^begins\nHF_LAUNCHER_FAILED .*`ulimit -n`.*\n$/u);
});

test.each([
  ['EAGAIN', 'HF_LAUNCHER_FAILED', 'ulimit'],
  ['ENOMEM', 'HF_LAUNCHER_FAILED', 'ulimit'],
  ['ENOENT', 'HF_LAUNCHER_MISSING', 'make'],
  ['EACCES', 'HF_LAUNCHER_MISSING', 'make'],
])('a shortage of processes or memory does not advise building the launcher: %s', (code, expected, remedy) => {
  expect(notStarted('/launch', Object.assign(new Error('spawn'), { code }))).toMatchObject({
    code: expected,
    remedy: expect.stringContaining(remedy) as string,
  });
});

/** A shell script in the launcher's place; it has the control stream as descriptor 3. */
function script(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-keep-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'launch'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return join(directory, 'launch');
}

test('a keeper’s invalid message is an error of the start, and does not end the supervisor', async () => {
  await expect(
    startKeeper(fullPlan, { launcher: script("printf 'garbage, garbage' >&3; exec sleep 60") }),
  ).rejects.toMatchObject({
    code: 'HF_LAUNCHER_FAILED',
    message: expect.stringContaining('sent an invalid message') as string,
  });
});

test.each(['/nonexistent/holdfast-launch', '/etc/passwd'])(
  'it says how to build a launcher that cannot be started: %s',
  async (launcher) => {
    await expect(startKeeper(fullPlan, { launcher })).rejects.toMatchObject({
      code: 'HF_LAUNCHER_MISSING',
      remedy: expect.stringContaining('make') as string,
    });
  },
);

test('a keeper that ends silently has failed', async () => {
  await expect(startKeeper(fullPlan, { launcher: script('exit 0') })).resolves.toMatchObject({
    kind: 'failed',
    failure: { stage: 'launcher killed' },
  });
});
