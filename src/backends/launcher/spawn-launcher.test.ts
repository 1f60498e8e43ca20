import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { notStarted } from './spawn-launcher.ts';

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
])('who lacks processes or memory is not told to build the launcher: %s', (code, expected, remedy) => {
  expect(notStarted('/launch', Object.assign(new Error('spawn'), { code }))).toMatchObject({
    code: expected,
    remedy: expect.stringContaining(remedy) as string,
  });
});
