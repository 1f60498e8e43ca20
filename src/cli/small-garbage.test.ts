import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

/** The size in MB that the space for young objects reaches while a thousand of them are always in use. */
function youngSpace(call: string): number {
  const program = `
    import { setTimeout as wait } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepGarbageSmall } from ${JSON.stringify(join(import.meta.dirname, 'small-garbage.ts'))};
    ${call}
    await wait(50);
    const used = [];
    for (let index = 0; index < 3_000_000; index += 1) used[index % 20_000] = { index, text: 'x' + index };
    console.log(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
}

test('short-lived garbage uses a small part of its usual memory', () => {
  expect(youngSpace('keepGarbageSmall(0);')).toBeLessThan(youngSpace('') / 4);
});
