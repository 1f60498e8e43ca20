import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fullPlan } from '../testing/plan.ts';
import { startKeeper } from './keep.ts';

/** A shell script in the launcher's place; it has the control stream as descriptor 3. */
function script(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-keep-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'launch'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return join(directory, 'launch');
}

test('a keeper that sends what no launcher sends is an error of the start, and not one that ends the supervisor', async () => {
  await expect(
    startKeeper(fullPlan, { launcher: script("printf 'garbage, garbage' >&3; exec sleep 60") }),
  ).rejects.toMatchObject({
    code: 'HF_LAUNCHER_FAILED',
    message: expect.stringContaining('sent what no launcher sends') as string,
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

test('one that ends without a word has failed', async () => {
  await expect(startKeeper(fullPlan, { launcher: script('exit 0') })).resolves.toMatchObject({
    kind: 'failed',
    failure: { stage: 'launcher killed' },
  });
});
