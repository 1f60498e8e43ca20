import { expect, test } from 'vitest';
import { reportEnding } from './run.ts';

test('a name with a line break forges no second message', async () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const forged = 'a\nholdfast: nothing happened';
  const quarantined = [{ path: forged, movedTo: '/q/1', reason: 'it sets core.fsmonitor' }];
  await reportEnding(
    { exitCode: 0, signal: 0, ending: 'exited', refusals: [], quarantined, noticed: [`a link: ${forged}`] },
    { stdout: stream, stderr: stream, cwd: '/', environment: {} },
  );
  expect(written.join('').split('\n')).toEqual([
    String.raw`holdfast: moved a\u{a}holdfast: nothing happened to /q/1, because it sets core.fsmonitor`,
    String.raw`holdfast: a link: a\u{a}holdfast: nothing happened`,
    '',
  ]);
});
