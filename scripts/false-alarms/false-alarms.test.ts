import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { alarmsOf } from './alarms-of.ts';
import { repositories, wrongOnes } from './repositories.ts';

/** Files that are withheld, hidden or protected: `listed` ones need nobody. */
async function alarmed(files: readonly string[]): Promise<ReadonlySet<string>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'alarms-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'x\n');
  }
  return new Set((await alarmsOf(root)).filter(({ kind }) => kind !== 'listed').map(({ path }) => path));
}

test('typical repositories raise no false alarm but the known ones', async () => {
  const raised: string[] = [];
  for (const [name, files] of Object.entries(repositories))
    for (const path of await alarmed(files)) raised.push(`${name}: ${path}`);
  expect(raised.toSorted()).toMatchSnapshot();
  for (const wrong of wrongOnes) expect(raised).toContain(wrong);
});
