import { expect, test } from 'vitest';
import { ask } from './find-guests.ts';

const command = (script: string) => ({
  program: '/bin/sh',
  arguments: ['-c', script],
  environment: { PATH: '/usr/bin:/bin' },
});

test('returns the output and the status of a program', async () => {
  expect(await ask(command('printf x; exit 3'))).toEqual({ kind: 'answered', stdout: Buffer.from('x'), exitCode: 3 });
});

test.each([
  ['exec sleep 60', 100, 'did not end'],
  ['while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done', 20_000, 'prints too much'],
  ['kill -9 $$', 20_000, 'SIGKILL'],
] as const)('%s: is a failure', async (script, milliseconds, reason) => {
  expect(await ask(command(script), milliseconds)).toEqual({ kind: 'failed', reason: expect.stringContaining(reason) });
});

test('so is a program that is not there', async () => {
  expect(await ask({ program: '/nowhere/limactl', arguments: [], environment: {} })).toMatchObject({ kind: 'failed' });
});
