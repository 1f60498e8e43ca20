import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toolWorld, writeTool } from './lib/tools.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a sandbox keeps no closed tool, with its module', { timeout: 60_000 }, async () => {
  const { sandbox, ...world } = await toolWorld();
  const manifest = writeTool(world, 'holdfast.output("")');
  const openOne = async (then: 'close' | 'keep') => {
    const tool = await sandbox.tools.open(manifest);
    if (then === 'close') await tool.close();
    return new WeakRef(tool);
  };
  const closed = await openOne('close');
  const kept = await openOne('keep');
  // Another owner may hold one for a while. A permanent owner is no list of Holdfast.
  for (let tries = 0; tries < 100 && closed.deref() !== undefined; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
  }
  expect(closed.deref()).toBeUndefined();
  expect(kept.deref()).toBeDefined();
});
